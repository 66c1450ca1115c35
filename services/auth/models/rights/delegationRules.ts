import {
  type Effect,
  type EffectContext,
  Forbidden,
  type Guard,
  type Json,
  type Stored,
  type Values,
} from '@cadastre/model';
import { beyond } from './rights.ts';

// These are effects, as effects see a change whichever object it was made on: a user's groups, for example, change with
// the user and when a group is deleted.

type Context = Pick<EffectContext, 'requester' | 'related'>;

/** How many of the missing rights a message names. */
const NAMED = 5;

function refuseBeyond(missing: string[]): void {
  const names = [...new Set(missing)];
  if (names.length)
    throw new Forbidden(
      `Nobody can give what they have not been given themselves: ${names.slice(0, NAMED).join(', ')}${names.length > NAMED ? ', …' : ''}.`,
    );
}

/** The ids in a list that were not there before. */
const added = ({ before, after }: Stored, field: string): number[] => {
  const had = new Set((before?.[field] ?? []) as number[]);
  return ((after?.[field] ?? []) as number[]).filter((id) => !had.has(id));
};

const distinct = (ids: readonly number[]): number[] => [...new Set(ids)];

async function objects(type: string, ids: readonly number[], { related }: Context): Promise<Values[]> {
  return (await Promise.all(distinct(ids).map((id) => related(type, id)))).filter((found) => found !== null);
}

async function refuseForeignPermissions(ids: readonly number[], context: Context): Promise<void> {
  const { granted } = context.requester;
  refuseBeyond(
    (await objects('users.objectpermission', ids, context)).flatMap((permission) => beyond(permission, granted)),
  );
}

/** Nobody can give rights that they do not have, by adding users to a group or by granting a permission. */
export const joinsWithinOwnRights: Effect = async (changes, context) => {
  if (context.requester.superuser) return;
  const groups = await objects(
    'users.group',
    changes.flatMap((change) => added(change, 'groups')),
    context,
  );
  await refuseForeignPermissions(
    [
      ...changes.flatMap((change) => added(change, 'permissions')),
      ...groups.flatMap((group) => group['permissions'] as number[]),
    ],
    context,
  );
};

/** The same for a group. */
export const carriesWithinOwnRights: Effect = async (changes, context) => {
  if (!context.requester.superuser)
    await refuseForeignPermissions(
      changes.flatMap((change) => added(change, 'permissions')),
      context,
    );
};

/**
 * A new or changed permission may allow only what it allowed before, or what its author has been granted. A disabled
 * one could be enabled later, so it counts, too.
 */
export const allowsWithinOwnRights: Effect = async (changes, { requester }) => {
  if (!requester.superuser)
    refuseBeyond(changes.flatMap(({ before, after }) => (after ? beyond(after, requester.granted, before) : [])));
};

const differs = ({ before, after }: Stored): boolean =>
  before === null ||
  after === null ||
  Object.entries(after).some(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name] as Json));

const ofSuperusers = () => new Forbidden('Only superusers may change the accounts of superusers.');

/** Superusers' accounts are changed by superusers only. */
export const guardsSuperusers: Effect = async (changes, { requester }) => {
  if (
    !requester.superuser &&
    changes.some((change) => (change.before?.['is_superuser'] || change.after?.['is_superuser']) && differs(change))
  )
    throw ofSuperusers();
};

/** And deleted. */
export const keepsSuperusers: Guard = (users, { superuser }) => {
  if (!superuser && users.some((user) => user['is_superuser'])) throw ofSuperusers();
};

/** And so are their tokens. */
export const guardsSuperusersTokens: Effect = async (changes, context) => {
  if (context.requester.superuser) return;
  const owners = await objects(
    'users.user',
    changes.filter(differs).map(({ before, after }) => (after ?? before)!['user'] as number),
    context,
  );
  if (owners.some((owner) => owner['is_superuser']))
    throw new Forbidden('Only superusers may make, change or delete the tokens of superusers.');
};

import { dictionaryIn } from '@cadastre/body';
import { type Dict, isDict, type Schema } from '@cadastre/model';
import { type ActionHandler, arrayOf, invalid, notPermitted, recordOf, refuse } from '@cadastre/rest';
import type { Executor } from '@cadastre/service/executor';
import { exemptTypes, type ModelService } from '@cadastre/service/models';
import { explained, type Meets, verdict } from '../rights/explained.ts';
import { accountOf, type Asked, groundsFor } from '../rights/grounds.ts';

const ALLOW = { Allow: 'POST, OPTIONS' };
const TEXT: Schema = { type: 'string' };
const MAYBE: Schema = { type: 'boolean', nullable: true };

const answer = recordOf({
  allowed: { ...MAYBE, description: 'Null where it depends on the object, and none was named.' },
  reason: TEXT,
  user: recordOf({
    id: { type: 'integer' },
    username: TEXT,
    is_active: { type: 'boolean' },
    is_superuser: { type: 'boolean' },
  }),
  grounds: arrayOf(
    recordOf({
      by: { type: 'string', enum: ['permission', 'default', 'exempt'] },
      id: { type: 'integer', nullable: true },
      name: TEXT,
      enabled: { type: 'boolean' },
      given: recordOf({ user: { type: 'boolean' }, groups: arrayOf(TEXT) }),
      matches: MAYBE,
      constraints: arrayOf(recordOf({ constraint: { type: 'object' }, matches: MAYBE, failed: arrayOf(TEXT) })),
    }),
  ),
});

/** What was asked, as far as it is valid by itself. */
interface Given {
  user: { id: number } | { username: string };
  type: string;
  action: string;
  objectId: number | undefined;
}

const isId = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;

function read(given: Dict, { catalogue }: Pick<ModelService, 'catalogue'>): Given {
  const { user, object_type: type, action, object_id: objectId = null } = given;
  const named = isDict(user as Dict) ? (user as Dict)['username'] : undefined;
  const problems = {
    ...(isId(user) || typeof named === 'string'
      ? {}
      : { user: ['The id of a user is required, or an object with a username.'] }),
    ...(typeof type === 'string' && catalogue.has(type)
      ? {}
      : { object_type: [`There is no object type ${String(type)}.`] }),
    ...(typeof action === 'string' && /^[a-z_]{1,30}$/.test(action)
      ? {}
      : { action: ['The name of an action is required.'] }),
    ...(objectId === null || isId(objectId) ? {} : { object_id: ['A valid integer is required.'] }),
  };
  if (Object.keys(problems).length) throw invalid(problems);
  return {
    user: typeof named === 'string' ? { username: named } : { id: user as number },
    type: type as string,
    action: action as string,
    objectId: (objectId as number | null) ?? undefined,
  };
}

/** Asks the owner of an object, on behalf of the user, which constraints the object meets. */
const meeting =
  (count: ModelService['matching'], { id: userId }: Asked, type: string, id: number): Meets =>
  async (constraint) =>
    (await count({ types: [type], constraints: [constraint], userId, id }))[0]! > 0;

/**
 * POST /api/users/permissions/test/: whether a user may do an action with objects of a type, or with one object, and
 * why. The answer discloses fields that the requester may not view, so this is for superusers.
 */
export const rightsTest = ({
  catalogue,
  config,
  db,
  matching: count,
}: Pick<ModelService, 'catalogue' | 'config' | 'matching'> & { db: Executor }): ActionHandler => {
  const everybodys = {
    defaults: config.defaultPermissions,
    exempt: exemptTypes(config.exemptViewPermissions, catalogue.models.values()),
  };
  return {
    methods: ['POST', 'OPTIONS'],
    operations: {
      POST: {
        summary: 'Test whether a user may do something, and tell why (superusers)',
        request: {
          type: 'object',
          required: ['user', 'object_type', 'action'],
          properties: {
            user: { description: 'An id, or an object with a username.' },
            object_type: TEXT,
            object_id: { type: 'integer', description: 'Without this, it is about objects of the type in general.' },
            action: { type: 'string', description: 'view, add, change, delete, or another that a model knows.' },
          },
        },
        answer,
      },
    },
    async handle(request) {
      if (request.method === 'OPTIONS') return { status: 200, headers: ALLOW, body: '{}' };
      const { who } = request;
      if (who.userId === null) throw notPermitted(who);
      if (!who.grants.superuser) throw refuse(403, 'Only superusers may ask what others may do.');
      const { user, type, action, objectId } = read(await dictionaryIn(request.body), { catalogue });
      const account = await accountOf(db, user);
      if (!account) throw invalid({ user: ['There is no such user.'] });
      const there =
        objectId === undefined ||
        (await count({ types: [type], constraints: null, userId: account.id, id: objectId }))[0];
      if (!there) throw invalid({ object_id: ['There is no such object.'] });
      const meets = objectId === undefined ? undefined : meeting(count, account, type, objectId);
      const grounds = await Promise.all(
        (await groundsFor(db, { userId: account.id, action, type }, everybodys)).map((one) => explained(one, meets)),
      );
      const { id, username, active: is_active, superuser: is_superuser } = account;
      const body = { ...verdict(account, grounds), user: { id, username, is_active, is_superuser }, grounds };
      return { status: 200, headers: ALLOW, body: JSON.stringify(body) };
    },
  };
};

import { randomUUID } from 'node:crypto';
import type { Values } from '@cadastre/model';
import { type Cause, type Change, type Engine, record, rowsOf } from '@cadastre/rest';
import { findRows, insertRows, updateRows } from '@cadastre/rest/write/store/store';
import { type Executor, executor } from '@cadastre/service/executor';
import type { Log } from '@cadastre/service/log';
import type { PoolClient } from 'pg';
import { group } from '../../../models/group.ts';
import { isUnusable, isUsername, MACHINE, UNUSABLE, user } from '../../../models/user.ts';
import type { DefaultPermissions } from '../../../rights/permissions.ts';
import type { SecurityRecord } from '../../../security/record.ts';
import { type AccountRow, accountOf, columns } from '../../../passwords/users.ts';
import { isLinked, keepLink, type Link, linkOf } from './links.ts';
import { groupsHere, membershipsAfter, superuserBy } from './memberships.ts';
import type { ExternalOutcome, ExternalPerson, ExternalPolicy, ExternalRefusal } from './person.ts';
import { type Found, lockedUser, otherSuperuser, read } from './stored.ts';

export type { ExternalOutcome, ExternalPerson, ExternalPolicy, ExternalRefusal } from './person.ts';

export interface ExternalDeps {
  engine: Engine;
  defaults: DefaultPermissions;
  log: Pick<Log, 'info' | 'warn'>;
  /** Hears what became of an account. */
  security?: Pick<SecurityRecord, 'write' | 'note'>;
}

/**
 * Any number: an advisory lock that makes logins find, create and change accounts one at a time, so that two concurrent
 * ones create one user.
 */
const LOCK = 4_621_900_730_413;
/** An index entry has no room for more. */
const LONGEST_SUBJECT_BYTES = 2_000;

/**
 * The account here of somebody whom another system vouches for: found, made or taken over as the policy says, and
 * brought to what that system tells. Whoever calls this has checked the other system's word.
 */
export async function externalAccount(
  deps: ExternalDeps,
  person: ExternalPerson,
  policy: ExternalPolicy,
): Promise<ExternalOutcome> {
  if (!isUsable(person)) return { refused: 'unusable' };
  await deps.engine.ready();
  try {
    return await enter(deps, person, policy);
  } catch (error) {
    // Somebody has created an account or a group of that name in another way meanwhile; the second attempt finds it.
    if ((error as { code?: string }).code === '23505') return enter(deps, person, policy);
    throw error;
  }
}

const isUsable = ({ subject, username }: ExternalPerson): boolean =>
  subject !== '' &&
  !subject.includes('\0') &&
  Buffer.byteLength(subject) <= LONGEST_SUBJECT_BYTES &&
  isUsername(username);

const enter = (deps: ExternalDeps, person: ExternalPerson, policy: ExternalPolicy): Promise<ExternalOutcome> =>
  deps.engine.transact(async (client) => {
    await rowsOf(client, { text: 'select pg_advisory_xact_lock($1)', values: [LOCK] });
    const db = executor(client);
    const link = await linkOf(db, person);
    const found = link
      ? await lockedUser(deps.engine, client, 't.id = $1', link.userId)
      : await byName(deps, client, person);
    const refused = found ? await refusal(db, found, link, policy) : policy.createUsers ? null : 'unknown';
    if (refused) return { refused };
    const userId = await bring(deps, client, { person, policy, found, link });
    const {
      rows: [row],
    } = await db.query<AccountRow>({ text: `select ${columns} from users_user u where u.id = $1`, values: [userId] });
    return { account: accountOf(row!, deps.defaults) };
  });

/**
 * People do not distinguish names by case, so neither does this, but an exact match comes first. Both the lower and the
 * upper case are compared, as some letters merge in only one of them (`caselessName`).
 */
const byName = async (
  { engine }: ExternalDeps,
  client: PoolClient,
  { username }: ExternalPerson,
): Promise<Found | null> =>
  (await lockedUser(engine, client, 't.username = $1', username)) ??
  (await lockedUser(engine, client, 'lower(t.username) = lower($1) and upper(t.username) = upper($1)', username));

async function refusal(
  db: Executor,
  { values }: Found,
  link: Link | null,
  { linkUsers = false }: ExternalPolicy,
): Promise<ExternalRefusal | null> {
  const nobodys =
    isUnusable(values['password'] as string) &&
    !values['is_superuser'] &&
    !(await isLinked(db, values['id'] as number));
  if (!link && (values['password'] === MACHINE || (!linkUsers && !nobodys))) return 'taken';
  // An account that was turned off because the system no longer let its user in is turned on again; any other stays
  // off.
  return values['is_active'] || link?.turnedOff ? null : 'inactive';
}

interface Bringing {
  person: ExternalPerson;
  policy: ExternalPolicy;
  found: Found | null;
  link: Link | null;
}

/** Makes the account what the other system says, with a record of each change. Returns its id. */
async function bring(
  deps: ExternalDeps,
  client: PoolClient,
  { person, policy, found, link }: Bringing,
): Promise<number> {
  const { engine, log } = deps;
  const changes: Change[] = [];
  const names = groupsHere(person, policy);
  const told = names && (await groupIds(deps, client, names, policy, changes));
  const asks = !found || (policy.syncGroups && told !== null);
  const defaults = asks ? await groupIds(deps, client, policy.defaultGroups, policy, changes) : [];
  const before = found?.values ?? made(person);
  const username = before['username'] as string;
  const after: Values = {
    ...before,
    ...attributes(person),
    is_active: true,
    groups: membershipsAfter(
      before['groups'] as number[],
      { told, given: link?.groups ?? [], defaults, created: !found },
      policy,
    ),
    is_superuser: await superuserAfter(deps, client, superuserBy(username, person, policy), before),
  };
  let userId = found ? (found.values['id'] as number) : 0;
  if (!found) {
    const [cells] = await insertRows(engine.tables, user, [after], client);
    userId = Number(cells![0]);
    changes.push({ action: 'created', model: user, before: null, after: cells!, message: madeBy(person) });
    log.info({ user: userId, username, source: person.source }, 'made a user whom another system vouches for');
  } else if (changed(found.values, after).length) {
    const [cells] = await updateRows(engine.tables, user, [after], client);
    changes.push({ action: 'updated', model: user, before: found.cells, after: cells!, message: madeBy(person) });
  }
  await keepLink(executor(client), person, { userId, groups: told ?? link?.groups ?? [] });
  if (changes.length) await record(await engine.readContext(client), changes, causeOf(userId, username), client);
  const deed = found ? changed(found.values, after).join(', ') : 'created';
  if (deed)
    await deps.security?.write(client, [
      {
        kind: 'external_account',
        ok: true,
        user: { id: userId, name: username },
        address: person.address ?? '',
        method: person.source,
        detail: found ? `changed: ${deed}` : deed,
        about: { type: user.name, id: userId },
      },
    ]);
  return userId;
}

const madeBy = ({ source, asked = 'login' }: ExternalPerson): string =>
  asked === 'login' ? `As the login by ${source} says.` : `As ${source} says, which was asked about all its accounts.`;
const causeOf = (userId: number, username: string): Cause => ({
  id: randomUUID(),
  method: '',
  path: '',
  user: username,
  userId,
});

const made = ({ username }: ExternalPerson): Values => ({
  username,
  password: UNUSABLE,
  first_name: '',
  last_name: '',
  email: '',
  is_active: true,
  is_superuser: false,
  date_joined: new Date().toISOString(),
  last_login: null,
  groups: [],
  permissions: [],
});

/**
 * What the other system says of the person, as far as it can be stored; attributes that it leaves out stay as they are.
 */
function attributes({ firstName, lastName, email }: ExternalPerson): Values {
  const kept = (value: string | undefined) => value?.replaceAll('\0', '').trim().slice(0, 150);
  const said = { first_name: kept(firstName), last_name: kept(lastName), email: isEmail(email) ? email : undefined };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)) as Values;
}

const isEmail = (value: string | undefined): value is string =>
  value !== undefined && value.length <= 254 && (value === '' || /^[^\s@\0]+@[^\s@\0]+$/.test(value));

const WRITTEN = ['first_name', 'last_name', 'email', 'is_active', 'is_superuser', 'groups'] as const;
const changed = (before: Values, after: Values): string[] =>
  WRITTEN.filter((name) => JSON.stringify(sorted(before[name])) !== JSON.stringify(sorted(after[name])));
const sorted = (value: unknown): unknown => (Array.isArray(value) ? value.toSorted((a, b) => a - b) : value);

/** The last superuser stays one: nobody else could make another. */
async function superuserAfter(
  { log }: ExternalDeps,
  client: PoolClient,
  wanted: boolean | null,
  { id = null, is_superuser: present }: Values,
): Promise<boolean> {
  if (wanted === null || wanted || !present) return wanted ?? Boolean(present);
  const other = await otherSuperuser(client, id as number | null);
  if (!other)
    log.warn({ user: id }, 'the last superuser stays one, although the other system does not say so any more');
  return !other;
}

/** The ids of groups by name; groups that do not exist are created, or left out with a line in the log. */
async function groupIds(
  { engine, log }: ExternalDeps,
  client: PoolClient,
  names: readonly string[],
  { createGroups }: ExternalPolicy,
  changes: Change[],
): Promise<number[]> {
  if (!names.length) return [];
  const rows = await findRows(engine.tables, group, 't.name = any($1::text[])', [names], client);
  const found = rows.map((cells) => read(group, cells).values);
  const there = new Set(found.map((values) => values['name']));
  const missing = [...new Set(names)].filter((name) => !there.has(name));
  const ids = found.map((values) => values['id'] as number);
  if (!missing.length) return ids;
  if (!createGroups) {
    log.info({ groups: missing }, 'groups that another system names are not here, and count for nothing');
    return ids;
  }
  const objects = missing.map((name) => ({ name, description: '', permissions: [] }));
  const created = await insertRows(engine.tables, group, objects, client);
  for (const cells of created)
    changes.push({ action: 'created', model: group, before: null, after: cells, message: '' });
  return [...ids, ...created.map((cells) => Number(cells[0]))];
}

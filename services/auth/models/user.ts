import {
  type Ahead,
  boolean,
  type Cell,
  type Check,
  datetime,
  type Effect,
  email,
  imported,
  model,
  passedOver,
  path,
  type Rule,
  refs,
  text,
  type Values,
} from '@cadastre/model';
import { recordRightsChanges } from './rights/recordRightsChanges.ts';
import { guardsSuperusers, joinsWithinOwnRights, keepsSuperusers } from './rights/delegationRules.ts';

/** What the service that owns users provides under the name `passwords`. */
export interface Passwords {
  /** Why a password is too weak for the user, whose names it must not consist of. */
  problems(password: string, user: Values): Promise<string[]>;
  /**
   * Hashes a password when it is its turn; the requests of one requester (`whose`) share a limit. @throws when too many
   * wait already
   * when too many wait already
   */
  hash(password: string, whose: string): Promise<string>;
  /** The value that removes a password when this process does it; no client knows it. */
  none: string;
}

/** What is stored where there is no password; no hash begins like it. */
export const UNUSABLE = '!';
/** The same for a machine account, which a login by another system does not take over by its name either. */
export const MACHINE = '!machine';
/** Django's unusable passwords, as in a NetBox, have random characters after the `!`. */
export const isUnusable = (stored: string): boolean => stored === '' || stored.startsWith(UNUSABLE);

/** Hashing is slow by intent, so it is done ahead of the transaction. */
export const hashesPassword: Ahead = async (given, { requester, service }) => {
  const { password } = given;
  const passwords = service<Passwords>('passwords');
  if (password === passwords.none) return { password: MACHINE };
  return typeof password !== 'string' || (await passwords.problems(password, given)).length
    ? undefined
    : { password: await passwords.hash(password, `user ${requester.userId}`) };
};

/** A new password must be strong; what is stored of it is a hash. */
export const storesHash: Rule = async (object, { before, service, ahead, importing }) => {
  const { password } = object;
  if (importing) {
    if (typeof password === 'string') return undefined;
    object['password'] = UNUSABLE;
    return { password: ['No password came: this user cannot log in until an administrator sets one.'] };
  }
  if (typeof password !== 'string' || password === before?.['password']) return undefined;
  const passwords = service<Passwords>('passwords');
  const problems = password === passwords.none ? [] : await passwords.problems(password, object);
  if (problems.length) return { non_field_errors: problems };
  if (typeof ahead?.['password'] !== 'string') throw new Error('a password was not hashed');
  object['password'] = ahead['password'];
  return undefined;
};

function nameOf([username, first, last]: Cell[]): string {
  const name = `${first ?? ''} ${last ?? ''}`.trim();
  return name ? `${username} (${name})` : (username ?? '');
}

const LONGEST_NAME = 150;
const USERNAME = {
  expression: /^[\p{L}\p{M}\p{N}_.@+-]+$/u,
  message: 'Enter a valid username. This value may contain only letters, numbers, and @/./+/-/_ characters.',
};

/** Whether an account may have this name. */
export const isUsername = (name: string): boolean => name.length <= LONGEST_NAME && USERNAME.expression.test(name);

/** A user's preferences are deleted with the user. */
export const forgetsPreferences: Effect = async (changes, { query }) => {
  const gone = changes.flatMap(({ action, before }) => (action === 'deleted' ? [before!['id']!] : []));
  if (gone.length) await query('delete from user_config where user_id = any($1::bigint[])', [gone]);
};

/** A user who is disabled is logged out, and stays logged out when enabled again. */
export const endsSessions: Effect = async (changes, { query }) => {
  const off = changes.flatMap(({ before, after }) =>
    before?.['is_active'] && after && !after['is_active'] ? [after['id']!] : [],
  );
  if (off.length) await query('delete from user_session where user_id = any($1::bigint[])', [off]);
};

/**
 * Somebody has set here whether the account is active, so a directory that turned it off may not turn it on any more.
 */
export const decidedHere: Effect = async (changes, { query }) => {
  const decided = changes.flatMap(({ before, after }) =>
    before && after && before['is_active'] !== after['is_active'] ? [after['id']!] : [],
  );
  if (decided.length)
    await query('update external_account set turned_off = null where user_id = any($1::bigint[])', [decided]);
};

/** People do not distinguish names by case. An identical name is refused by the field itself, which is unique. */
export const nameInOtherCase: Check = async (proposed, { query, tableOf }) => {
  const rows = await query(
    `select distinct g.n from unnest($1::text[], $2::bigint[]) with ordinality as g(username, id, n) join ${tableOf('users.user')} u on lower(u.username) = lower(g.username) and upper(u.username) = upper(g.username)
    where u.username <> g.username and u.id is distinct from g.id`,
    [proposed.map(({ object }) => object['username']), proposed.map(({ object }) => object['id'] ?? null)],
  );
  const taken = new Set(rows.map(([n]) => Number(n) - 1));
  return proposed.map((_, n) =>
    taken.has(n) ? { __all__: ['A user with this username already exists.'] } : undefined,
  );
};

/** An account. */
export const user = model('users.user', {
  path: 'users',
  exempt: 'byName',
  confirms: true,
  self: true,
  pages: {
    columns: ['first_name', 'last_name', 'email', 'is_active', 'groups', 'last_login'],
    groups: {
      Person: ['first_name', 'last_name', 'email'],
      Permissions: ['is_active', 'groups', 'permissions'],
      Activity: ['date_joined', 'last_login'],
    },
  },
  label: 'user',
  forms: { twice: ['password'], many: false },
  imports: { passed: ['is_superuser'] },
  ordering: ['username'],
  features: ['changeLogging'],
  brief: ['username'],
  nested: ['username'],
  display: { columns: ['username', 'first_name', 'last_name'], text: nameOf },
  search: ['username', 'first_name', 'last_name', 'email'],
  fields: {
    username: text({ max: LONGEST_NAME, unique: true, natural: true, pattern: USERNAME }),
    password: text({ max: 128, writeOnly: true, secret: true, keepSpaces: true }),
    first_name: text({ max: 150, optional: true }),
    last_name: text({ max: 150, optional: true }),
    email: email({ optional: true }),
    is_active: boolean({ default: true }),
    is_superuser: imported(boolean({ hidden: true, readOnly: true })),
    date_joined: passedOver(imported(datetime({ default: 'now' }))),
    last_login: passedOver(imported(datetime({ optional: true }))),
    groups: refs('users.group'),
    permissions: refs('users.objectpermission', { column: 'object_permissions' }),
  },
  filters: {
    owner_id: path('<users.owner.users'),
    owner: path('<users.owner.users', 'name'),
    notification_group_id: path('<extras.notificationgroup.users'),
  },
  rules: [storesHash],
  checks: [nameInOtherCase],
  ahead: hashesPassword,
  guard: keepsSuperusers,
  effects: [
    guardsSuperusers,
    joinsWithinOwnRights,
    forgetsPreferences,
    endsSessions,
    decidedHere,
    recordRightsChanges(
      'users.user',
      {
        rights_changed: ['username', 'is_active', 'is_superuser', 'groups', 'permissions'],
        password_changed: ['password'],
      },
      ({ username }) => String(username),
    ),
  ],
});

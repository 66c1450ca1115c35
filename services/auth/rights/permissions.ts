import { createHash } from 'node:crypto';
import type { Dict, Json } from '@cadastre/model';
import type { Config } from '@cadastre/service/config';
import type { Executor } from '@cadastre/service/executor';
import { alternatives } from '../models/rights/rights.ts';

/** One grant: these actions on these types, on the objects that match one of the constraints (all without any). */
export interface Permission {
  objectTypes: string[];
  actions: string[];
  constraints: Dict[] | null;
}

export interface PermissionSet {
  version: number;
  permissions: Permission[];
}

export type DefaultPermissions = Config['defaultPermissions'];

/**
 * The enabled permissions of a user, given to the user or to one of the user's groups. `user` is an alias of
 * users_user.
 */
const granted = (user: string) => `
  select p.id, p.object_types, p.actions, p.constraints
  from users_objectpermission p
  where p.enabled and (p.id = any(${user}.object_permissions)
    or p.id in (select unnest(g.object_permissions) from users_group g where g.id = any(${user}.groups)))`;

/** A digest of all of them, as an expression; together with the defaults it makes the version. */
export const grantsDigest = (user: string): string =>
  `(select md5(coalesce(string_agg(concat_ws(E'\\x1f', id, object_types, actions, constraints), E'\\x1e' order by id), '')) from (${granted(user)}) granted)`;

/**
 * The version of a set of permissions: a number derived from its content, so that nobody has to count changes. 48 bits,
 * as JSON carries them exactly.
 */
export const permissionsVersion = (digest: string, defaults: DefaultPermissions): number =>
  createHash('sha256').update(digest).update(JSON.stringify(defaults)).digest().readUIntBE(0, 6);

const select = {
  name: 'auth-permissions',
  text: `select u.id, u.username, u.is_superuser, u.is_active, ${grantsDigest('u')} as digest,
    (select coalesce(json_agg(json_build_object('objectTypes', object_types, 'actions', actions, 'constraints', constraints) order by id), '[]') from (${granted('u')}) granted) as granted
  from users_user u where u.id = any($1::bigint[])`,
};

/** A user, with everything that the user may do. */
export interface Rights extends PermissionSet {
  id: number;
  username: string;
  superuser: boolean;
  active: boolean;
}

type Row = {
  id: string;
  username: string;
  is_superuser: boolean;
  is_active: boolean;
  digest: string;
  granted: { objectTypes: string[]; actions: string[]; constraints: Json }[];
};

/** Everything that a user may do, defaults included; empty for a user who does not exist or is not active. */
export async function permissionsOf(
  db: Executor,
  userId: number,
  defaults: DefaultPermissions,
): Promise<PermissionSet> {
  const [found] = await rightsOf(db, [userId], defaults);
  return { version: found?.version ?? 0, permissions: found?.permissions ?? [] };
}

/** The same of several users, by one statement; those who are not there are left out. */
export async function rightsOf(
  db: Executor,
  userIds: readonly number[],
  defaults: DefaultPermissions,
): Promise<Rights[]> {
  const { rows } = await db.query<Row>({ ...select, values: [userIds] });
  return rows.map((row) => ({
    id: Number(row.id),
    username: row.username,
    superuser: row.is_active && row.is_superuser,
    active: row.is_active,
    version: permissionsVersion(row.digest, defaults),
    permissions: row.is_active
      ? [...byDefault(defaults), ...row.granted.map((one) => ({ ...one, constraints: alternatives(one.constraints) }))]
      : [],
  }));
}

/** `users.view_token` is the action `view` on `users.token`. */
export function byDefault(defaults: DefaultPermissions): Permission[] {
  return Object.entries(defaults).map(([name, constraints]) => {
    const [, app, action, model] = /^([^.]+)\.([^_]+)_(.+)$/.exec(name) ?? [];
    return {
      objectTypes: [`${app}.${model}`],
      actions: [String(action)],
      constraints: alternatives(constraints as Json),
    };
  });
}

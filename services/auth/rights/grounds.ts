import type { Json } from '@cadastre/model';
import type { Executor } from '@cadastre/service/executor';
import { alternatives } from '../models/rights/rights.ts';
import { byDefault, type DefaultPermissions } from './permissions.ts';
import type { Account, Ground } from './explained.ts';

/** The user who is asked about. */
export interface Asked extends Account {
  id: number;
  username: string;
}

/** The user with an id or a name; undefined where there is none. */
export async function accountOf(
  db: Executor,
  { id = null, username = null }: { id?: number | null; username?: string | null },
): Promise<Asked | undefined> {
  const { rows } = await db.query<{ id: string; username: string; is_active: boolean; is_superuser: boolean }>({
    name: 'auth-asked-about',
    text: 'select id, username, is_active, is_superuser from users_user where id = $1 or username = $2',
    values: [id, username],
  });
  const [row] = rows;
  return row && { id: Number(row.id), username: row.username, active: row.is_active, superuser: row.is_superuser };
}

const GRANTED = {
  name: 'auth-grounds',
  text: `select p.id, p.name, p.enabled, p.constraints, p.id = any(u.object_permissions) as own, array(
      select g.name from users_group g where g.id = any(u.groups) and p.id = any(g.object_permissions) order by g.name) as groups
    from users_user u join users_objectpermission p on $2 = any(p.object_types) and $3 = any(p.actions)
      and (p.id = any(u.object_permissions) or exists (select from users_group g where g.id = any(u.groups) and p.id = any(g.object_permissions)))
    where u.id = $1 order by p.id`,
};

interface Row {
  id: string;
  name: string;
  enabled: boolean;
  constraints: Json;
  own: boolean;
  groups: string[];
}

/** What is asked: may a user do this with objects of a type? */
export interface Question {
  userId: number;
  action: string;
  type: string;
}

/** The settings that permit everybody something. */
export interface Everybodys {
  defaults: DefaultPermissions;
  /** Types that everybody may view. */
  exempt: readonly string[];
}

/** All grounds for the user to do it, including disabled ones. */
export async function groundsFor(
  db: Executor,
  { userId, action, type }: Question,
  { defaults, exempt }: Everybodys,
): Promise<Ground[]> {
  const { rows } = await db.query<Row>({ ...GRANTED, values: [userId, type, action] });
  const everybodys = { id: null, enabled: true, given: { user: false, groups: [] } };
  return [
    ...(action === 'view' && exempt.includes(type)
      ? [{ ...everybodys, by: 'exempt' as const, name: 'EXEMPT_VIEW_PERMISSIONS', constraints: null }]
      : []),
    ...byDefault(defaults)
      .filter(({ objectTypes, actions }) => objectTypes.includes(type) && actions.includes(action))
      .map(({ constraints }) => ({ ...everybodys, by: 'default' as const, name: 'DEFAULT_PERMISSIONS', constraints })),
    ...rows.map(
      ({ id, name, enabled, constraints, own, groups }): Ground => ({
        by: 'permission',
        id: Number(id),
        name,
        enabled,
        given: { user: own, groups },
        constraints: alternatives(constraints),
      }),
    ),
  ];
}

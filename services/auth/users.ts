import type { Executor } from '@cadastre/service/executor';
import { verifyPassword } from './password.ts';
import { type DefaultPermissions, grantsDigest, permissionsVersion } from './permissions.ts';

/** A user as the log-in finds one. */
export interface Account { id: number; username: string; firstName: string; lastName: string; superuser: boolean; permissionsVersion: number }

type Row = { id: string; username: string; password: string; first_name: string; last_name: string; is_superuser: boolean; is_active: boolean; digest: string };

const select = {
  name: 'auth-account',
  text: `select u.id, u.username, u.password, u.first_name, u.last_name, u.is_superuser, u.is_active, ${grantsDigest('u')} as digest from users_user u where u.username = $1`,
};

/** The active user with this name and password, or null; both take the same time. */
export async function authenticate(db: Executor, username: string, password: string, defaults: DefaultPermissions): Promise<Account | null> {
  const { rows: [row] } = username.includes('\0') ? { rows: [] } : await db.query<Row>({ ...select, values: [username] });
  const right = await verifyPassword(row?.password ?? null, password);
  if (!row || !right || !row.is_active) return null;
  return {
    id: Number(row.id), username: row.username, firstName: row.first_name, lastName: row.last_name, superuser: row.is_superuser,
    permissionsVersion: permissionsVersion(row.digest, defaults),
  };
}

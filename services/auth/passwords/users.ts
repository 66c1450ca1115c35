import { createHash } from 'node:crypto';
import type { Executor } from '@cadastre/service/executor';
import { type Cost, hashPassword, isOutdated, verifyPassword } from './password.ts';
import { type DefaultPermissions, grantsDigest, permissionsVersion } from '../rights/permissions.ts';

/** A user as the login reads it. */
export interface Account {
  id: number;
  username: string;
  firstName: string;
  lastName: string;
  superuser: boolean;
  permissionsVersion: number;
  stamp: string;
  /** Whether a second factor is required besides the password. */
  factors: boolean;
}

export type AccountRow = {
  id: string;
  username: string;
  password: string;
  first_name: string;
  last_name: string;
  is_superuser: boolean;
  is_active: boolean;
  /** The stamp of the previous hash, if the present one is of the same password at another cost. */
  password_stamp: string | null;
  digest: string;
  factors: boolean;
};

/** What is read of a user, who is `u`. */
export const columns = `u.id, u.username, u.password, u.first_name, u.last_name, u.is_superuser, u.is_active, ${grantsDigest('u')} as digest, exists (select from user_factor f where f.user_id = u.id) as factors,
  (select k.stamp from password_stamp k where k.user_id = u.id and k.hash = encode(sha256(convert_to(u.password, 'UTF8')), 'base64')) as password_stamp`;
const byName = { name: 'auth-account', text: `select ${columns} from users_user u where u.username = $1` };

/** The number of the user of this name, active or not. */
export async function userNamed(db: Executor, username: string): Promise<number | null> {
  if (username.includes('\0')) return null;
  const {
    rows: [row],
  } = await db.query<{ id: string }>({
    name: 'auth-user-named',
    text: 'select id from users_user where username = $1',
    values: [username],
  });
  return row ? Number(row.id) : null;
}

/** The active user with this name and password, or null; both take the same time. */
export async function authenticate(
  db: Executor,
  username: string,
  password: string,
  defaults: DefaultPermissions,
  cost?: Cost,
): Promise<Account | null> {
  const {
    rows: [row],
  } = username.includes('\0') ? { rows: [] } : await db.query<AccountRow>({ ...byName, values: [username] });
  const right = await verifyPassword(row?.password ?? null, password, cost);
  if (!row || !right || !row.is_active) return null;
  return accountOf(isOutdated(row.password, cost) ? await rehashed(db, row, password, cost) : row, defaults);
}

const byId = {
  name: 'auth-account-by-id',
  text: `select ${columns} from users_user u where u.id = $1 and u.is_active`,
};
/** The active user of a number. */
export async function accountById(db: Executor, id: number, defaults: DefaultPermissions): Promise<Account | null> {
  const { rows } = await db.query<AccountRow>({ ...byId, values: [id] });
  return rows[0] ? accountOf(rows[0], defaults) : null;
}

const passwordHere = {
  name: 'auth-has-password',
  // People do not distinguish names by case, so another spelling by case means the same account.
  text: "select 1 from users_user where lower(username) = lower($1) and password <> '' and password not like '!%' limit 1",
};

/** Whether there is an account of that name with a password of its own here, active or not. */
export async function hasPassword(db: Executor, username: string): Promise<boolean> {
  if (username.includes('\0')) return false;
  return (await db.query({ ...passwordHere, values: [username] })).rows.length > 0;
}

// The stamp is stored with the hash that it belongs to: after a change of the password it no longer applies.
const replace = {
  name: 'auth-rehashed',
  text: `with changed as (update users_user set password = $2 where id = $1 and password = $3 returning id)
    insert into password_stamp (user_id, hash, stamp) select id, encode(sha256(convert_to($2, 'UTF8')), 'base64'), $4 from changed
    on conflict (user_id) do update set hash = excluded.hash, stamp = excluded.stamp`,
};

/**
 * Replaces a hash of another cost, which is only possible while the password is known, at a login. The password stays
 * the same, so earlier sessions go on.
 */
async function rehashed(db: Executor, row: AccountRow, password: string, cost?: Cost): Promise<AccountRow> {
  const fresh = await hashPassword(password, cost);
  const password_stamp = stampOf(row);
  const { rowCount } = await db.query({ ...replace, values: [row.id, fresh, row.password, password_stamp] });
  return rowCount ? { ...row, password: fresh, password_stamp } : row;
}

// A digest of the stored hash, which is salted: it changes with each new password, which cannot be derived from it.
const stampOf = ({ password, password_stamp: kept }: Pick<AccountRow, 'password' | 'password_stamp'>): string =>
  kept ?? createHash('sha256').update(password).digest('base64url');

/** The parts of a row that the rest of the service uses. */
export const accountOf = (row: AccountRow, defaults: DefaultPermissions): Account => ({
  id: Number(row.id),
  username: row.username,
  firstName: row.first_name,
  lastName: row.last_name,
  superuser: row.is_superuser,
  permissionsVersion: permissionsVersion(row.digest, defaults),
  factors: row.factors,
  stamp: stampOf(row),
});

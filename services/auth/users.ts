import { createHash } from 'node:crypto';
import type { Executor } from '@cadastre/service/executor';
import { hashPassword, isOutdated, verifyPassword } from './password.ts';
import { type DefaultPermissions, grantsDigest, permissionsVersion } from './permissions.ts';

/** A user as the log-in finds one. */
export interface Account {
  id: number;
  username: string;
  firstName: string;
  lastName: string;
  superuser: boolean;
  permissionsVersion: number;
  stamp: string;
}

type Row = {
  id: string;
  username: string;
  password: string;
  first_name: string;
  last_name: string;
  is_superuser: boolean;
  is_active: boolean;
  digest: string;
};

const columns = `u.id, u.username, u.password, u.first_name, u.last_name, u.is_superuser, u.is_active, ${grantsDigest('u')} as digest`;
const byName = { name: 'auth-account', text: `select ${columns} from users_user u where u.username = $1` };
const bySession = {
  name: 'auth-session',
  text: `select ${columns} from users_user u where u.id = $1 and u.is_active and not exists (select from ended_session e where e.id = $2)`,
};

/** The active user with this name and password, or null; both take the same time. */
export async function authenticate(
  db: Executor,
  username: string,
  password: string,
  defaults: DefaultPermissions,
): Promise<Account | null> {
  const {
    rows: [row],
  } = username.includes('\0') ? { rows: [] } : await db.query<Row>({ ...byName, values: [username] });
  const right = await verifyPassword(row?.password ?? null, password);
  if (!row || !right || !row.is_active) return null;
  return accountOf(isOutdated(row.password) ? await rehashed(db, row, password) : row, defaults);
}

/**
 * The password is known at this moment alone, so this is when a hash of another cost is replaced. Sessions that began
 * with that end.
 */
async function rehashed(db: Executor, row: Row, password: string): Promise<Row> {
  const fresh = await hashPassword(password);
  const { rowCount } = await db.query({
    text: 'update users_user set password = $2 where id = $1 and password = $3',
    values: [row.id, fresh, row.password],
  });
  return rowCount ? { ...row, password: fresh } : row;
}

/** The active user of a session that was not ended and began with the password that the user still has, or null. */
export async function inSession(
  db: Executor,
  session: { id: string; userId: number; stamp: string },
  defaults: DefaultPermissions,
): Promise<Account | null> {
  const {
    rows: [row],
  } = await db.query<Row>({ ...bySession, values: [session.userId, session.id] });
  const account = row ? accountOf(row, defaults) : null;
  return account?.stamp === session.stamp ? account : null;
}

/** Ends a session for good; what has ended by itself meanwhile is forgotten. */
export async function endSession(db: Executor, id: string, until: string): Promise<void> {
  await db.query({
    text: 'with forgotten as (delete from ended_session where until < now()) insert into ended_session (id, until) values ($1, $2) on conflict do nothing',
    values: [id, until],
  });
}

const accountOf = (row: Row, defaults: DefaultPermissions): Account => ({
  id: Number(row.id),
  username: row.username,
  firstName: row.first_name,
  lastName: row.last_name,
  superuser: row.is_superuser,
  permissionsVersion: permissionsVersion(row.digest, defaults),
  // Of the stored hash, which is salted: it changes with each new password, and nobody can work back from it.
  stamp: createHash('sha256').update(row.password).digest('base64url'),
});

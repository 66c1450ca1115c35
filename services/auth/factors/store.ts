import type { Executor } from '@cadastre/service/executor';
import type { Passkey } from './passkeys.ts';
import { digestOf, newCodes } from './recovery.ts';

export type FactorKind = 'totp' | 'passkey' | 'recovery';

/** A factor as its user sees it. */
export interface Factor {
  id: number;
  kind: 'totp' | 'passkey';
  name: string;
  /** These are in ISO 8601. */
  created: string;
  lastUsed: string | null;
}

const iso = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** The factors of a user, the oldest first. */
export async function factorsOf(db: Executor, userId: number): Promise<Factor[]> {
  const { rows } = await db.query<{
    id: string;
    kind: Factor['kind'];
    name: string;
    created: string;
    used: string | null;
  }>({
    name: 'auth-factors',
    text: `select id, kind, name, ${iso('created')} as created, ${iso('last_used')} as used from user_factor where user_id = $1 order by id`,
    values: [userId],
  });
  return rows.map(({ id, kind, name, created, used }) => ({ id: Number(id), kind, name, created, lastUsed: used }));
}

/** How many recovery codes there are, and how many of them work still. */
export async function codesOf(db: Executor, userId: number): Promise<{ left: number; of: number }> {
  const {
    rows: [row],
  } = await db.query<{ left: string; of: string }>({
    name: 'auth-recovery-codes',
    text: `select count(*) filter (where used is null) as left, count(*) as of from recovery_code where user_id = $1`,
    values: [userId],
  });
  return { left: Number(row!.left), of: Number(row!.of) };
}

/** The kinds of proofs that a user can give; none without factors. */
export async function kindsOf(db: Executor, userId: number): Promise<FactorKind[]> {
  const kinds = [...new Set((await factorsOf(db, userId)).map(({ kind }) => kind))];
  if (!kinds.length) return [];
  return (await codesOf(db, userId)).left ? [...kinds, 'recovery'] : kinds;
}

/** The sealed secrets of a user's apps. */
export async function secretsOf(db: Executor, userId: number): Promise<{ id: number; secret: string }[]> {
  const { rows } = await db.query<{ id: string; secret: string }>({
    name: 'auth-totp-secrets',
    text: `select id, secret from user_factor where user_id = $1 and kind = 'totp' order by id`,
    values: [userId],
  });
  return rows.map(({ id, secret }) => ({ id: Number(id), secret }));
}

/**
 * Whether this step is later than the last one used. It is recorded, so codes of it and of earlier steps no longer
 * count.
 */
export async function useStep(db: Executor, id: number, step: number): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'auth-use-totp-step',
    text: 'update user_factor set last_step = $2, last_used = now() where id = $1 and (last_step is null or last_step < $2)',
    values: [id, step],
  });
  return rowCount === 1;
}

/** Whether a recovery code was still unused; it is used up now. */
export async function useCode(db: Executor, userId: number, code: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'auth-use-recovery-code',
    text: 'update recovery_code set used = now() where user_id = $1 and digest = $2 and used is null',
    values: [userId, digestOf(userId, code)],
  });
  return rowCount === 1;
}

/** Replaces a user's recovery codes and returns the new ones, which are shown only once. */
export async function replaceCodes(db: Executor, userId: number): Promise<string[]> {
  const codes = newCodes();
  await db.query({
    text: 'delete from recovery_code where user_id = $1',
    values: [userId],
  });
  await db.query({
    text: 'insert into recovery_code (user_id, digest) select $1, unnest($2::text[])',
    values: [userId, codes.map((code) => digestOf(userId, code))],
  });
  return codes;
}

interface PasskeyRow {
  id: string;
  user_id: string;
  credential: string;
  public_key: string;
  sign_count: string;
  transports: string[];
  rp_id: string;
}

/** A passkey with whose it is. */
export interface Kept extends Passkey {
  id: number;
  userId: number;
}

// Converted in SQL, as a pool may be configured to parse bytes and lists in another way.
const PASSKEY = `id, user_id, credential, encode(public_key, 'base64') as public_key, sign_count, to_json(transports)::text as transports, rp_id`;
const kept = (row: PasskeyRow & { transports: unknown }): Kept => ({
  id: Number(row.id),
  userId: Number(row.user_id),
  credential: row.credential,
  publicKey: new Uint8Array(Buffer.from(row.public_key, 'base64')),
  count: Number(row.sign_count),
  transports: JSON.parse(String(row.transports)) as string[],
  rpId: row.rp_id,
});

export async function passkeysOf(db: Executor, userId: number): Promise<Kept[]> {
  const { rows } = await db.query<PasskeyRow>({
    name: 'auth-passkeys',
    text: `select ${PASSKEY} from user_factor where user_id = $1 and kind = 'passkey' order by id`,
    values: [userId],
  });
  return rows.map(kept);
}

/** The passkey that a browser has answered with; null for one that is not known. */
export async function passkeyOf(db: Executor, credential: string): Promise<Kept | null> {
  if (credential.includes('\0')) return null;
  const { rows } = await db.query<PasskeyRow>({
    name: 'auth-passkey',
    text: `select ${PASSKEY} from user_factor where kind = 'passkey' and credential = $1`,
    values: [credential],
  });
  return rows[0] ? kept(rows[0]) : null;
}

/**
 * Records a use of a passkey, unless its counter is not higher than the stored one: the same count twice is the sign of
 * a copied passkey. Passkeys that do not count always show 0.
 */
export async function usePasskey(db: Executor, id: number, count: number): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'auth-use-passkey',
    text: `update user_factor set sign_count = $2, last_used = now() where id = $1 and (sign_count < $2 or (sign_count = 0 and $2 = 0))`,
    values: [id, count],
  });
  return rowCount === 1;
}

/** Whether a value that can be used once is used for the first time. It is stored for as long as it could be used. */
export async function useOnce(db: Executor, key: string, seconds: number): Promise<boolean> {
  await db.query({ name: 'auth-old-challenges', text: 'delete from used_challenge where until < now()', values: [] });
  const { rowCount } = await db.query({
    name: 'auth-use-challenge',
    text: 'insert into used_challenge (key, until) values ($1, now() + make_interval(secs => $2)) on conflict do nothing',
    values: [key, seconds],
  });
  return rowCount === 1;
}

/** Removes a factor, and with the last one the recovery codes. Returns what it was. */
export async function removeFactor(db: Executor, userId: number, id: number): Promise<Factor['kind'] | undefined> {
  const { rows } = await db.query<{ kind: Factor['kind'] }>({
    text: 'delete from user_factor where user_id = $1 and id = $2 returning kind',
    values: [userId, id],
  });
  await db.query({
    text: 'delete from recovery_code where user_id = $1 and not exists (select from user_factor where user_id = $1)',
    values: [userId],
  });
  return rows[0]?.kind;
}

/** Removes all factors and recovery codes of a user. Returns how many factors there were. */
export async function removeAll(db: Executor, userId: number): Promise<number> {
  await db.query({ text: 'delete from factor_enrolment where user_id = $1', values: [userId] });
  await db.query({ text: 'delete from recovery_code where user_id = $1', values: [userId] });
  const { rowCount } = await db.query({ text: 'delete from user_factor where user_id = $1', values: [userId] });
  return rowCount ?? 0;
}

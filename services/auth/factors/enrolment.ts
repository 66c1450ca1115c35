import { createHash, randomBytes } from 'node:crypto';
import type { Executor } from '@cadastre/service/executor';
import type { Passkey } from './passkeys.ts';

/** A factor that is being enrolled: it counts once its user has proved that it works. */
export interface Enrolment {
  kind: 'totp' | 'passkey';
  name: string;
  /** Of an app, sealed; of a passkey, the challenge that it has to sign. */
  secret: string;
}

/** The session in which the enrolment was begun; it can be completed in no other. */
export interface InSession {
  userId: number;
  session: number;
}

const digest = (key: string): string => createHash('sha256').update(key).digest('base64url');

/** Begins an enrolment and replaces unfinished ones of the user. Returns the key by which it is found. */
export async function begin(
  db: Executor,
  { userId, session }: InSession,
  { kind, name, secret }: Enrolment,
  seconds: number,
): Promise<string> {
  const key = randomBytes(18).toString('base64url');
  await db.query({
    text: 'delete from factor_enrolment where user_id = $1 or until < now()',
    values: [userId],
  });
  await db.query({
    text: `insert into factor_enrolment (key, user_id, session, kind, name, secret, until)
      values ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7))`,
    values: [digest(key), userId, session, kind, name, secret, seconds],
  });
  return key;
}

/**
 * The enrolment begun in this session, unless it has expired. It is not deleted, so that a mistyped code can be
 * corrected.
 */
export async function begun(db: Executor, { userId, session }: InSession, key: string): Promise<Enrolment | null> {
  const { rows } = await db.query<Enrolment>({
    text: 'select kind, name, secret from factor_enrolment where key = $1 and user_id = $2 and session = $3 and until > now()',
    values: [digest(key), userId, session],
  });
  return rows[0] ?? null;
}

/** Ends an enrolment. Returns whether it still existed: only one of two concurrent calls succeeds. */
export async function end(db: Executor, key: string): Promise<boolean> {
  const { rowCount } = await db.query({
    text: 'delete from factor_enrolment where key = $1',
    values: [digest(key)],
  });
  return rowCount === 1;
}

/** What is stored of a new factor besides its name. */
export type Content = { kind: 'totp'; secret: string; step: number } | { kind: 'passkey'; passkey: Passkey };

/** Keeps a new factor. Returns its number; null when there is one with the same passkey. */
export async function keep(db: Executor, userId: number, name: string, content: Content): Promise<number | null> {
  const { secret = null, step = null } = content.kind === 'totp' ? content : {};
  const { credential, publicKey, count, transports, rpId }: Partial<Passkey> =
    content.kind === 'passkey' ? content.passkey : {};
  const { rows } = await db.query<{ id: string }>({
    text: `insert into user_factor (user_id, kind, name, secret, last_step, credential, public_key, sign_count, transports, rp_id)
      values ($1, $2, $3, $4, $5, $6, decode($7, 'base64'), $8, $9, $10) on conflict (credential) do nothing returning id`,
    values: [
      userId,
      content.kind,
      name,
      secret,
      step,
      credential ?? null,
      publicKey ? Buffer.from(publicKey).toString('base64') : null,
      count ?? null,
      transports ?? null,
      rpId ?? null,
    ],
  });
  return rows[0] ? Number(rows[0].id) : null;
}

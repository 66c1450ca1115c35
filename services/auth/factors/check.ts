import { createHash } from 'node:crypto';
import type { Seal } from '@cadastre/model';
import type { Executor } from '@cadastre/service/executor';
import { SealError } from '@cadastre/service/seal';
import {
  blocked,
  type Counters,
  type Failures,
  failed,
  key,
  type LoginLimits,
  reserve,
  succeeded,
} from '../passwords/attempts.ts';
import type { SecurityRecord } from '../security/record.ts';
import { credentialIn, proved } from './passkeys.ts';
import { type FactorKind, passkeyOf, secretsOf, useCode, useOnce, usePasskey, useStep } from './store.ts';
import { codeIn, stepOf } from './totp.ts';

/** What counts as a second factor, and how often it may be wrong. */
export interface FactorLimits {
  totpWindow: number;
  /** For one user, from all addresses together. */
  factorAttempts: number;
  factorPauseSeconds: number;
}

export interface FactorOptions {
  db: Executor;
  limits: FactorLimits & LoginLimits;
  /** Called with what failed. */
  security: Pick<SecurityRecord, 'note'>;
  /** Opens the secrets of apps; without it, no code is right. */
  seal: Seal | undefined;
}

/** What somebody gives as proof. */
export interface Proof {
  kind: FactorKind;
  /** A code; of a passkey, what the browser has answered. */
  text: string;
  /** Of a passkey: what it had to sign, and the address at which it did. */
  challenge?: string;
  base?: string;
}

/** Whose it is to be, and from where it comes. */
export interface Whose {
  userId: number;
  username: string;
  address: string;
}

export interface FactorOutcome {
  ok: boolean;
  /** Seconds until it may be tried again, 0 unless too many attempts have failed. */
  wait: number;
  failures: Failures | null;
}

/** The context that a secret is encrypted for, so that it cannot be copied to another user. */
export const placeOf = (userId: number): string => `user_factor.secret ${userId}`;

/** Longer than any challenge counts. */
const CHALLENGE_SECONDS = 604_800;

/**
 * The limit holds for all addresses together, as the attacker here knows the password; other users are not affected.
 */
const countersFor = ({ userId, address }: Whose, limits: FactorLimits): Counters => {
  const own = key('factor', String(userId));
  const { factorAttempts: most, factorPauseSeconds: seconds } = limits;
  return { of: [{ key: own, most, seconds, known: null }], name: own, address, origin: own };
};

/** A code is one of an app, or else a recovery code. */
export const kindOfCode = (text: string): FactorKind => (codeIn(text) === undefined ? 'recovery' : 'totp');

/**
 * Whether a proof is one of the user's second factors. A right one can be used once; each attempt is counted before it
 * is checked, as at the login, and the user is notified of wrong ones.
 * @param tells whether the user is told of earlier failures by this call
 */
export async function checkFactor(
  whose: Whose,
  proof: Proof,
  options: FactorOptions,
  tells = false,
): Promise<FactorOutcome> {
  const { db, limits, security } = options;
  const counters = countersFor(whose, limits);
  const refused = (wait: number): FactorOutcome => {
    const user = { id: whose.userId, name: whose.username };
    const detail = wait ? { detail: 'Too many attempts have failed.' } : {};
    security.note({ kind: 'second_factor', ok: false, user, address: whose.address, method: proof.kind, ...detail });
    return { ok: false, wait, failures: null };
  };
  const before = await blocked(db, counters);
  if (before > 0) return refused(before);
  const reserved = await reserve(db, counters);
  if (!('taken' in reserved)) return refused(reserved.wait);
  if (!(await isRight(whose.userId, proof, options))) {
    await failed(db, counters, whose.username, limits);
    return refused(0);
  }
  const told = tells ? whose.userId : null;
  const failures = await succeeded(db, counters, reserved.taken, told, { ...limits, loginKnownDays: 0 });
  return { ok: true, wait: 0, failures };
}

function isRight(userId: number, proof: Proof, options: FactorOptions): Promise<boolean> {
  switch (proof.kind) {
    case 'totp':
      return isCode(userId, proof.text, options);
    case 'recovery':
      return useCode(options.db, userId, proof.text);
    default:
      return provedBy(proof, options, userId).then((found) => found !== null);
  }
}

/** The decrypted secret; undefined if none of FACTOR_KEYS opens it. */
function opened(seal: Seal, secret: string, userId: number): string | undefined {
  try {
    return seal.open(secret, placeOf(userId));
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}

async function isCode(userId: number, text: string, { db, limits, seal }: FactorOptions): Promise<boolean> {
  const code = codeIn(text);
  if (code === undefined || !seal) return false;
  for (const { id, secret } of await secretsOf(db, userId)) {
    const open = opened(seal, secret, userId);
    const step = open === undefined ? null : await stepOf(open, code, limits.totpWindow);
    if (step !== null && (await useStep(db, id, step))) return true;
  }
  return false;
}

/**
 * The user whose passkey has signed this challenge, which can be used once; null if there is none. If no user is given,
 * the passkey determines the user, and must have verified the user itself (by a PIN or a biometric).
 */
export async function provedBy(
  { text, challenge = '', base = '' }: Pick<Proof, 'text' | 'challenge' | 'base'>,
  { db }: Pick<FactorOptions, 'db'>,
  userId?: number,
): Promise<number | null> {
  const credential = credentialIn(text);
  const passkey = credential === undefined ? null : await passkeyOf(db, credential);
  if (!passkey || !challenge || (userId !== undefined && passkey.userId !== userId)) return null;
  const count = await proved(text, passkey, { challenge, base, verifiesUser: userId === undefined });
  if (count === null) return null;
  const once = createHash('sha256').update(challenge).digest('base64url');
  if (!(await useOnce(db, once, CHALLENGE_SECONDS))) return null;
  return (await usePasskey(db, passkey.id, count)) ? passkey.userId : null;
}

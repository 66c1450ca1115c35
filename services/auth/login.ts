import type { Executor } from '@cadastre/service/executor';
import { blocked, countersOf, type Failures, failed, type LoginLimits, reserve, succeeded } from './attempts.ts';
import type { DefaultPermissions } from './permissions.ts';
import { Busy, type Places } from './places.ts';
import type { SecurityRecord } from './security/record.ts';
import { type Account, authenticate, userNamed } from './users.ts';

export interface LoginRequest {
  username: string;
  password: string;
  address: string;
}

export interface LoginOptions {
  db: Executor;
  limits: LoginLimits;
  defaults: DefaultPermissions;
  /** Where passwords are hashed. */
  hashing: Places;
  /** Hears of what failed. */
  security: Pick<SecurityRecord, 'note'>;
  /**
   * Whether somebody is to be told what had failed before, which is told once; without this, it is, but to nobody who
   * has yet to prove a second factor.
   */
  tells?: boolean;
  /** Whether everybody may come in by a password; else superusers alone may, and nobody else learns what theirs is worth. */
  everybody?: boolean;
}

/**
 * `wait`: seconds until it may be tried again, 0 unless too many attempts have failed; `busy`: too many log in at
 * present. The password counts for nothing then.
 */
export interface LoginOutcome {
  account: Account | null;
  wait: number;
  busy: boolean;
  failures: Failures | null;
}

const refused = { account: null, wait: 0, busy: false, failures: null };

/** How long whoever finds all places taken is told to wait. */
export const BUSY_SECONDS = 2;

/**
 * The one way in with a password. What fails is counted in the database, so that the limits hold for all processes
 * together. An attempt is counted before its password is looked at, and no longer when that was right: so nobody learns
 * from a refusal what the password would have been worth, and guesses made at once are worth no more than guesses made
 * one after the other. It is counted when it is its turn, so those that wait do not count: many who log in rightly at
 * the same time do not refuse each other.
 */
export async function logIn(
  { username, password, address }: LoginRequest,
  { db, limits, defaults, hashing, security, tells = true, everybody = true }: LoginOptions,
): Promise<LoginOutcome> {
  const counters = countersOf({ username, address }, limits);
  const paused = async (wait: number): Promise<LoginOutcome> => {
    const id = await userNamed(db, username);
    const user = { id, name: id === null ? '' : username };
    security.note({ kind: 'login_paused', ok: false, user, address, method: 'password' });
    return { ...refused, wait };
  };
  const before = await blocked(db, counters);
  if (before > 0) return await paused(before);
  try {
    return await hashing.use(`address ${counters.address}`, async () => {
      const reserved = await reserve(db, counters);
      if (!('taken' in reserved)) return await paused(reserved.wait);
      const account = await authenticate(db, username, password, defaults);
      if (account && (everybody || account.superuser))
        return {
          ...refused,
          account,
          failures: await succeeded(
            db,
            counters,
            reserved.taken,
            tells && !account.factors ? account.id : null,
            limits,
          ),
        };
      const id = await failed(db, counters, username, limits);
      const user = { id, name: id === null ? '' : username };
      security.note({ kind: 'login', ok: false, user, address, method: 'password' });
      return refused;
    });
  } catch (error) {
    if (error instanceof Busy) return { ...refused, busy: true };
    throw error;
  }
}

import { availableParallelism } from 'node:os';
import type { Config } from '@cadastre/service/config';
import argon2 from 'argon2';
import { verifyDjangoPassword } from './djangoPassword.ts';
import { type HashingLimiter, hashingLimiter } from './hashingLimiter.ts';

/**
 * Threads of Node for slow work, unless the environment says otherwise. DNS lookups run on them as well, so not all of
 * them may hash.
 */
const threads = (): number => Number(process.env['UV_THREADPOOL_SIZE']) || 4;

/**
 * How many passwords are hashed at the same time: the setting, or by default as many as leave half of the processor
 * free.
 */
const atOnce = (asked: number): number =>
  Math.max(1, Math.min(asked || Math.floor(availableParallelism() / 2), threads() - 1));

/** Memory for concurrent hashing, in MB, on a machine with as many processors as can be used. */
export const hashingMb = (config: Pick<Config, 'passwordConcurrency' | 'passwordArgon2MemoryKb'>): number =>
  Math.ceil((Math.min(config.passwordConcurrency || Infinity, threads() - 1) * config.passwordArgon2MemoryKb) / 1024);

/** The cost of a hash: memory in KB, passes over it, and threads. */
export interface Cost {
  memoryCost: number;
  timeCost: number;
  parallelism: number;
}

export const costOf = ({
  passwordArgon2MemoryKb: memoryCost,
  passwordArgon2Passes: timeCost,
  passwordArgon2Lanes: parallelism,
}: Pick<Config, 'passwordArgon2MemoryKb' | 'passwordArgon2Passes' | 'passwordArgon2Lanes'>): Cost => ({
  memoryCost,
  timeCost,
  parallelism,
});

/** What the settings say unless they are set. */
const USUAL: Cost = { memoryCost: 65_536, timeCost: 3, parallelism: 1 };

/** How a password is stored: argon2id with a salt of its own. */
export const hashPassword = (password: string, cost: Cost = USUAL): Promise<string> =>
  argon2.hash(password, { type: argon2.argon2id, ...cost });

/** Whether a hash is another than a new one would be: of another kind, or made at another cost. */
export const isOutdated = (stored: string, cost: Cost = USUAL): boolean =>
  !stored.startsWith('$argon2id$') || argon2.needsRehash(stored, cost);

const isOwn = (stored: string): boolean => stored.startsWith('$argon2');

const nobodies = new Map<string, Promise<string>>();

/** A hash that costs as much as others, and that no password fits. */
function nobody(cost: Cost): Promise<string> {
  const key = Object.values(cost).join();
  const made = nobodies.get(key) ?? hashPassword('nobody', cost);
  nobodies.set(key, made);
  return made;
}

/**
 * Whether a password matches a hash. Null stands for a user who does not exist: it takes as long as a wrong password,
 * so that timing does not reveal who has an account. A stored value that is not a hash never matches. Hashes made by
 * Django, of users who came from a NetBox, are accepted and replaced at the first login.
 */
export async function verifyPassword(stored: string | null, password: string, cost: Cost = USUAL): Promise<boolean> {
  const elsewhere = stored === null ? undefined : verifyDjangoPassword(stored, password);
  if (elsewhere) return elsewhere;
  const known = stored !== null && isOwn(stored);
  const fits = await argon2.verify(known ? stored : await nobody(cost), password).catch(() => false);
  return known && fits;
}

/** The queue for hashing passwords, and the cost of a hash there. */
export interface Hashing extends HashingLimiter {
  cost: Cost;
}

/** Where all passwords of a process are hashed and checked. */
export const hashingPlaces = (
  config: Pick<Config, 'passwordConcurrency' | 'passwordQueue' | 'passwordQueuePerClient' | 'passwordWaitMs'> &
    Parameters<typeof costOf>[0],
): Hashing => ({
  ...hashingLimiter({
    atOnce: atOnce(config.passwordConcurrency),
    waiting: config.passwordQueue,
    waitingEach: config.passwordQueuePerClient,
    waitMs: config.passwordWaitMs,
  }),
  cost: costOf(config),
});

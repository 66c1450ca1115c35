import { availableParallelism } from 'node:os';
import type { Config } from '@cadastre/service/config';
import argon2 from 'argon2';
import { verifyDjangoPassword } from './djangoPassword.ts';
import { type Places, places } from './places.ts';

/**
 * Threads that Node does slow things on, unless the environment says otherwise. Names are looked up on them, too, so
 * not all of them hash.
 */
const threads = (): number => Number(process.env['UV_THREADPOOL_SIZE']) || 4;

/**
 * How many passwords are hashed at the same time: as many as the setting says, else so many that half of the processor
 * is left.
 */
const atOnce = (asked: number): number =>
  Math.max(1, Math.min(asked || Math.floor(availableParallelism() / 2), threads() - 1));

/** Where all passwords of a process are hashed and checked. */
export const hashingPlaces = ({
  passwordConcurrency,
  passwordQueue: waiting,
  passwordQueuePerClient: waitingEach,
  passwordWaitMs: waitMs,
}: Pick<Config, 'passwordConcurrency' | 'passwordQueue' | 'passwordQueuePerClient' | 'passwordWaitMs'>): Places =>
  places({ atOnce: atOnce(passwordConcurrency), waiting, waitingEach, waitMs });

/** One thread each, so that hashing takes no more of the processor than is said below. */
const COST = { type: argon2.argon2id, memoryCost: 65_536, timeCost: 3, parallelism: 1 } as const;

/** How a password is stored: argon2id with a salt of its own. */
export const hashPassword = (password: string): Promise<string> => argon2.hash(password, COST);

/** Whether a hash is another than a new one would be: of another kind, or made at another cost. */
export const isOutdated = (stored: string): boolean => !isOwn(stored) || argon2.needsRehash(stored, COST);

const isOwn = (stored: string): boolean => stored.startsWith('$argon2');

let nobody: Promise<string> | undefined;

/**
 * Whether a password is the one that was hashed. Null stands for a user who does not exist: it takes as long as a wrong
 * password, so that the time does not tell who has an account. A stored value that is no hash fits nothing. Hashes that Django
 * has made, of users who came from a NetBox, are known until their first login.
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const elsewhere = stored === null ? undefined : verifyDjangoPassword(stored, password);
  if (elsewhere) return elsewhere;
  nobody ??= hashPassword('nobody');
  const known = stored !== null && isOwn(stored);
  const fits = await argon2.verify(known ? stored : await nobody, password).catch(() => false);
  return known && fits;
}

const minimum = 12;

/** What is wrong with a new password, as a client is told; nothing when it is good. */
export function passwordProblems(password: string): string[] {
  const problems: string[] = [];
  if ([...password].length < minimum)
    problems.push(`This password is too short. It must contain at least ${minimum} characters.`);
  // One of these at a time, in this order.
  if (!/\p{Nd}/u.test(password)) problems.push('Password must have at least one numeral.');
  else if (!/\p{Lu}/u.test(password)) problems.push('Password must have at least one uppercase letter.');
  else if (!/\p{Ll}/u.test(password)) problems.push('Password must have at least one lowercase letter.');
  return problems;
}

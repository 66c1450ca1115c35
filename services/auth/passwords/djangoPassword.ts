import { createHash, pbkdf2, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import argon2 from 'argon2';
import bcrypt from 'bcrypt';

type Fits = (parts: string[], password: string, rest: string) => Promise<boolean>;

/** The highest work factors that are accepted: hashes come from elsewhere, and one login must not stall a server. */
const MOST = { iterations: 10_000_000, scryptBytes: 256 * 1024 * 1024, bcryptRounds: 18 } as const;

const pbkdf2With =
  (digest: 'sha256' | 'sha1', bytes: number): Fits =>
  async ([iterations, salt, hash], password) => {
    const count = Number(iterations);
    if (!(count > 0 && count <= MOST.iterations) || salt === undefined) return false;
    return same(await promisify(pbkdf2)(password, salt, count, bytes, digest), hash);
  };

const scrypted: Fits = async ([cost, salt, blocks, parallel, hash], password) => {
  const [N, r, p] = [Number(cost), Number(blocks), Number(parallel)];
  const bytes = 128 * N * r * 2;
  if (!(bytes <= MOST.scryptBytes && p <= 64) || salt === undefined) return false;
  return same(await scryptOf(password, salt, SCRYPT_BYTES, { N, r, p, maxmem: bytes }), hash);
};

/** Always so many in Django. */
const SCRYPT_BYTES = 64;
const scryptOf = promisify<string, string, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt);

const bcrypted =
  (given: (password: string) => string): Fits =>
  async (_parts, password, rest) =>
    bcrypt.getRounds(rest) <= MOST.bcryptRounds && bcrypt.compare(given(password), rest);

/** By the name that a hash begins with. */
const HASHERS = new Map<string, Fits>([
  ['pbkdf2_sha256', pbkdf2With('sha256', 32)],
  ['pbkdf2_sha1', pbkdf2With('sha1', 20)],
  ['scrypt', scrypted],
  ['argon2', (_parts, password, rest) => argon2.verify(`$${rest}`, password)],
  ['bcrypt', bcrypted((password) => password)],
  ['bcrypt_sha256', bcrypted((password) => createHash('sha256').update(password).digest('hex'))],
]);

/** A truncated hash never matches, as its remainder would be easier to hit. */
function same(one: Buffer, base64 = ''): boolean {
  const other = Buffer.from(base64, 'base64');
  return one.length === other.length && timingSafeEqual(one, other);
}

/**
 * Whether a password matches a hash that Django, and so NetBox, has stored: `<algorithm>$<parameters>`. Undefined for a
 * value that is not such a hash, among them the unusable ones, which begin with `!`. A malformed hash, or one with a
 * higher work factor than any of Django's, never matches.
 * Formats: django.contrib.auth.hashers.
 */
export function verifyDjangoPassword(stored: string, password: string): Promise<boolean> | undefined {
  const [algorithm, ...parts] = stored.split('$');
  const fits = HASHERS.get(algorithm!);
  return fits?.(parts, password, stored.slice(algorithm!.length + 1)).catch(() => false);
}

import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import type { Secret } from '@cadastre/service/secret';

/** The secrets that v2 tokens are hashed with, by their number. */
export type Peppers = ReadonlyMap<number, Secret>;

/** A new token as its owner gets it, once, and as it is stored. */
export interface NewToken {
  plaintext: string;
  stored: { version: 1 | 2; key: string | null; plaintext: string | null; hmac_digest: string | null; pepper_id: number | null };
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const keyLength = 12, tokenLength = 40;
const random = (length: number) => Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

/** The version that a new token gets when nobody asks for one: v2 needs a pepper. */
export const defaultVersion = (peppers: Peppers): 1 | 2 => (peppers.size > 0 ? 2 : 1);

/**
 * Makes a token: v1 is stored as it is, v2 as a key to find it by and a digest that nothing can be read from, made with
 * the pepper of the highest number. The plaintext may be given, where an administrator chose it beforehand.
 * @throws when a v2 token is asked for and there is no pepper
 */
export function newToken(version: 1 | 2, peppers: Peppers, plaintext = random(tokenLength)): NewToken {
  if (version === 1) return { plaintext, stored: { version, key: null, plaintext, hmac_digest: null, pepper_id: null } };
  const pepperId = Math.max(...peppers.keys());
  const pepper = peppers.get(pepperId);
  if (!pepper) throw new Error('Tokens of version 2 need the setting API_TOKEN_PEPPERS.');
  return { plaintext, stored: { version, key: random(keyLength), plaintext: null, hmac_digest: digest(plaintext, pepper), pepper_id: pepperId } };
}

/** What a v2 token is stored as: HMAC-SHA256 in hexadecimal. */
export const digest = (plaintext: string, pepper: Secret): string => createHmac('sha256', pepper.reveal()).update(plaintext).digest('hex');

/** Whether a v2 token is the one that was stored, in a time that says nothing about how much of it was right. */
export function proves(plaintext: string, stored: { hmac_digest: string | null; pepper_id: number | null }, peppers: Peppers): boolean {
  const pepper = peppers.get(stored.pepper_id ?? -1);
  if (!pepper || stored.hmac_digest === null) return false;
  const given = Buffer.from(digest(plaintext, pepper)), right = Buffer.from(stored.hmac_digest);
  return given.length === right.length && timingSafeEqual(given, right);
}

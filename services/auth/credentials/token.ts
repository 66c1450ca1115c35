import { createHash, createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import type { Secret } from '@cadastre/service/secret';

/** The secrets that v2 tokens are hashed with, by their number. */
export type Peppers = ReadonlyMap<number, Secret>;

/** A new token as its owner gets it, once, and as it is stored. */
export interface NewToken {
  plaintext: string;
  stored: {
    version: 1 | 2;
    key: string | null;
    checksum: string | null;
    ending: string | null;
    hmac_digest: string | null;
    pepper_id: number | null;
  };
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const keyLength = 12;
const tokenLength = 40;
const random = (length: number) => Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

/** The version that a new token gets when nobody asks for one: v2 needs a pepper. */
export const defaultVersion = (peppers: Peppers): 1 | 2 => (peppers.size > 0 ? 2 : 1);

/**
 * Makes a token. Of a v1 token a checksum, by which it is found, and its last characters are stored; of a v2 token a
 * key, by which it is found, and a checksum. A token cannot be derived from its checksum, which is made with the pepper
 * of the highest number, or for v1 without a pepper if there is none. The plaintext may be given, where an
 * administrator has chosen it.
 * @throws when a v2 token is asked for and there is no pepper
 */
export function newToken(version: 1 | 2, peppers: Peppers, plaintext = random(tokenLength)): NewToken {
  const pepperId = Math.max(...peppers.keys());
  const pepper = peppers.get(pepperId);
  if (version === 1)
    return {
      plaintext,
      stored: {
        version,
        key: null,
        checksum: checksum(plaintext, pepper),
        ending: plaintext.slice(-ENDING),
        hmac_digest: null,
        pepper_id: null,
      },
    };
  if (!pepper) throw new Error('Tokens of version 2 need the setting API_TOKEN_PEPPERS.');
  return {
    plaintext,
    stored: {
      version,
      key: random(keyLength),
      checksum: null,
      ending: null,
      hmac_digest: digest(plaintext, pepper),
      pepper_id: pepperId,
    },
  };
}

/** How many of the last characters of a v1 token are shown, for its owner to recognize it. */
const ENDING = 6;

/** What a v1 token is found by. Tokens that were made before there was a pepper have a checksum without one. */
export function checksum(plaintext: string, pepper?: Secret): string {
  const plain = createHash('sha256').update(plaintext).digest('hex');
  return pepper ? digest(plain, pepper) : plain;
}

/** All checksums that may be stored for a v1 token. */
export const checksumsOf = (plaintext: string, peppers: Peppers): string[] => [
  checksum(plaintext),
  ...[...peppers.values()].map((pepper) => checksum(plaintext, pepper)),
];

/** What a v2 token is stored as: HMAC-SHA256 in hexadecimal. */
export const digest = (plaintext: string, pepper: Secret): string =>
  createHmac('sha256', pepper.reveal()).update(plaintext).digest('hex');

/** Whether a v2 token is the stored one, in constant time. */
export function proves(
  plaintext: string,
  stored: { hmac_digest: string | null; pepper_id: number | null },
  peppers: Peppers,
): boolean {
  const pepper = peppers.get(stored.pepper_id ?? -1);
  if (!pepper || stored.hmac_digest === null) return false;
  const given = Buffer.from(digest(plaintext, pepper));
  const right = Buffer.from(stored.hmac_digest);
  return given.length === right.length && timingSafeEqual(given, right);
}

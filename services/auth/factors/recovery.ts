import { createHash, randomInt } from 'node:crypto';

/** So many come in a set. */
export const RECOVERY_CODES = 10;

/** Without those that look alike. */
export const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
/** More than 112 bits of entropy, from which on a fast hash is sufficient (ASVS V6.5.2). */
const LENGTH = 24;
const GROUP = 4;

/** A code with 118 bits of entropy, which cannot be guessed even from its digest. `abcd-efgh-jkmn-pqrs-tuvw-xyz2` */
function newCode(): string {
  const letters = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return letters.replace(new RegExp(`.{${GROUP}}(?=.)`, 'g'), '$&-');
}

export const newCodes = (): string[] => Array.from({ length: RECOVERY_CODES }, newCode);

/** The stored digest of a code. It includes the user, so that no precomputed table serves for several users. */
export function digestOf(userId: number, text: string): string {
  const code = text.toLowerCase().replace(/[^a-z0-9]/g, '');
  return createHash('sha256')
    .update(JSON.stringify(['recovery code', userId, code]))
    .digest('base64url');
}

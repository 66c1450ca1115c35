import { randomInt } from 'node:crypto';
import { readPassword } from './token.ts';

const ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** A generated password, of letters that are not easily mistaken for each other. */
export const generated = (length = 20): string =>
  Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

/**
 * A new password: typed twice at a terminal, as it is not shown, else the first line of standard input.
 * @throws Error when there is none, or when the two differ
 */
export async function newPassword(user: string, input: NodeJS.ReadStream = process.stdin): Promise<string> {
  const first = await readPassword(`New password of ${user}: `, input);
  if (first === '') throw new Error('No password was given.');
  if (input.isTTY === true && (await readPassword('The same again: ', input)) !== first)
    throw new Error('The two passwords are not the same. Nothing was changed.');
  return first;
}

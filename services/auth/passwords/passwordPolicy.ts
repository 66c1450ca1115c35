import type { Values } from '@cadastre/model';
import type { Config } from '@cadastre/service/config';

/** What a new password must be like. */
export type PolicySettings = Pick<
  Config,
  'passwordMinLength' | 'passwordMaxLength' | 'passwordCharacterClasses' | 'passwordRefuseGuessable'
>;

/** The same as clients are told, before anybody types. */
export interface ToldPolicy {
  min_length: number;
  max_length: number;
  character_classes: boolean;
  refuses_guessable: boolean;
}

export const toldPolicy = (settings: PolicySettings): ToldPolicy => ({
  min_length: settings.passwordMinLength,
  max_length: settings.passwordMaxLength,
  character_classes: settings.passwordCharacterClasses,
  refuses_guessable: settings.passwordRefuseGuessable,
});

/**
 * Common passwords and names do not count: a password needs this many other characters.
 * docs/decisions/accounts/passwords.md has examples.
 */
const BESIDES = 8;
/** Shorter names and words occur in passwords by chance. */
const SHORTEST = 4;

let loading: Promise<ReadonlySet<string>> | undefined;

/** Loaded when the first password is checked, so that a start need not wait for it, nor hold it in memory. */
const commonPasswords = (): Promise<ReadonlySet<string>> =>
  (loading ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].map((one) => one.toLowerCase())),
  ));

const LOOKALIKES: Readonly<Record<string, string>> = {
  '0': 'o',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '@': 'a',
  $: 's',
};

/**
 * A text as it is, and with letters in place of the digits and signs that resemble them; `1` and `!` resemble two
 * letters.
 */
const readings = (text: string): string[] => {
  const plain = text.replace(/[034578@$]/g, (sign) => LOOKALIKES[sign]!);
  return [...new Set([text, plain.replace(/[1!]/g, 'i'), plain.replace(/[1!]/g, 'l')])];
};

const reversed = (text: string): string => [...text].reverse().join('');
const lengthOf = (text: string): number => [...text].length;

/** Without leading and trailing characters that are not letters. */
const bare = (text: string): string => text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');

/** Whether this is a common password, or one with few characters around it. */
async function isCommon(password: string): Promise<boolean> {
  const common = await commonPasswords();
  const lower = password.toLowerCase();
  const isKnown = (text: string): boolean => readings(text).some((one) => common.has(one));
  if (isKnown(lower)) return true;
  const word = bare(lower);
  return lengthOf(word) >= SHORTEST && lengthOf(lower) - lengthOf(word) < BESIDES && isKnown(word);
}

/** The fields of a user that a password must not consist of, and their names in messages. */
const NAMES = [
  ['username', 'username'],
  ['first_name', 'first name'],
  ['last_name', 'last name'],
  ['email', 'email address'],
] as const;

/** A whole name and the words that it consists of; of an email address, the part before the `@`. */
function partsOf(field: string, value: unknown): string[] {
  if (typeof value !== 'string') return [];
  const name = (field === 'email' ? value.split('@')[0]! : value).toLowerCase();
  return [name, ...name.split(/[^\p{L}\p{N}]+/u)];
}

/** The names of the user without which little of the password would remain, as messages call them. */
function namesIn(password: string, user: Values): string[] {
  const parts = NAMES.flatMap(([field, called]) => partsOf(field, user[field]).map((part) => ({ part, called })))
    .filter(({ part }) => lengthOf(part) >= SHORTEST)
    .sort((a, b) => b.part.length - a.part.length);
  const lower = password.toLowerCase();
  for (const text of readings(lower)) {
    const found = new Set<string>();
    let rest = text;
    for (const { part, called } of parts)
      for (const written of readings(part).flatMap((one) => [one, reversed(one)]))
        if (rest.includes(written)) {
          rest = rest.replaceAll(written, '');
          found.add(called);
        }
    if (found.size && lengthOf(rest) < BESIDES) return [...found];
  }
  return [];
}

/**
 * What is wrong with a new password, as a client is told; nothing when it is good.
 * @param user whose it is to be, as far as that is known
 */
export async function passwordProblems(
  password: string,
  { passwordMinLength: least, passwordMaxLength: most, ...asks }: PolicySettings,
  user: Values = {},
): Promise<string[]> {
  const problems: string[] = [];
  const length = lengthOf(password);
  if (length < least) problems.push(`This password is too short. It must contain at least ${least} characters.`);
  if (length > most) problems.push(`This password is too long. It must contain at most ${most} characters.`);
  if (asks.passwordCharacterClasses) {
    // One of these at a time, in this order.
    if (!/\p{Nd}/u.test(password)) problems.push('Password must have at least one numeral.');
    else if (!/\p{Lu}/u.test(password)) problems.push('Password must have at least one uppercase letter.');
    else if (!/\p{Ll}/u.test(password)) problems.push('Password must have at least one lowercase letter.');
  }
  if (!asks.passwordRefuseGuessable) return problems;
  if (await isCommon(password)) problems.push('This password is too common.');
  return [...problems, ...namesIn(password, user).map((name) => `The password is too similar to the ${name}.`)];
}

/**
 * The minimum entropy of a token that a client chooses, in bits: too much to guess, even with a copy of the checksum. A
 * token of 40 random digits has about 120.
 */
export const MIN_TOKEN_BITS = 96;

const KEYBOARD = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const CLASSES: readonly [RegExp, number][] = [
  [/^[0-9]$/, 10],
  [/^[a-f]$/, 6],
  [/^[g-z]$/, 20],
  [/^[A-F]$/, 6],
  [/^[G-Z]$/, 20],
];

const neighbours = (one: string, next: string): boolean =>
  KEYBOARD.some((row) => row.includes(one + next) || row.includes(next + one));

/**
 * Whether this character could be guessed from those before it: it continues an arithmetic step, an alternation or a
 * row of the keyboard, or repeats a sequence from earlier in the text.
 */
function foreseeable(text: string, at: number): boolean {
  const step = (i: number): number => text.charCodeAt(i) - text.charCodeAt(i - 1);
  if (at >= 2 && step(at) === step(at - 1)) return true;
  if (at >= 4 && step(at) === step(at - 2) && step(at - 1) === step(at - 3)) return true;
  const lower = text.toLowerCase();
  return (
    (at >= 1 && neighbours(lower[at - 1]!, lower[at]!)) ||
    (at >= 3 && lower.indexOf(lower.slice(at - 2, at + 1)) < at - 2)
  );
}

/**
 * An estimate of the entropy of a chosen text, in bits: the number of characters that could not be guessed from those
 * before them, times the bits of one character from the classes in use, or fewer bits where few different characters
 * are used.
 */
export function bitsOf(text: string): number {
  const kinds =
    CLASSES.reduce((sum, [pattern, size]) => sum + ([...text].some((letter) => pattern.test(letter)) ? size : 0), 0) +
    (/[^0-9a-zA-Z]/.test(text) ? 30 : 0);
  const unforeseen = [...text].filter((_, at) => !foreseeable(text, at)).length;
  const used = new Set(text).size;
  return unforeseen * Math.log2(Math.max(1, Math.min(kinds, used * 2)));
}

/** A pattern in a text that stands for several values: `[0-47]`, `[a,b]`, `[01-12,20]`. */
const PLACE = /\[([^[\]]+)\]/g;
/** The most values of a range: a longer one is assumed to be a mistake. */
const MOST = 10_000;

const number = /^(\d{1,9})-(\d{1,9})$/;
const letter = /^([a-z])-([a-z])$|^([A-Z])-([A-Z])$/;

/** The values of one part of a pattern; undefined if the part is not a range. */
function partOf(part: string): string[] | undefined {
  const numbers = number.exec(part);
  if (numbers) {
    const [, first, last] = numbers as unknown as [string, string, string];
    const count = Number(last) - Number(first) + 1;
    if (count < 1 || count > MOST) return undefined;
    // `01-12` keeps its leading zeros.
    const width = first.length > 1 && first.startsWith('0') ? first.length : 0;
    return Array.from({ length: count }, (_, i) => String(Number(first) + i).padStart(width, '0'));
  }
  const letters = letter.exec(part);
  if (letters) {
    const [first, last] = letters.slice(1).filter((one) => one !== undefined) as [string, string];
    const count = last.charCodeAt(0) - first.charCodeAt(0) + 1;
    return count < 1
      ? undefined
      : Array.from({ length: count }, (_, i) => String.fromCharCode(first.charCodeAt(0) + i));
  }
  return undefined;
}

/** The values of a pattern: a range, or a list of texts and ranges. A single text, as in `eth[x]`, is not a pattern. */
function placeOf(inside: string): string[] | undefined {
  const parts = inside.split(',').map((one) => one.trim());
  const ranges = parts.map(partOf);
  if (parts.length === 1) return ranges[0];
  return parts.some((one) => one === '') ? undefined : parts.flatMap((one, i) => ranges[i] ?? [one]);
}

/**
 * The texts that a text with patterns stands for: `eth[0-2]` is three, `[a,b][1-2]` four; without patterns, the text
 * itself.
 *
 * @returns undefined if there would be too many
 */
export function expanded(pattern: string): string[] | undefined {
  let texts = [''];
  let at = 0;
  for (const found of pattern.matchAll(PLACE)) {
    const place = placeOf(found[1]!);
    const before = pattern.slice(at, found.index);
    at = found.index + found[0].length;
    const choices = place ?? [found[0]];
    if (texts.length * choices.length > MOST) return undefined;
    texts = texts.flatMap((text) => choices.map((one) => text + before + one));
  }
  return texts.map((text) => text + pattern.slice(at));
}

/** Whether a text has a pattern, and so stands for several. */
export const isRange = (text: string): boolean =>
  [...text.matchAll(PLACE)].some(([, inside]) => placeOf(inside!) !== undefined);

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML has no way to write them
const UNWRITABLE = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

/** Text as XML may hold it. */
export const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(UNWRITABLE, '')
    .replace(/[&<>"']/g, (character) => ESCAPES[character]!);

/** Black or white, whichever can be read better on a colour. */
export function readableOn(color: string): string {
  const [red, green, blue] = [0, 2, 4].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as [
    number,
    number,
    number,
  ];
  return red * 0.299 + green * 0.587 + blue * 0.114 > 150 ? '#000000' : '#ffffff';
}

/**
 * How wide characters are, as parts of the size of the letters. The font of the viewer is not known, so texts get a
 * little more room than they need.
 */
const WIDTHS: readonly [RegExp, number][] = [
  [/[il.,:;|'!()[\]{}fjtrI\s/\\-]/, 0.36],
  [/[mwMW@%]/, 0.92],
  [/[A-Z0-9_#&]/, 0.66],
  [/[\u1100-\uffdc]|\p{Extended_Pictographic}/u, 1.05],
];
const USUAL_WIDTH = 0.58;

/** About how wide a text is, at a size of its letters in pixels. */
export const widthOf = (text: string, size: number): number =>
  [...text].reduce(
    (sum, character) => sum + (WIDTHS.find(([pattern]) => pattern.test(character))?.[1] ?? USUAL_WIDTH),
    0,
  ) * size;

/** A text shortened to fit a width: its middle is left out, as long names often differ at their ends. */
export function fitting(text: string, width: number, size: number): string {
  if (widthOf(text, size) <= width) return text;
  const characters = [...text];
  for (let kept = Math.min(characters.length - 1, Math.ceil((width / size) * 3)); kept > 1; kept--) {
    const short = `${characters
      .slice(0, Math.ceil(kept / 2))
      .join('')
      .trimEnd()}…${characters
      .slice(characters.length - Math.floor(kept / 2))
      .join('')
      .trimStart()}`;
    if (widthOf(short, size) <= width) return short;
  }
  return '…';
}

/** What JavaScript prints by mistake for a missing value or an object: no page may show it. */
const SLIPS = /\[object|\bundefined\b|\bNaN\b/g;
/** How much of the surrounding text is quoted. */
const AROUND = 60;

/** Each of them with its surrounding text. */
export const slipsIn = (text: string): string[] =>
  [...text.matchAll(SLIPS)].map(({ index }) => text.slice(Math.max(0, index - AROUND), index + AROUND));

/** @throws Error that says where one is */
export function expectNoSlips(where: string, text: string): void {
  const slips = slipsIn(text);
  if (slips.length) throw new Error(`${where} says what no page may say:\n${slips.join('\n')}`);
}

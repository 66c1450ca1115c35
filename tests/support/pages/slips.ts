/** What a program says where it has nothing to say: no page may. */
const SLIPS = /\[object|\bundefined\b|\bNaN\b/g;
/** So much of a text around it tells where it is. */
const AROUND = 60;

/** Each of them with what stands around it. */
export const slipsIn = (text: string): string[] =>
  [...text.matchAll(SLIPS)].map(({ index }) => text.slice(Math.max(0, index - AROUND), index + AROUND));

/** @throws Error that says where */
export function expectNoSlips(where: string, text: string): void {
  const slips = slipsIn(text);
  if (slips.length) throw new Error(`${where} says what no page may say:\n${slips.join('\n')}`);
}

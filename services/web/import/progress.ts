import type { Draft } from './columns.ts';

/** So many objects are written at once, all or none. */
const PORTION = 500;
/** So many with all that is inside of them; one that has more by itself is a portion. */
const WITH_PARTS = 2_000;

/** How many of these objects are written next. */
export function portionOf<T>(rest: readonly T[], inside: (one: T) => number): number {
  let count = 0;
  for (const [i, one] of rest.slice(0, PORTION).entries()) {
    count += 1 + inside(one);
    if (i && count > WITH_PARTS) return i;
  }
  return Math.min(rest.length, PORTION);
}

/** How far an import of several portions is; it travels with the page. */
export interface Progress {
  done: number;
  total: number;
  /** What is still to be written, ready for the API. */
  rest: Pick<Draft, 'line' | 'body' | 'parts'>[];
}

export const progressText = (progress: Progress): string => JSON.stringify(progress);

/** @returns undefined for what is none */
export function progressIn(text: string | null): Progress | undefined {
  if (text === null) return undefined;
  try {
    const { done, total, rest } = JSON.parse(text) as Partial<Progress>;
    return typeof done === 'number' && typeof total === 'number' && Array.isArray(rest)
      ? { done, total, rest }
      : undefined;
  } catch {
    return undefined;
  }
}

import type { Draft } from './columns.ts';

/** So many objects are written at once, all or none. */
export const PORTION = 500;

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

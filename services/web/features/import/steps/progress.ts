import { z } from 'zod';
import { rowsIn } from '../drafts/lineProblems.ts';

/** How far an import of several portions is; it travels with the page, and so do the portions. */
const progress = z.object({
  /** All portions are looked at before the first one is written. */
  stage: z.enum(['check', 'write']),
  /** Whether no more is wanted than a look. */
  dry: z.boolean(),
  /** The portion that is next. */
  at: z.int().min(0),
  /** Objects of the portions before it. */
  done: z.int().min(0),
  total: z.int().min(0),
  /** See `Parsed`. */
  texts: z.boolean(),
  /** Whether the objects that have been looked at are new ones. */
  fresh: z.boolean(),
  /** Whether all rules have been asked. */
  checked: z.boolean(),
  /** Columns that are passed over. */
  passed: z.array(z.string()),
  /** For the change log. */
  message: z.string().max(200),
  problems: z.array(
    z.object({
      line: z.int(),
      row: z.int().optional(),
      column: z.int().optional(),
      field: z.string(),
      text: z.string(),
    }),
  ),
  /** Lines that are not in order, and what more is wrong with them than is listed. */
  wrong: z.int().min(0),
  more: z.int().min(0),
});
export type Progress = z.infer<typeof progress>;

/** The most that such a text has, in characters: its problems are no more and no longer than can be read. */
const LONGEST = 500_000;
/** The most problems that are kept; a column that is wrong is wrong in every line. */
export const SHOWN = 200;
const LONGEST_PROBLEM = 500;

/** Undefined for a text that does not say how far an import is. */
export function progressIn(text: string | null): Progress | undefined {
  if (text === null || text.length > LONGEST) return undefined;
  try {
    return progress.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** What has been found in a portion comes to what is wrong with those before. */
export function withProblems(before: Progress, found: Progress['problems']): Progress {
  const room = Math.max(0, SHOWN - before.problems.length);
  const shown = found.slice(0, room).map((one) => ({ ...one, text: one.text.slice(0, LONGEST_PROBLEM) }));
  return {
    ...before,
    problems: [...before.problems, ...shown],
    wrong: before.wrong + rowsIn(found),
    more: before.more + found.length - shown.length,
  };
}

import { z } from 'zod';
import { rowsIn } from '../drafts/lineProblems.ts';

/** The progress of an import of several portions; it travels with the page, as do the portions. */
const progress = z.object({
  /** All portions are looked at before the first one is written. */
  stage: z.enum(['check', 'write']),
  /** Whether this is a dry run. */
  dry: z.boolean(),
  /** The index of the next portion. */
  at: z.int().min(0),
  /** Objects in the portions before it. */
  done: z.int().min(0),
  total: z.int().min(0),
  /** See `Parsed`. */
  texts: z.boolean(),
  /** Whether all objects that have been checked so far are new. */
  fresh: z.boolean(),
  /** Whether the API has checked all rules. */
  checked: z.boolean(),
  /** Columns that are ignored. */
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
  /** How many objects have problems, and how many further problems are not listed. */
  wrong: z.int().min(0),
  more: z.int().min(0),
});
export type Progress = z.infer<typeof progress>;

/** The longest serialised progress, in characters: the problems in it are limited in number and length. */
const LONGEST = 500_000;
/** The most problems that are kept: a wrong column causes a problem in every line. */
export const SHOWN = 200;
const LONGEST_PROBLEM = 500;

/** Undefined if the text is not a valid progress. */
export function progressIn(text: string | null): Progress | undefined {
  if (text === null || text.length > LONGEST) return undefined;
  try {
    return progress.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Adds the problems of a portion to those of the portions before. */
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

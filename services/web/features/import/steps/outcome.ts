import type { Shown } from '../../../context/pageRequest.ts';
import type { LineProblem } from '../drafts/lineProblems.ts';

/** The most created objects that are named. */
export const MOST_MADE = 20;

/** The result of one of several files. */
export interface FileOutcome {
  path: string;
  /**
   * `would`: a dry run without problems; `partly`: a portion was refused after others had been written; `there`: its
   * objects exist already; `passed`: the file is of no use here.
   */
  came: 'fine' | 'would' | 'partly' | 'there' | 'refused' | 'passed';
  said: string;
  /** Some of the created objects, and how many more there are. */
  made: readonly Shown[];
  madeMore: number;
  problems: readonly LineProblem[];
}

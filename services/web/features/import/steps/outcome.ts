import type { Shown } from '../../../context/pageRequest.ts';
import type { LineProblem } from '../drafts/lineProblems.ts';

/** How many of the objects that were made are named at most. */
export const MOST_MADE = 20;

/** What came of one of several files. */
export interface FileOutcome {
  path: string;
  /**
   * `would`: nothing was to be written; `partly`: a portion was refused after others had been written; `there`: what it
   * brings is there already; `passed`: it says nothing here.
   */
  came: 'fine' | 'would' | 'partly' | 'there' | 'refused' | 'passed';
  said: string;
  /** Some of the objects that were made, and how many more there are. */
  made: readonly Shown[];
  madeMore: number;
  problems: readonly LineProblem[];
}

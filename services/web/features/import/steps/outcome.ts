import type { Shown } from '../../../context/pageRequest.ts';
import type { LineProblem } from '../drafts/lineProblems.ts';

/** What came of one of several files. */
export interface FileOutcome {
  path: string;
  /** `would`: nothing was to be written; `there`: what it brings is there already; `passed`: it says nothing here. */
  came: 'fine' | 'would' | 'there' | 'refused' | 'passed';
  said: string;
  made: readonly Shown[];
  problems: readonly LineProblem[];
}

import { endRun } from './test-run.ts';

/** jest's globalTeardown. */
export default endRun;

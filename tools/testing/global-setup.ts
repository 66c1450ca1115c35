import { beginRun } from './test-run.ts';

/** jest's globalSetup. */
export default beginRun;

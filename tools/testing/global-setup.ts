import { chmodSync } from 'node:fs';
import { beginRun, runFolder } from './test-run.ts';

/** jest's globalSetup. */
export default async function setUp(): Promise<void> {
  await beginRun();
  // Root lends PostgreSQL another account, which must get through.
  chmodSync(runFolder() ?? '.', 0o711);
}

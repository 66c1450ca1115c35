// The data of a system that has been started once, for tests that start systems of their own: to make the databases and
// to migrate them takes three times as long as to copy them.
import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { once } from './once.ts';
import { runFolder } from './test-run.ts';

/** A folder whose data several runs of tests share; without it each run has its own. */
const sharedFolder = (): string | undefined => process.env['CADASTRE_TEST_PREPARED'] || undefined;

/** Settings that a first start writes down, or that say where else its data is. */
const OF_A_FIRST_START = /^(DATABASE_|KAFKA_|SUPERUSER_|API_TOKEN_PEPPERS|SECRETS?_|SERVICE_|[A-Z]+_DATABASE_)/;

/** Whether a system with these settings may begin with prepared data. Empty settings count as not set. */
export const mayBePrepared = (env: Readonly<Record<string, string>>): boolean =>
  !Object.entries(env).some(([name, value]) => value !== '' && OF_A_FIRST_START.test(name));

/**
 * Copies the data of a system that was started once into an empty folder. The first caller makes it, by `make`, for
 * all tests of the run, or of all runs that share a folder. Without either nothing is copied, and the folder stays empty.
 * @throws what `make` threw, to every caller
 */
export async function copyPrepared(to: string, make: (folder: string) => Promise<void>): Promise<void> {
  const above = sharedFolder() ?? runFolder();
  if (above === undefined) return;
  const data = await once(join(above, 'prepared'), async () => {
    const folder = join(above, 'prepared', 'data');
    mkdirSync(folder, { mode: 0o711 });
    await make(folder);
    return folder;
  });
  // With its owners: PostgreSQL runs as another user than root.
  await promisify(execFile)('cp', ['-a', `${data}/.`, to]);
}

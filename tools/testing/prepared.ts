// The data of a system that has been started once, for tests that start systems of their own: to make the databases and
// to migrate them takes three times as long as to copy them.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { runFolder } from './test-run.ts';

/** Settings that a first start writes down, or that say where else its data is. */
const OF_A_FIRST_START = /^(DATABASE_|KAFKA_|SUPERUSER_|API_TOKEN_PEPPERS|SECRETS?_|SERVICE_|[A-Z]+_DATABASE_)/;

/** Whether a system with these settings may begin with the data of another. */
export const mayBePrepared = (env: Readonly<Record<string, string>>): boolean =>
  !Object.keys(env).some((name) => OF_A_FIRST_START.test(name));

/**
 * Copies the data of a system that was started once into an empty folder. The first who asks makes it, by `make`, for
 * all tests of the run. Says whether it did; without a run there is none.
 * @throws what `make` threw, for all who ask
 */
export async function copyPrepared(to: string, make: (folder: string) => Promise<void>): Promise<boolean> {
  const run = runFolder();
  if (run === undefined) return false;
  const data = join(run, 'prepared');
  const ready = `${data}.ready`;
  const failure = `${data}.failure`;
  if (isFirst(data)) {
    try {
      await make(data);
      writeFileSync(`${ready}.new`, '');
      renameSync(`${ready}.new`, ready);
    } catch (error) {
      writeFileSync(failure, String(error));
      throw error;
    }
  }
  for (; !existsSync(ready); await sleep(50))
    if (existsSync(failure))
      throw new Error(`the data for other systems was not made: ${readFileSync(failure, 'utf8')}`);
  // With its owners: PostgreSQL runs as another user than root.
  await promisify(execFile)('cp', ['-a', `${data}/.`, to]);
  return true;
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o711 });
    return true;
  } catch {
    return false;
  }
}

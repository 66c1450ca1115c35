// Where the PostgreSQL server of one run of the tests lives. Workers share it; the first that needs it starts it.
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stopLeftover } from '../local/embedded-postgres/leftover.ts';
import { startEmbeddedPostgres } from '../local/embedded-postgres/start.ts';
import { describeProcess, isAlive } from '../local/processes/identify.ts';
import { once } from './once.ts';

const folderVariable = 'CADASTRE_TEST_RUN';
const prefix = 'cadastre-test-';

/** The folder of this run, as `beginRun` made it. */
export const runFolder = (): string | undefined => process.env[folderVariable];

/** Makes the folder of a run; nothing is started yet. */
export async function beginRun(): Promise<void> {
  process.env[folderVariable] = await temporaryFolder();
}

export async function endRun(): Promise<void> {
  const folder = runFolder();
  if (folder !== undefined) await clear(folder);
}

/**
 * A folder that belongs to this process. What processes that were killed left behind is cleared away first, servers
 * included.
 */
export async function temporaryFolder(): Promise<string> {
  for (const name of readdirSync(tmpdir()).filter((one) => one.startsWith(prefix))) {
    const owner = Number(name.slice(prefix.length).split('-')[0]);
    if (!isAlive(owner)) await clear(join(tmpdir(), name));
  }
  const folder = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
  // Root runs PostgreSQL under another account, which must be able to enter the folder.
  chmodSync(folder, 0o711);
  return folder;
}

/** Stops what runs in a folder, the whole system and the server, and removes the folder. */
export async function clear(folder: string): Promise<void> {
  await stopSystem(join(folder, 'system', 'run.json'));
  await stopLeftover(join(folder, 'postgres', 'cluster'));
  // A process may still be writing its last output there.
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

/** How long a system may take to stop; it takes five seconds at most, and what a machine with much else to do adds. */
const systemStopMs = 60_000;

/** Stops the system that runs in a folder, as Ctrl-C would. */
async function stopSystem(runFile: string): Promise<void> {
  if (!existsSync(runFile)) return;
  const { pid, started } = (
    JSON.parse(readFileSync(runFile, 'utf8')) as { supervisor: { pid: number; started: string } }
  ).supervisor;
  const runs = (): boolean => isAlive(pid) && describeProcess(pid)?.started === started;
  if (runs()) process.kill(pid, 'SIGTERM');
  for (const until = Date.now() + systemStopMs; runs() && Date.now() < until; ) await sleep(20);
}

/** The address of the run's server. */
export const sharedServer = (folder: string): Promise<string> =>
  once(
    join(folder, 'server'),
    async () => (await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), durable: false })).url,
  );

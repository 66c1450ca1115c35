import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { appendFileSync, chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Agent, fetch } from 'undici';
import { withDatabase } from '@cadastre/service/config';
import { freePort } from '../local/processes/free-ports.ts';
import { copyPrepared, mayBePrepared } from './prepared.ts';

/**
 * A fresh system, started as `npm start` starts it, with its data in a temporary folder. In a run of tests most begin with
 * the data of a first start.
 */
export interface System {
  base: string;
  token: string;
  pid: number;
  /** The folder of its data, with `run.json`. */
  folder: string;
  databaseUrl(service: string): string;
  /** Its output so far. */
  output(): string;
  /** Seconds from the start of the process to the first answer from the database of a service. */
  answeredAfter: number;
  /** Seconds until it said that it is ready: that each of its services answers. */
  readyAfter: number;
  /** Stops it, and removes its data, unless it is to be kept for another start. */
  stop(options?: { keep: boolean }): Promise<void>;
}

const TOKEN = 'fresh0123456789fresh0123456789fresh01234';
export const PASSWORD = 'a-Password-of-the-tests-1';

/** The form in which tests run the system: PROCESSES where TEST_PROCESSES says it, else as `npm start` decides. */
const form = (): Record<string, string> =>
  process.env['TEST_PROCESSES'] ? { PROCESSES: process.env['TEST_PROCESSES'] } : {};

/**
 * For tests that make thousands of users and write without a pause: the least that hashing a password may cost, a tenth
 * of the usual, and a heap that may grow, of which the cleaning takes a tenth less of the time.
 */
export const cheap = {
  PASSWORD_ARGON2_MEMORY_KB: '7168',
  PASSWORD_ARGON2_PASSES: '5',
  NODE_OPTIONS: '--max-semi-space-size=16 --max-old-space-size=2048',
};

/**
 * The default settings of systems of tests. With TEST_PASSWORD_COST=usual, where tests measure what other users
 * experience, and outside jest, everything costs what it costs in production.
 */
export const settingsOfTests = (): Record<string, string> => ({
  ...form(),
  ...(process.env['JEST_WORKER_ID'] === undefined || process.env['TEST_PASSWORD_COST'] === 'usual' ? {} : cheap),
});

/** What starts a system, in the folder of its version. */
export const START = 'tools/start.mjs';
const here = fileURLToPath(new URL('../..', import.meta.url));

/**
 * @param folder data that an earlier start left
 * @param checkout folder of the version that is started
 */
export async function startSystem(
  env: Record<string, string> = {},
  folder?: string,
  checkout: string = here,
): Promise<System> {
  return startIn(folder ?? (await newFolder(env)), env, checkout);
}

/** An empty one, or with the data of a system that nobody has used, where it makes no difference to the tests. */
async function newFolder(env: Record<string, string>): Promise<string> {
  const folder = emptyFolder();
  if (mayBePrepared(env))
    await copyPrepared(folder, async (data) => {
      const system = await startIn(data, {}, here);
      await system.stop({ keep: true });
      // Data that a crash of the machine loses do not matter to a test.
      appendFileSync(join(data, 'postgres', 'cluster', 'postgresql.conf'), 'fsync = off\nfull_page_writes = off\n');
    });
  return folder;
}

async function startIn(dataDir: string, env: Record<string, string>, checkout: string): Promise<System> {
  const port = env['PORT'] ?? String(await freePort());
  const base = `http${env['TLS_CERT_FILE'] ? 's' : ''}://127.0.0.1:${port}`;
  const began = performance.now();
  const passed = () => (performance.now() - began) / 1000;
  const child = spawn(process.execPath, [join(checkout, START)], {
    env: {
      ...process.env,
      PORT: port,
      DATA_DIR: dataDir,
      SUPERUSER_PASSWORD: PASSWORD,
      SUPERUSER_API_TOKEN: TOKEN,
      LOG_LEVEL: 'warn',
      DATABASE_WAIT_MS: '60000',
      ...settingsOfTests(),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  const ready = Promise.withResolvers<number>();
  // If it ends before it has answered, that error is reported there.
  ready.promise.catch(() => undefined);
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    if (/^Cadastre is ready/m.test(printed)) ready.resolve(passed());
  });
  child.once('exit', (code) => ready.reject(new Error(`the system ended with ${code}`)));
  await answers(base, child).catch((error: Error) => {
    child.kill('SIGTERM');
    throw error;
  });
  const answeredAfter = passed();
  // Other services may answer later than this one.
  const readyAfter = await ready.promise;
  return {
    base,
    token: TOKEN,
    pid: child.pid!,
    folder: dataDir,
    output: () => printed,
    answeredAfter,
    readyAfter,
    databaseUrl: (service) => databaseUrlOf(child.pid!, service),
    async stop({ keep } = { keep: false }) {
      // Where a test has killed it, there is nothing to wait for.
      if (child.exitCode === null && child.signalCode === null) {
        const ended = new Promise((resolve) => child.once('exit', resolve));
        child.kill('SIGTERM');
        await ended;
      }
      if (keep) return;
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cadastre-fresh-'));
  // PostgreSQL runs as another user than root.
  chmodSync(folder, 0o711);
  return folder;
}

/** The time limit of a first start. */
const START_MS = 180_000;

async function answers(base: string, child: ChildProcess): Promise<void> {
  // Which certificate it has is for the test to look at.
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  for (
    const until = Date.now() + START_MS;
    Date.now() < until;
    await new Promise((resolve) => setTimeout(resolve, 50))
  ) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`the system ended with ${child.exitCode}`);
    const ok = await fetch(`${base}/api/dcim/sites/`, {
      dispatcher,
      headers: { authorization: `Token ${TOKEN}` },
    }).then(
      (r) => r.ok,
      () => false,
    );
    if (ok) return;
  }
  throw new Error('the system did not start');
}

/** The database of a running service, from the environment of a process that may use it. */
function databaseUrlOf(pid: number, service: string): string {
  const urls = environmentBelow(pid).flatMap((one) => /^(?:[A-Z]+_)?DATABASE_URL=(.+)$/.exec(one)?.[1] ?? []);
  const name = `/cadastre_${service}`;
  const url = urls.find((one) => new URL(one).pathname === name);
  if (url) return url;
  // Where somebody has named a server, all services share its address.
  const shared = urls.find((one) => !new URL(one).pathname.startsWith('/cadastre_'));
  if (!shared) throw new Error(`no process below ${pid} tells where the database of ${service} is`);
  return withDatabase(shared, `cadastre_${service}`);
}

function environmentBelow(pid: number): string[] {
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    .trim()
    .split(/\s+/);
  return children.flatMap((one) => {
    try {
      return readFileSync(`/proc/${one}/environ`, 'utf8').split('\0');
    } catch {
      return [];
    }
  });
}

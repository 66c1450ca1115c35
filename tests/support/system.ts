import { spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll } from '@jest/globals';
import { startEmbeddedPostgres } from '../../tools/local/embedded-postgres/start.ts';
import { settingsOfTests } from '../../tools/testing/fresh-system.ts';
import { freePort } from '../../tools/local/processes/free-ports.ts';
import { once } from '../../tools/testing/once.ts';
import { clear, runFolder, sharedServer, temporaryFolder } from '../../tools/testing/test-run.ts';
import { Client } from './client.ts';
import { type Described, describedBy } from './document.ts';

/** The whole system as `npm start` runs it, set as `settingsOfTests` says. */
export interface System {
  base: string;
  /** The address of the PostgreSQL server; service `x` has the database `cadastre_x`. */
  postgres: string;
  /** Contains `run.json`, which names the processes, and the log. */
  folder: string;
}

const program = fileURLToPath(new URL('../../tools/start.mjs', import.meta.url));
export const adminToken = '0123456789abcdef0123456789abcdef01234567';
export const adminPassword = 'admin';
const startTimeoutMs = 300_000;

/**
 * The system for the tests of a file, and the administrator's client. All files of a run share one: the first that
 * needs it starts it, the end of the run stops it. Without jest's global set-up each file starts and stops its own.
 * Every answer that the client gets is compared with what the API document says of it.
 */
export function useSystem(): { readonly system: System; readonly admin: Client } {
  let system: System | undefined;
  let own: string | undefined;
  let described: Described | undefined;
  beforeAll(async () => {
    const shared = runFolder();
    if (shared === undefined) own = await temporaryFolder();
    system = await theSystem(shared ?? own!);
    // The first requests of tests must not wait for processes that compile their code.
    const admin = new Client(system.base, `Token ${adminToken}`);
    await admin.get('/api/dcim/sites/?limit=1');
    const document = await admin.get('/api/schema/?format=json');
    if (document.status !== 200) throw new Error(`There is no API document: ${document.status} ${document.text}`);
    described = describedBy(document.text);
  }, startTimeoutMs + 10_000);
  afterAll(async () => {
    if (own !== undefined) await clear(own);
  });
  return {
    get system() {
      return system!;
    },
    get admin() {
      return new Client(system!.base, `Token ${adminToken}`, (...answer) => described?.difference(...answer));
    },
  };
}

async function theSystem(folder: string): Promise<System> {
  const data = join(folder, 'system');
  return JSON.parse(await once(data, async () => JSON.stringify(await start(folder, data)))) as System;
}

async function start(folder: string, data: string): Promise<System> {
  const postgres =
    runFolder() === folder
      ? await sharedServer(folder)
      : (await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), durable: false })).url;
  const port = await freePort();
  const logFile = join(data, 'log');
  const log = openSync(logFile, 'a');
  const child = spawn(process.execPath, [program], {
    stdio: ['ignore', log, log],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: String(port),
      LISTEN_HOST: '127.0.0.1',
      DATA_DIR: data,
      DATABASE_URL: postgres,
      SUPERUSER_NAME: 'admin',
      SUPERUSER_PASSWORD: adminPassword,
      SUPERUSER_EMAIL: 'admin@example.com',
      SUPERUSER_API_TOKEN: adminToken,
      LOG_LEVEL: 'warn',
      ...settingsOfTests(),
      IMPORT_API: 'true',
      // All files log in as the same administrator.
      LOGIN_SESSIONS: '1000',
      // A group that only the tests of second factors use.
      SECOND_FACTOR_GROUPS: 'must-have-a-second-factor',
      // What takes milliseconds may take a thousand times that on a busy machine, without any fault.
      STATEMENT_TIMEOUT_MS: '30000',
      DATABASE_WAIT_MS: '60000',
      GRPC_TIMEOUT_MS: '60000',
      PROXY_TIMEOUT_MS: '180000',
      PASSWORD_WAIT_MS: '30000',
      CHANGELOG_WAIT_MS: '30000',
      READ_AFTER_WRITE_MS: '30000',
      // As under npm: the system stops by itself when the process that started it has ended, even if it was killed.
      npm_lifecycle_event: 'test',
    },
  });
  child.unref();
  const ended = new Promise<never>((_, fail) => {
    child.once('exit', (code) =>
      fail(new Error(`The system ended with code ${code}:\n${readFileSync(logFile, 'utf8').slice(-4_000)}`)),
    );
  });
  ended.catch(() => undefined);
  await Promise.race([ready(logFile), ended]);
  return { base: `http://127.0.0.1:${port}`, postgres, folder: data };
}

/** Waits for the supervisor to report that every service is ready. */
async function ready(logFile: string): Promise<void> {
  for (
    const until = Date.now() + startTimeoutMs;
    !readFileSync(logFile, 'utf8').includes('Cadastre is ready');
    await sleep(50)
  ) {
    if (Date.now() > until) throw new Error(`The system is not ready:\n${readFileSync(logFile, 'utf8').slice(-4_000)}`);
  }
}

/** The processes of the system by service; several services may be in one. */
export function processesOf(system: Pick<System, 'folder'>): Record<string, number> {
  const { services } = JSON.parse(readFileSync(join(system.folder, 'run.json'), 'utf8')) as {
    services: { name: string; pid: number }[];
  };
  return Object.fromEntries(services.map(({ name, pid }) => [name, pid]));
}

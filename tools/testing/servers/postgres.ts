import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../local/embedded-postgres/start.ts';
import { clear, runFolder, sharedServer, temporaryFolder } from '../test-run.ts';

export type TestDatabase = {
  /** The URL of an empty database that nobody else uses, as superuser. */
  readonly url: string;
  /** Drops it, and ends what connections there are. */
  drop(): Promise<void>;
};

/**
 * Creates a database for one test file on the PostgreSQL server of the test run (DATABASE_URL, if set, names another).
 * Without jest's global set-up the file gets a server of its own, which ends with `drop()`.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = await testServer();
  const name = `test_${randomBytes(6).toString('hex')}`;
  await run(server.url, `create database ${name}`);
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return {
    url: url.toString(),
    drop: async () => {
      await untilLeft(server.url, name);
      await run(server.url, `drop database if exists ${name} with (force)`);
      await server.stop();
    },
  };
}

async function testServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const given = process.env.DATABASE_URL;
  if (given) return { url: given, stop: async () => undefined };
  const folder = runFolder();
  if (folder !== undefined) return { url: await sharedServer(folder), stop: async () => undefined };
  const own = await temporaryFolder();
  const server = await startEmbeddedPostgres({ dataDir: join(own, 'postgres'), durable: false });
  return { url: server.url, stop: () => clear(own) };
}

/** How long connections that were closed may take to disappear. */
const LEAVE_MS = 2_000;

/**
 * Waits a moment until no connection to a database is left. A closed connection remains for a while, and its client
 * would get an error if it were terminated by force.
 */
async function untilLeft(url: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const until = Date.now() + LEAVE_MS; Date.now() < until; await sleep(10)) {
      const { rows } = await client.query('select from pg_stat_activity where datname = $1 limit 1', [name]);
      if (rows.length === 0) return;
    }
  } finally {
    await client.end();
  }
}

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

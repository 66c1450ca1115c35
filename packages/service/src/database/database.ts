import { answerWithinMs } from '@cadastre/events/unanswered';
import type { Client, Pool } from 'pg';
import type { Config } from '../settings/config.ts';
import { type Connections, createConnections, timesAsSent } from './connections.ts';
import type { Log } from '../observe/log.ts';
import { isPending } from './schema/history.ts';
import type { Migrating } from './schema/migrate.ts';
import { connectWhenReady } from './wait-for-database.ts';

/** An arbitrary number, the same in every process, so that one of several processes migrates while the others wait. */
const migrationLock = 4_621_900_730_411;

export type DatabaseOptions = {
  readonly url: string;
  /** The setting that the URL comes from. */
  readonly variable?: string;
  /** The folder of the migrations; without it none are run. */
  readonly migrations?: string;
  readonly config: Pick<Config, 'databaseWaitMs' | 'statementTimeoutMs'> &
    Partial<Pick<Config, 'databasePool' | 'databaseIdleMs'>>;
  readonly log: Log;
  /** Shown in pg_stat_activity. */
  readonly name?: string;
  /** The connections of the process; by default the database has connections of its own. */
  readonly connections?: Connections;
};

export type Database = {
  readonly pool: Pool;
  /** Throws when the database does not answer. */
  check(): Promise<void>;
  close(): Promise<void>;
};

/**
 * Opens a service's database: waits until it is there, creates what is missing (extensions, pending migrations; one
 * process at a time) and returns a pool of connections to it.
 * @throws NewerSchema when a later program has changed the tables so that this one must not use them
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, variable, migrations, config, log, name = 'cadastre', connections = createConnections() } = options;
  const client = await connectWhenReady(
    url,
    {
      waitMs: config.databaseWaitMs,
      applicationName: `${name} (start)`,
      ...(variable === undefined ? {} : { variable }),
    },
    log,
  );
  try {
    if (migrations !== undefined && (await isPending(client, migrations)))
      await migrate({ url, name, migrations, log }, client);
  } finally {
    await client.end();
  }
  const pool = connections.pool({
    url,
    name,
    statementTimeoutMs: config.statementTimeoutMs,
    // The server ends statements that take too long; if it does not even answer that, it is gone, and the connection
    // with it.
    answerTimeoutMs: config.statementTimeoutMs + answerWithinMs,
    idleMs: config.databaseIdleMs ?? IDLE_MS,
    places: config.databasePool,
    types: timesAsSent(),
  });
  return {
    pool,
    check: async () => {
      await pool.query('select 1');
    },
    close: () => pool.end(),
  };
}

const IDLE_MS = 10_000;

/** The lock belongs to the session of `client`, so it ends with the session whatever happens. */
async function migrate(options: Omit<Migrating, 'client'>, client: Client): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [migrationLock]);
  try {
    // Another process may have migrated meanwhile; one of a later version may even have applied more migrations than
    // this one has.
    if (!(await isPending(client, options.migrations))) return;
    // Loading this takes a fifth of a second and 30 MB, so only a database that is not up to date has to pay for it.
    const { runMigrations } = await import('./schema/migrate.ts');
    await runMigrations({ ...options, client });
  } finally {
    await client.query('select pg_advisory_unlock($1)', [migrationLock]);
  }
}

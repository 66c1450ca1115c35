import { answerWithinMs } from '@cadastre/events/unanswered';
import { Migrator } from '@mikro-orm/migrations';
import { type EntitySchema, MikroORM, type Options, type PostgreSqlConnection } from '@mikro-orm/postgresql';
import type { Client, Pool } from 'pg';
import type { Config } from './config.ts';
import { extensions } from './extensions.ts';
import type { Log } from './log.ts';
import { connectWhenReady } from './wait-for-database.ts';

/** Any number, the same in every process, so that one of several replicas migrates while the others wait. */
const migrationLock = 4_621_900_730_411;

export type DatabaseOptions = {
  readonly url: string;
  /** The setting that the URL comes from. */
  readonly variable?: string;
  readonly entities: readonly EntitySchema[];
  /** The folder of the migrations; without it none are run. */
  readonly migrations?: string;
  readonly config: Pick<Config, 'databasePool' | 'databaseWaitMs' | 'statementTimeoutMs'>;
  readonly log: Log;
  /** Shown in pg_stat_activity. */
  readonly name?: string;
};

export type Database = {
  readonly orm: MikroORM;
  /** The ORM's own pool, for statements written by hand. */
  readonly pool: Pool;
  /** Throws when the database does not answer. */
  check(): Promise<void>;
  close(): Promise<void>;
};

/**
 * Opens a service's database: waits until it is there, creates what is missing (extensions, pending migrations; one
 * process at a time) and returns the ORM and its pool.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { config, log, name = 'cadastre' } = options;
  const client = await connectWhenReady(
    options.url,
    {
      waitMs: config.databaseWaitMs,
      applicationName: `${name} (start)`,
      ...(options.variable === undefined ? {} : { variable: options.variable }),
    },
    log,
  );
  let orm: MikroORM | undefined;
  try {
    orm = await MikroORM.init(ormOptions(options, name));
    if (options.migrations !== undefined) await migrate(orm, client, log);
    const pool = await (orm.em.getConnection() as PostgreSqlConnection).getNativeClient();
    await limitAnswers(pool, config.statementTimeoutMs + answerWithinMs);
    const opened = orm;
    return {
      orm,
      pool,
      check: async () => {
        await pool.query('select 1');
      },
      close: () => opened.close(true),
    };
  } catch (error) {
    await orm?.close(true);
    throw error;
  } finally {
    await client.end();
  }
}

function ormOptions({ url, entities, migrations, config, log }: DatabaseOptions, name: string): Options {
  return {
    clientUrl: url,
    entities: [...entities],
    discovery: { warnWhenNoEntities: false },
    metadataCache: { enabled: false },
    extensions: [Migrator],
    migrations: { path: migrations, pathTs: migrations, snapshot: false, silent: true, allOrNothing: true },
    pool: { min: 0, max: config.databasePool, idleTimeoutMillis: 60_000 },
    driverOptions: {
      ...socketOf(url),
      application_name: name,
      // What is asked without waiting for the answer before is sent at once: a transaction begins along with its first
      // statement, and commits along with its last.
      pipeline: true,
      statement_timeout: config.statementTimeoutMs,
      // A transaction that hangs must not hold its row locks for ever.
      idle_in_transaction_session_timeout: 6 * config.statementTimeoutMs,
      connectionTimeoutMillis: config.statementTimeoutMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: 5_000,
    },
    logger: (message) => log.debug(message),
    colors: false,
  };
}

/**
 * The folder of a server's socket, if the URL names one (`?host=/folder`), as libpq has it. The ORM takes only the
 * other parts of a URL.
 */
function socketOf(url: string): { host?: string } {
  const host = new URL(url).searchParams.get('host');
  return host ? { host } : {};
}

/**
 * The server ends what takes too long; where it does not even say that, it is gone, and the connection with it. Not
 * before the migrations, which may take as long as they like, so what they were run on is not used again.
 */
async function limitAnswers(pool: Pool, ms: number): Promise<void> {
  (pool.options as { query_timeout?: number }).query_timeout = ms;
  while (pool.idleCount > 0) (await pool.connect()).release(true);
}

/**
 * Runs what is pending in one transaction. The lock is the session's of `client`, so it ends with it whatever happens.
 */
async function migrate(orm: MikroORM, client: Client, log: Log): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [migrationLock]);
  try {
    await createExtensions(client, log);
    const applied = await orm.em.getConnection().transactional(async (transaction) => {
      await orm.em.getDriver().execute('set local statement_timeout = 0', [], 'all', transaction);
      return orm.migrator.up({ transaction });
    });
    const last = applied.at(-1);
    if (last) log.debug({ migrations: applied.length, last: last.name }, 'migrated');
  } finally {
    await client.query('select pg_advisory_unlock($1)', [migrationLock]);
  }
}

/**
 * A managed server may let only its administrator create extensions; then they must be there already, and a migration
 * says so if not.
 */
async function createExtensions(client: Client, log: Log): Promise<void> {
  const { rows } = await client.query<{ extname: string }>('select extname from pg_extension');
  const present = new Set(rows.map((row) => row.extname));
  for (const extension of extensions) {
    if (present.has(extension)) continue;
    await client
      .query(`create extension if not exists ${extension}`)
      .catch((error: Error) => log.warn({ extension, reason: error.message }, 'cannot create a PostgreSQL extension'));
  }
}

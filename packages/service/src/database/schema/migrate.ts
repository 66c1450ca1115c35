import { pathToFileURL } from 'node:url';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import type { Client } from 'pg';
import { extensions } from './extensions.ts';
import type { Log } from '../../observe/log.ts';
import { EARLIER_MAY_GO_ON } from './history.ts';

export interface Migrating {
  readonly url: string;
  readonly name: string;
  /** The folder of the migrations. */
  readonly migrations: string;
  /** A connection to the same database, while nobody else migrates it. */
  readonly client: Client;
  readonly log: Log;
}

/** Runs pending migrations in one transaction, on connections of its own, which have no time limit. */
export async function runMigrations({ url, name, migrations, client, log }: Migrating): Promise<void> {
  await createExtensions(client, log);
  const orm = await MikroORM.init({
    clientUrl: url,
    // Migrations consist of statements; none needs an entity.
    entities: [],
    discovery: { warnWhenNoEntities: false },
    metadataCache: { enabled: false },
    extensions: [Migrator],
    migrations: { path: migrations, pathTs: migrations, snapshot: false, silent: true, allOrNothing: true },
    pool: { min: 0, max: 2 },
    driverOptions: { ...socketOf(url), application_name: `${name} (migrations)` },
    logger: (message) => log.debug(message),
    colors: false,
  });
  try {
    const applied = await orm.em.getConnection().transactional(async (transaction) => {
      await orm.em.getDriver().execute('set local statement_timeout = 0', [], 'all', transaction);
      const done = await orm.migrator.up({ transaction });
      const harmless = await harmlessOf(done);
      if (harmless.length > 0)
        for (const statement of noting(harmless)) await orm.em.getDriver().execute(statement, [], 'all', transaction);
      return done;
    });
    const last = applied.at(-1);
    if (last) log.debug({ migrations: applied.length, last: last.name }, 'migrated');
  } finally {
    await orm.close(true);
  }
}

/** The migrations whose class says by `static earlierMayGoOn = true` that programs without them may use the tables. */
async function harmlessOf(done: readonly { name: string; path?: string }[]): Promise<string[]> {
  const names: string[] = [];
  for (const { name, path } of done) {
    const classes = Object.values((await import(pathToFileURL(path!).href)) as object) as {
      earlierMayGoOn?: boolean;
    }[];
    if (classes.some((one) => one.earlierMayGoOn === true)) names.push(name);
  }
  return names;
}

/**
 * Records which migrations earlier programs may ignore. Their names are file names, so they need no escaping as
 * literals.
 */
const noting = (names: readonly string[]): string[] => [
  `alter table mikro_orm_migrations add column if not exists ${EARLIER_MAY_GO_ON} boolean not null default false`,
  `update mikro_orm_migrations set ${EARLIER_MAY_GO_ON} = true where name in (${names.map((name) => `'${name}'`).join(', ')})`,
];

/**
 * The folder of a server's socket, if the URL names one (`?host=/folder`), as libpq has it. The ORM takes only the
 * other parts of a URL.
 */
function socketOf(url: string): { host?: string } {
  const host = new URL(url).searchParams.get('host');
  return host ? { host } : {};
}

/**
 * A managed server may let only its administrator create extensions. Then they must exist already; if not, a migration
 * says so.
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

// Prepares the databases of a deployment before its services start, and ends. docs/operations.md explains how to use
// it.
import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { NewerSchema } from '@cadastre/events/newer-schema';
import {
  ConfigError,
  configExitCode,
  connectWhenReady,
  createLog,
  type Log,
  newerSchemaExitCode,
  openDatabase,
  readSettings,
  Secret,
  serviceDatabaseUrl,
} from '@cadastre/service';
import { migrationsOf } from '@cadastre/service/schema/index';
import { postgresUrl } from '@cadastre/service/setting-kinds';
import { settings } from '@cadastre/service/settings';
import { ownerOf, prepareDatabases } from './roles.ts';

const services = resolve(import.meta.dirname, '../../services');
const usage = `node tools/deploy/migrate.ts [service …]

Runs the pending migrations of the named services, or of all. With POSTGRES_ADMIN_URL it first creates the roles and
databases that are missing, as the services' database URLs name them, and with EVENTS_DATABASE_URL that of the event log.
`;

const { DATABASE_URL, DATABASE_WAIT_MS, EVENTS_DATABASE_URL, LOG_LEVEL, LOG_FORMAT } = settings;
const shape = {
  DATABASE_URL,
  DATABASE_WAIT_MS,
  EVENTS_DATABASE_URL,
  LOG_LEVEL,
  LOG_FORMAT,
  POSTGRES_ADMIN_URL: postgresUrl.optional(),
};
type Settings = ReturnType<typeof readSettings<typeof shape>>;

/** The services that have a database. */
const withDatabases = (): string[] =>
  readdirSync(services)
    .filter((name) => existsSync(migrationsOf(services, name)))
    .sort();

function chosenServices(given: readonly string[]): string[] {
  const known = withDatabases();
  const unknown = given.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new ConfigError([
      `there is no database of ${unknown.join(', ')}; there are those of ${known.join(', ')}\n\n${usage}`,
    ]);
  return given.length > 0 ? [...given] : known;
}

/** The URL of each service's database, all or none. */
function urlsOf(names: readonly string[], { databaseUrl }: Settings): Map<string, string> {
  const own = names.flatMap((name) => {
    const url = process.env[`${name.toUpperCase()}_DATABASE_URL`];
    return url ? [[name, new Secret(url)] as const] : [];
  });
  const from = { databaseUrls: new Map(own), ...(databaseUrl ? { databaseUrl } : {}) } as Parameters<
    typeof serviceDatabaseUrl
  >[0];
  const wrong = own
    .filter(([, url]) => !postgresUrl.safeParse(url.reveal()).success)
    .map(
      ([name]) => `${name.toUpperCase()}_DATABASE_URL must be a URL like postgres://user:password@host:5432/database`,
    );
  if (wrong.length > 0) throw new ConfigError(wrong);
  return new Map(names.map((name) => [name, serviceDatabaseUrl(from, name)]));
}

async function prepare(admin: string, urls: readonly string[], waitMs: number, log: Log): Promise<void> {
  const client = await connectWhenReady(admin, { waitMs, applicationName: 'cadastre migrate' }, log);
  try {
    const made = await prepareDatabases(client, urls.map(ownerOf));
    if (made.length > 0) log.info({ databases: made.join(', ') }, 'created');
  } finally {
    await client.end();
  }
}

async function main(): Promise<void> {
  const config = readSettings(shape, process.env);
  const log = createLog('migrate', config);
  const names = chosenServices(process.argv.slice(2));
  const urls = urlsOf(names, config);
  const events = config.eventsDatabaseUrl ? [config.eventsDatabaseUrl.reveal()] : [];
  if (config.postgresAdminUrl)
    await prepare(config.postgresAdminUrl.reveal(), [...urls.values(), ...events], config.databaseWaitMs, log);
  for (const [name, url] of urls) {
    const options = { databasePool: 2, databaseWaitMs: config.databaseWaitMs, statementTimeoutMs: 60_000 };
    const database = await openDatabase({
      url,
      migrations: migrationsOf(services, name),
      config: options,
      log,
      name: `${name} migrate`,
    });
    await database.close();
    log.info({ of: name }, 'the database is up to date');
  }
}

await main().catch((error: unknown) => {
  const newer = error instanceof NewerSchema;
  const known = newer || error instanceof ConfigError;
  process.stderr.write(`${known ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(newer ? newerSchemaExitCode : known ? configExitCode : 1);
});

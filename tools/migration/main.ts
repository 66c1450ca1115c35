import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Catalogue, loadCatalogue } from '@cadastre/model';
import { createLog, openDatabase, withDatabase } from '@cadastre/service';
import { differences, migrationsOf, migrationText } from '@cadastre/service/schema/index';
import { ensureDatabases } from '../local/embedded-postgres/databases.ts';
import { startEmbeddedPostgres } from '../local/embedded-postgres/start.ts';

const services = resolve(import.meta.dirname, '../../services');
const usage = `Writes the migrations that the declarations of models ask for.

  npm run migration -- <service>|all [name]   writes services/<service>/migrations/Migration<time>_<name>.ts
  npm run migration -- --check [service]      fails when one is missing
`;

interface Order {
  check: boolean;
  chosen: string[];
  name: string;
}

/** The command that was given; undefined when it is not valid. */
export function orderOf(given: readonly string[], known: readonly string[]): Order | undefined {
  const check = given.includes('--check');
  const [service = check ? 'all' : undefined, name = 'update'] = given.filter((word) => word !== '--check');
  const chosen = service === 'all' ? [...known] : known.filter((one) => one === service);
  return chosen.length && /^[a-z0-9_]+$/.test(name) ? { check, chosen, name } : undefined;
}

/** Migrations of the tables that every service has, by the class that makes them; in the order in which they came. */
const INFRASTRUCTURE: Record<string, string> = {
  Migration00000000000000_infrastructure: 'Infrastructure',
  Migration20261121140000_parked_replays: 'ParkedReplays',
  Migration20261121141000_replica_notes: 'ReplicaNotes',
  Migration20261121141000_outbox_queue: 'OutboxQueue',
  Migration20261123153000_imported_objects: 'ImportedObjects',
  Migration20261128010000_table_names: 'TableNames',
};

const infrastructure = (name: string, made: string): string => `// The tables that every service has.
export { ${made} as ${name} } from '@cadastre/service/schema/infrastructure';
`;

/**
 * The statements that are missing in a service's migrations. Runs those that are there on an empty database, as the
 * service does.
 */
async function missing(catalogue: Catalogue, service: string, server: string): Promise<string[]> {
  const [name, scratch] = [`migration_${service}`, `migration_${service}_declared`];
  await ensureDatabases(server, [name, scratch]);
  const database = await openDatabase({
    url: withDatabase(server, name),
    migrations: migrationsOf(services, service),
    name: 'cadastre migration',
    config: { databasePool: 2, databaseWaitMs: 10_000, statementTimeoutMs: 60_000 },
    log: createLog('migration', { logLevel: 'warn', logFormat: 'pretty' }),
  });
  await database.close();
  return differences(catalogue, service, withDatabase(server, name), withDatabase(server, scratch));
}

async function carryOut({ check, chosen, name }: Order, catalogue: Catalogue): Promise<boolean> {
  const dataDir = mkdtempSync(join(tmpdir(), 'cadastre-migration-'));
  chmodSync(dataDir, 0o711);
  const server = await startEmbeddedPostgres({ dataDir, durable: false });
  try {
    let complete = true;
    for (const service of chosen) complete = (await update(service, name, check, catalogue, server.url)) && complete;
    return complete;
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Writes the missing migration, or only reports it. Returns whether nothing was missing. */
async function update(
  service: string,
  name: string,
  check: boolean,
  catalogue: Catalogue,
  server: string,
): Promise<boolean> {
  const folder = migrationsOf(services, service);
  for (const [name, made] of Object.entries(INFRASTRUCTURE)) {
    const file = join(folder, `${name}.ts`);
    if (existsSync(file)) continue;
    if (check) {
      console.error(`${service}: ${name}.ts is missing`);
      return false;
    }
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, infrastructure(name, made));
  }
  const statements = await missing(catalogue, service, server);
  if (!statements.length) {
    console.log(`${service}: up to date`);
    return true;
  }
  if (check) {
    console.error(
      `${service}: a migration is missing; run npm run migration -- ${service} <name>\n${statements.map((s) => `  ${s};`).join('\n')}`,
    );
    return false;
  }
  const className = `Migration${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}_${name}`;
  writeFileSync(join(folder, `${className}.ts`), migrationText(className, statements));
  console.log(`${service}: wrote services/${service}/migrations/${className}.ts`);
  return true;
}

if (import.meta.main) {
  const catalogue = await loadCatalogue(services);
  const order = orderOf(
    process.argv.slice(2),
    catalogue.services().filter((service) => readdirSync(services).includes(service)),
  );
  if (!order) {
    console.error(usage);
    process.exitCode = 2;
  } else if (!(await carryOut(order, catalogue))) process.exitCode = 1;
}

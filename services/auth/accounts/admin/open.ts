import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadCatalogue } from '@cadastre/model';
import { Engine, type Peers } from '@cadastre/rest';
import { createLog, openDatabase } from '@cadastre/service';
import { loadConfig } from '@cadastre/service/config';
import type { Environment } from '@cadastre/service/read-settings';
import { migrationsOf } from '@cadastre/service/schema/index';
import type { Pool } from 'pg';
import { facilities } from '../facilities.ts';
import { hashingPlaces } from '../../passwords/password.ts';
import { type AdminAccounts, adminAccounts } from './accounts.ts';
import { Refused } from './refused.ts';

const folder = fileURLToPath(new URL('../../..', import.meta.url));

/** How long a database may take to answer: somebody sits in front of it. */
const WAIT_MS = 10_000;

/**
 * Accounts in the database of an auth service, whether it runs or not. The settings of the environment are to be those
 * of the service: what passwords must be like, and what hashes cost.
 * @param by stands in change records and security events for who did it
 * @throws Error when it is no such database, or its schema is another than this program's
 */
export async function openAccounts(
  url: string,
  env: Environment,
  by: string,
): Promise<AdminAccounts & { close(): Promise<void> }> {
  const config = loadConfig(env);
  // Messages go to the operator; the security events are in the database.
  const log = createLog('auth', { logLevel: 'silent', logFormat: 'json' });
  const { pool, close } = await openDatabase({
    url,
    config: { databasePool: 2, databaseWaitMs: WAIT_MS, statementTimeoutMs: config.statementTimeoutMs },
    log,
    name: by,
  });
  try {
    await requireSchema(pool);
    const catalogue = await loadCatalogue(folder);
    const engine = new Engine({
      catalogue,
      service: 'auth',
      pool,
      facilities: facilities(config, hashingPlaces(config), log),
      peers: alone,
      settings: {
        paginateCount: config.paginateCount,
        maxPageSize: config.maxPageSize,
        maxRegexLength: config.maxRegexLength,
        maxBulkItems: config.maxBulkItems,
        maxExportRows: config.exportMaxRows,
        maxFileBytes: config.mediaMaxBytes,
        rowTextBytes: 0,
      },
    });
    return { ...adminAccounts(engine, by), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A change of an account asks no other service. */
const alone = new Proxy({} as Peers, {
  get(_, name) {
    throw new Error(`no service is asked here (${String(name)})`);
  },
});

/** A program that knows another schema would write what the service cannot read. @throws Refused */
async function requireSchema(pool: Pool): Promise<void> {
  const {
    rows: [table],
  } = await pool.query<{ is: string }>(
    `select (to_regclass('mikro_orm_migrations') is not null and to_regclass('users_user') is not null)::text as is`,
  );
  if (table?.is !== 'true')
    throw new Refused('This is not the database of the auth service (usually called cadastre_auth).');
  const had = new Set(
    (await pool.query<{ name: string }>('select name from mikro_orm_migrations')).rows.map(({ name }) => name),
  );
  const known = readdirSync(migrationsOf(folder, 'auth')).flatMap(
    (file) => /^(.+?)(?<!\.d)\.(?:js|ts|cjs)$/.exec(file)?.[1] ?? [],
  );
  if (known.some((name) => !had.has(name)))
    throw new Refused('The database is older than this program: start the system with this version first.');
  if ([...had].some((name) => !known.includes(name)))
    throw new Refused('The database is newer than this program: use the version that the system runs.');
}

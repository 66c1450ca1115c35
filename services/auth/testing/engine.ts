import { resolve } from 'node:path';
import { loadCatalogue } from '@cadastre/model';
import { Engine, type Peers } from '@cadastre/rest';
import { createLog, openDatabase } from '@cadastre/service';
import { migrationsOf } from '@cadastre/service/schema/index';
import { engineSettings } from '@cadastre/rest/testing/settings';
import { createTestDatabase } from '../../../tools/testing/servers/postgres.ts';

const folder = resolve(import.meta.dirname, '../..');

/** The database of the service as its migrations make it, with the pipeline that writes into it. */
export interface TestEngine {
  engine: Engine;
  sql(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

export async function openTestEngine(): Promise<TestEngine> {
  const database = await createTestDatabase();
  const { pool, close } = await openDatabase({
    url: database.url,
    migrations: migrationsOf(folder, 'auth'),
    config: { databasePool: 6, databaseWaitMs: 10_000, statementTimeoutMs: 30_000 },
    log: createLog('test', { logLevel: 'silent', logFormat: 'json' }),
    name: 'auth',
  });
  const engine = new Engine({
    catalogue: await loadCatalogue(folder),
    service: 'auth',
    pool,
    peers: {} as Peers,
    settings: { ...engineSettings, rowTextBytes: 0 },
  });
  return {
    engine,
    sql: async (text, values = []) => (await pool.query(text, values)).rows as Record<string, unknown>[],
    async close() {
      await close();
      await database.drop();
    },
  };
}

import { fileURLToPath } from 'node:url';
import type { Pool } from 'pg';
import { type Catalogue, type Column, columnsOf, loadCatalogue, type Model, quote } from '@cadastre/model';
import { Tables } from '@cadastre/rest';
import { createLog, openDatabase } from '@cadastre/service';
import { migrationsOf } from '@cadastre/service/schema/index';
import { createTestDatabase } from './servers/postgres.ts';

const services = fileURLToPath(new URL('../../services', import.meta.url));

/** A service's database as its migrations make it, without the service. */
export interface Filled {
  catalogue: Catalogue;
  tables: Tables;
  pool: Pool;
  /**
   * Puts rows into a type's table, own or replica: `n` (1 …) in SQL for each column that matters, the others get
   * something harmless.
   */
  fill(
    type: string,
    rows: number,
    values?: Record<string, string>,
    more?: { /** Whether PostgreSQL is to look at what is there now; by default it is. */ analyze?: boolean },
  ): Promise<void>;
  close(): Promise<void>;
}

export async function openFilled(service: string): Promise<Filled> {
  const catalogue = await loadCatalogue(services);
  const scratch = await createTestDatabase();
  const database = await openDatabase({
    url: scratch.url,
    migrations: migrationsOf(services, service),
    name: 'filled',
    config: { databasePool: 2, databaseWaitMs: 10_000, statementTimeoutMs: 120_000 },
    log: createLog('filled', { logLevel: 'warn', logFormat: 'pretty' }),
  });
  const tables = new Tables(catalogue, service);
  return {
    catalogue,
    tables,
    pool: database.pool,
    async fill(type, rows, values = {}, { analyze = true } = {}) {
      const text = fillText(tables, catalogue.get(type), values);
      const client = await database.pool.connect();
      try {
        // What the rows refer to is of no interest here.
        await client.query('set session_replication_role = replica');
        await client.query(text, [rows]);
        await client.query('set session_replication_role = origin');
        if (analyze) await client.query(`analyze ${tables.nameOf(type)}`);
      } finally {
        client.release();
      }
    },
    async close() {
      await database.close();
      await scratch.drop();
    },
  };
}

function fillText(tables: Tables, model: Model, values: Record<string, string>): string {
  const kept = tables.columnsOf(model);
  const columns = columnsOf(model).filter((c) => kept.has(c.name));
  const given = columns.flatMap((c) => {
    const value = values[c.name] ?? harmless(c);
    return value === undefined ? [] : [[c.name, value] as const];
  });
  return `insert into ${tables.nameOf(model.name)} (${given.map(([name]) => quote(name)).join(', ')}) select ${given.map(([, value]) => value).join(', ')} from generate_series(1, $1::int) n`;
}

/** A value that differs from row to row where it may have to; undefined leaves the column to its default. */
function harmless(column: Column): string | undefined {
  if (column.name === 'id') return 'n';
  if (column.name === '_path') return 'array[n]';
  if (column.name === '_sort') return 'array[n::text]';
  if (column.nullable || (column.default !== undefined && !column.unique)) return undefined;
  if (column.type.endsWith('[]')) return `'{}'`;
  if (/char|text/.test(column.type)) return column.unique ? `'v' || n` : `'v'`;
  if (/int|numeric/.test(column.type)) return column.unique ? 'n' : '1';
  if (column.type === 'boolean') return 'false';
  if (/^timestamp|^date/.test(column.type)) return 'now()';
  if (column.type === 'jsonb') return `'{}'`;
  if (column.type === 'uuid') return 'gen_random_uuid()';
  return undefined;
}

import pg from 'pg';
import type { System } from '../../tools/testing/fresh-system.ts';

/** Does something with a connection of its own. */
export async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** A connection for statistics of the whole server, which every role may read. */
export const connectedToServer = <T>(system: System, work: (client: pg.Client) => Promise<T>): Promise<T> =>
  connected(system.databaseUrl('dcim'), work);

/** The number of client connections by database, without this one. */
export async function backendsOf(client: pg.Client): Promise<Record<string, number>> {
  // Little more than this is visible of connections of other roles. The server's own processes have no user or no
  // database.
  const { rows } = await client.query<{ name: string; count: number }>(`
    select replace(datname, 'cadastre_', '') as name, count(*)::int as count from pg_stat_activity
    where datid is not null and usesysid is not null and pid <> pg_backend_pid() group by 1`);
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

/** The number of transactions that each database has ended since it was created. */
export async function commitsOf(client: pg.Client): Promise<Record<string, number>> {
  const { rows } = await client.query<{ name: string; count: number }>(`
    select replace(datname, 'cadastre_', '') as name, (xact_commit + xact_rollback)::float8 as count from pg_stat_database
    where datname is not null and datname !~ '^template'`);
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

/** How often the server has synced its write-ahead log to disk; 0 before PostgreSQL 18, which does not report it. */
export async function syncsOf(client: pg.Client): Promise<number> {
  const { rows } = await client
    .query<{ count: number }>(`select coalesce(sum(fsyncs), 0)::float8 as count from pg_stat_io where object = 'wal'`)
    .catch(() => ({ rows: [] }));
  return rows[0]?.count ?? 0;
}

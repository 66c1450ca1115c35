import pg from 'pg';
import type { Ask } from './layout.ts';

/** One state of a database, however long it is read and whatever others write meanwhile. Read-only. */
export interface Snapshot {
  /** May be called concurrently; as many connections work on it as were allowed. */
  ask: Ask;
  close(): Promise<void>;
}

/**
 * No timeout may end the transaction, as the state would be lost; times are read in UTC. The settings apply to the
 * transaction alone, so a connection pooler passes none of them on.
 */
const BEGIN = `
  begin isolation level repeatable read read only; set local statement_timeout = 0; set local lock_timeout = 0;
  set local idle_in_transaction_session_timeout = 0; set local timezone = 'UTC'`;

export async function snapshotOf(url: string, name: string, connections: number): Promise<Snapshot> {
  const unread = (error: unknown): Error => new Error(`${name} cannot be read: ${reasonOf(error)}`, { cause: error });
  const holder = new pg.Client({ connectionString: url, keepAlive: true, application_name: 'cadastre import' });
  // The next statement reports a lost connection.
  holder.on('error', () => undefined);
  const snapshot = await begun(holder).catch((error: unknown) => {
    throw unread(error);
  });
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    idleTimeoutMillis: 0,
    keepAlive: true,
    application_name: 'cadastre import',
    onConnect: async (client: pg.ClientBase) => {
      await client.query(`${BEGIN}; set transaction snapshot ${client.escapeLiteral(snapshot)}`);
    },
  });
  pool.on('error', () => undefined);
  return {
    async ask(sql, values = []) {
      const client = await pool.connect().catch((error: unknown) => {
        throw unread(error);
      });
      let failed: unknown;
      try {
        return (await client.query({ text: sql, values, rowMode: 'array' })).rows as unknown[][];
      } catch (error) {
        failed = error;
        throw unread(error);
      } finally {
        // After an error, a transaction refuses all further statements.
        client.release(failed !== undefined);
      }
    },
    async close() {
      await Promise.allSettled([pool.end(), holder.end()]);
    },
  };
}

/** Begins the transaction whose state the others share. @returns the id of its snapshot */
async function begun(holder: pg.Client): Promise<string> {
  await holder.connect();
  try {
    await holder.query(BEGIN);
    return (await holder.query<{ name: string }>('select pg_export_snapshot() as name')).rows[0]!.name;
  } catch (error) {
    await holder.end();
    throw error;
  }
}

/** When several addresses were tried, the error has no message of its own. */
function reasonOf(error: unknown): string {
  const reasons = error instanceof AggregateError ? (error.errors as Error[]) : [error as Error];
  return reasons.map(({ message }) => message).join('; ');
}

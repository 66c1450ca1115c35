import pg from 'pg';
import type { Ask } from './layout.ts';

/** One state of a database, however long it is looked at and whatever others write meanwhile. Nothing is written. */
export interface Snapshot {
  /** May be called as often at once as one likes; so many connections work on it as were allowed. */
  ask: Ask;
  close(): Promise<void>;
}

/**
 * Nothing may cut a transaction short, as the state would be gone; times are asked for in UTC. All of it holds for the
 * transaction alone, so a pooler between us and the database hands on no setting.
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
        // A transaction in which something failed answers nothing any more.
        client.release(failed !== undefined);
      }
    },
    async close() {
      await Promise.allSettled([pool.end(), holder.end()]);
    },
  };
}

/** Begins the transaction whose state the others share. @returns what they find it by */
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

/** Several addresses that were tried come without a message of their own. */
function reasonOf(error: unknown): string {
  const reasons = error instanceof AggregateError ? (error.errors as Error[]) : [error as Error];
  return reasons.map(({ message }) => message).join('; ');
}

import { isUnanswered } from '@cadastre/events/unanswered';
import type { Pool, PoolClient } from 'pg';

/** How often a transaction is tried when PostgreSQL ended it for another's sake (deadlock, serialization). */
const ATTEMPTS = 3;
const RETRIED = new Set(['40P01', '40001']);

/** Runs work in a transaction; commits when it resolves, rolls back when it rejects. */
export async function transaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await once(pool, work);
    } catch (error) {
      if (attempt >= ATTEMPTS || !RETRIED.has((error as { code?: string }).code ?? '')) throw error;
    }
  }
}

async function once<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    // A connection that cannot even roll back is not given back to the pool; nor is one on which no answer came, as
    // there none would come again.
    if (isUnanswered(error)) broken = error;
    else
      await client.query('rollback').catch((e: Error) => {
        broken = e;
      });
    throw error;
  } finally {
    client.release(broken);
  }
}

import { transaction } from '@cadastre/rest';
import type { Pool, PoolClient } from 'pg';

const mostIdleMs = 10_000;

const key = (what: string): string => `hashtextextended('webhook ${what}', 0)`;

/**
 * Does something in a transaction that no other process does at the same time; they wait for each other. `what` is a
 * word of the code.
 */
export const withAdvisoryLock = <T>(pool: Pool, what: string, work: (client: PoolClient) => Promise<T>): Promise<T> =>
  transaction(pool, async (client) => {
    // A statement of its own, so that later ones see everything committed before the lock was acquired. A process that
    // hangs while holding the lock loses it, so that the others do not wait forever.
    await client.query(
      `select set_config('idle_in_transaction_session_timeout', '${mostIdleMs}', true), pg_advisory_xact_lock(${key(what)})`,
    );
    return work(client);
  });

/** The same for work that only one process needs to do: returns undefined when another process is doing it. */
export const tryAdvisoryLock = <T>(
  pool: Pool,
  what: string,
  work: (client: PoolClient) => Promise<T>,
): Promise<T | undefined> =>
  transaction(pool, async (client) => {
    const { rows } = await client.query<{ got: boolean }>(`select pg_try_advisory_xact_lock(${key(what)}) as got`);
    return rows[0]?.got ? work(client) : undefined;
  });

import { isUnanswered } from '@cadastre/events/unanswered';
import type { Pool, PoolClient } from 'pg';

/** How often a transaction is tried that PostgreSQL aborts because of another (deadlock, serialization failure). */
const ATTEMPTS = 3;
const RETRIED = new Set(['40P01', '40001']);

/** The last statement under way in a transaction, by its connection. */
const lastStatements = new WeakMap<PoolClient, Promise<unknown>>();

/**
 * Registers the statement that a transaction ends with. It has been sent, and nobody waits for its result: the commit
 * is sent right behind it, so that the two cost one round trip to the database. If PostgreSQL refuses the statement,
 * nothing is committed. So it must really have been sent, and whatever can fail on this side must be done before.
 */
export function sendLast(client: PoolClient, last: Promise<unknown>): void {
  last.catch(() => undefined);
  lastStatements.set(client, last);
}

/** Waits for the statement that `sendLast` has registered, so that more may follow in the transaction. */
export async function lastStatementDone(client: PoolClient): Promise<void> {
  await lastStatements.get(client);
  lastStatements.delete(client);
}

/**
 * Waits for statements that were sent without waiting for each other, as none depends on the result of another. When
 * one fails, the others are awaited too: none may still be running when the connection serves somebody else. Returns
 * their results.
 */
export async function pipelined<const T extends readonly unknown[]>(
  statements: T,
): Promise<{ [Place in keyof T]: Awaited<T[Place]> }> {
  const done = await Promise.allSettled(statements);
  const failed = done.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
  return Promise.all(statements) as Promise<{ [Place in keyof T]: Awaited<T[Place]> }>;
}

/**
 * Runs work in a transaction; commits when it resolves, rolls back when it rejects. `committed` is called before the
 * connection is released.
 */
export async function transaction<T>(
  pool: Pool,
  work: (client: PoolClient) => Promise<T>,
  committed: (client: PoolClient) => void = () => undefined,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptOnce(pool, work, committed);
    } catch (error) {
      if (attempt >= ATTEMPTS || !RETRIED.has((error as { code?: string }).code ?? '')) throw error;
    }
  }
}

async function attemptOnce<T>(
  pool: Pool,
  work: (client: PoolClient) => Promise<T>,
  committed: (client: PoolClient) => void,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    const begun = client.query('begin');
    // The first statement of `work` is sent along with it.
    begun.catch(() => undefined);
    const result = await work(client);
    const commit = client.query('commit');
    commit.catch(() => undefined);
    await begun;
    await lastStatements.get(client);
    // PostgreSQL answers so when an earlier statement had failed and nobody noticed.
    if ((await commit).command === 'ROLLBACK') throw new Error('the transaction was rolled back');
    committed(client);
    return result;
  } catch (error) {
    // A connection that cannot even roll back is not given back to the pool; nor is one on which an answer failed to
    // come, as none would come for the next statement either.
    if (isUnanswered(error)) broken = error;
    else
      await client.query('rollback').catch((e: Error) => {
        broken = e;
      });
    throw error;
  } finally {
    lastStatements.delete(client);
    client.release(broken);
  }
}

import { isUnanswered } from '@cadastre/events/unanswered';
import type { Pool, PoolClient } from 'pg';

/** How often a transaction is tried when PostgreSQL ended it for another's sake (deadlock, serialization). */
const ATTEMPTS = 3;
const RETRIED = new Set(['40P01', '40001']);

/** What is under way last in a transaction, by its connection. */
const lastStatements = new WeakMap<PoolClient, Promise<unknown>>();

/**
 * Names the statement that a transaction ends with. It has been sent, and nobody waits for it: the commit goes right
 * behind, so that the two cost one way to the database. If PostgreSQL refuses the statement, nothing is committed; so it
 * must have been sent indeed, and whatever can fail on this side must be done before.
 */
export function sendLast(client: PoolClient, last: Promise<unknown>): void {
  last.catch(() => undefined);
  lastStatements.set(client, last);
}

/** What `sendLast` has named has been done: something more may follow in the transaction. */
export async function lastStatementDone(client: PoolClient): Promise<void> {
  await lastStatements.get(client);
  lastStatements.delete(client);
}

/**
 * Waits for statements of which none is made of what another answers, and which are sent without waiting. When one
 * fails, for the others too: none may come when the connection is somebody else's. Returns what they answer.
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
 * Runs work in a transaction; commits when it resolves, rolls back when it rejects. `committed` is told before the
 * connection is somebody else's.
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
    // What work asks first is sent along with it.
    begun.catch(() => undefined);
    const result = await work(client);
    const commit = client.query('commit');
    commit.catch(() => undefined);
    await begun;
    await lastStatements.get(client);
    // PostgreSQL answers so when a statement had failed before and nobody heard of it.
    if ((await commit).command === 'ROLLBACK') throw new Error('the transaction was rolled back');
    committed(client);
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
    lastStatements.delete(client);
    client.release(broken);
  }
}

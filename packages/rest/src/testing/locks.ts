import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';

type Asked = Pick<Pool | PoolClient, 'query'>;

/** How many transactions wait for a lock, in the database that is asked or in those that are named. */
export async function waitingForLocks(asked: Asked, databases: readonly string[] = []): Promise<number> {
  const { rows } = await asked.query<{ count: number }>(
    'select count(distinct l.pid)::int as count from pg_locks l join pg_stat_activity a using (pid) where not l.granted and a.datname = any($1::text[] || current_database()::text)',
    [databases],
  );
  return rows[0]!.count;
}

/** Returns once a transaction waits for a lock in the database. */
export async function untilLockWaits(asked: Asked): Promise<void> {
  while (!(await waitingForLocks(asked))) await sleep(1);
}

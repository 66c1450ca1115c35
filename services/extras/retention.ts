import type { Pool } from 'pg';
import { typeId } from '@cadastre/model';
import { rowsOf } from '@cadastre/rest';
import { setTimeout as sleep } from 'node:timers/promises';
import { forgetLostUsers } from './changeLog.ts';
import { objectChange } from './models/objectChange.ts';

/**
 * How many records one statement removes, and how long others have the database to themselves before the next, in
 * milliseconds.
 */
const BATCH = 5_000;
const BREATH_MS = 200;
/** How often old records are looked for, in milliseconds. */
const EVERY_MS = 600_000;

// One statement is one transaction, for which it holds the lock: of all processes one removes at a time, and the others
// have nothing to do.
const TRIM = `with turn as materialized (select pg_try_advisory_xact_lock(hashtextextended('cadastre change log retention', 0)) as mine),
  gone as (
    delete from ${objectChange.table} where (select mine from turn)
      and id in (select id from ${objectChange.table} where time < now() - make_interval(days => $1::int) order by time limit $2::int) returning id
  ), told as (insert into touched (type, id) select ${typeId(objectChange.name)}, 0 where exists (select from gone))
  select count(*) from gone`;

/** Removes the change records that are older than so many days, in portions. Returns how many. */
export async function trimChanges(
  pool: Pool,
  days: number,
  { batch = BATCH, signal }: { batch?: number; signal?: AbortSignal } = {},
): Promise<number> {
  for (let total = 0; ; await sleep(BREATH_MS)) {
    const [row] = await rowsOf(pool, { text: TRIM, values: [days, batch] });
    const count = Number(row![0]);
    total += count;
    if (count < batch || signal?.aborted) return total;
  }
}

/**
 * From time to time removes old records (those of 0 days are kept for ever), and lets go of users who are gone. Returns
 * what ends it.
 */
export function keepTidy(pool: Pool, days: number, onError: (error: unknown) => void): () => void {
  const stopping = new AbortController();
  const tidy = async (): Promise<void> => {
    if (days) await trimChanges(pool, days, { signal: stopping.signal });
    await forgetLostUsers(pool);
  };
  const timer = setInterval(() => {
    tidy().catch(onError);
  }, EVERY_MS);
  timer.unref();
  return () => {
    stopping.abort();
    clearInterval(timer);
  };
}

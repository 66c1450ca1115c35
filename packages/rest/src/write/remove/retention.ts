import { type Model, typeId } from '@cadastre/model';
import type { Pool } from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { rowsOf } from '../../db/sql.ts';

/**
 * How many objects one statement removes, and how long it pauses before the next so that others can use the database,
 * in milliseconds.
 */
const BATCH = 5_000;
const BREATH_MS = 200;
/** How often old objects are looked for, in milliseconds. */
const EVERY_MS = 600_000;

// Each statement is a transaction of its own, and holds the lock for as long: only one process removes at a time, and
// the others find nothing to do.
const trim = ({ name, table }: Model): string =>
  `with turn as materialized (select pg_try_advisory_xact_lock(hashtextextended('cadastre retention of ${name}', 0)) as mine),
  gone as (
    delete from ${table} where (select mine from turn)
      and id in (select id from ${table} where time < now() - make_interval(days => $1::int) order by time limit $2::int) returning id
  ), told as (insert into cache_invalidation (type, id) select ${typeId(name)}, 0 where exists (select from gone))
  select count(*) from gone`;

/**
 * Removes the objects of a model whose `time` is more than `days` days ago, in batches; for models whose objects are no
 * part of anything, and make no change records. Returns how many.
 */
export async function trimOld(
  pool: Pool,
  model: Model,
  days: number,
  { batch = BATCH, signal }: { batch?: number; signal?: AbortSignal } = {},
): Promise<number> {
  for (let total = 0; ; await sleep(BREATH_MS)) {
    const [row] = await rowsOf(pool, { text: trim(model), values: [days, batch] });
    const count = Number(row![0]);
    total += count;
    if (count < batch || signal?.aborted) return total;
  }
}

/** Does something from time to time. Returns a function that ends it. */
export function nowAndThen(
  work: (signal: AbortSignal) => Promise<void>,
  onError: (error: unknown) => void,
): () => void {
  const stopping = new AbortController();
  const timer = setInterval(() => {
    work(stopping.signal).catch(onError);
  }, EVERY_MS);
  timer.unref();
  return () => {
    stopping.abort();
    clearInterval(timer);
  };
}

import type pg from 'pg';
import { pause } from './backoff.ts';

const last = 'select max("id") as "last" from "change_queue"';
const left = 'select exists (select from "change_queue" where "id" <= $1) as "left"';

/** How often it looks, in milliseconds. */
const every = 10;

/** Resolves when everything has been published that was committed when it was called, or when the signal is aborted. When nothing waits, at once. */
export async function untilPublished(pool: pg.Pool, signal: AbortSignal): Promise<void> {
  const { rows } = await pool.query<{ last: string | null }>({ name: 'outbox-last', text: last });
  const id = rows[0]?.last ?? null;
  while (id !== null && !signal.aborted) {
    await pause(every, signal);
    const { rows: found } = await pool.query<{ left: boolean }>({ name: 'outbox-left', text: left, values: [id] });
    if (found[0]?.left !== true) return;
  }
}

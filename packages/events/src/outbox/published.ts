import type pg from 'pg';
import { pause } from '../waiting/backoff.ts';
import { lastQueued, leftQueued } from './queue.ts';

/** How often it looks, in milliseconds. */
const every = 10;

/**
 * Resolves when everything has been published that was committed when it was called, or when the signal is aborted.
 * When nothing waits, at once.
 */
export async function untilPublished(pool: Pick<pg.Pool, 'query'>, signal: AbortSignal): Promise<void> {
  const { rows } = await pool.query<{ last: string | null }>({ name: 'outbox-last', text: lastQueued });
  const id = rows[0]?.last ?? null;
  while (id !== null && !signal.aborted) {
    await pause(every, signal);
    const { rows: found } = await pool.query<{ left: boolean }>({
      name: 'outbox-left',
      text: leftQueued,
      values: [id],
    });
    if (found[0]?.left !== true) return;
  }
}

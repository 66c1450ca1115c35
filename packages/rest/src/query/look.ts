import type { Pool } from 'pg';
import { shared } from './shared.ts';

const LOOK = `select pg_snapshot_xmin(pg_current_snapshot())::text, (select string_agg(distinct type || ':' || id, ',') from touched where xact >= $1::text::xid8)`;
const START = 'select pg_snapshot_xmin(pg_current_snapshot())::text';

/** How long rows of `touched` are kept; a process that has not looked for half of it forgets all that it knows. */
export const TOUCHED_SECONDS = 600;

/** What has been touched since a place in the order of transactions. */
export interface Touches {
  /** Where to look from the next time. */
  cursor: string;
  /** `[number of the type, id]`; may name one again. An id of 0 stands for all of the type. Undefined where it was not said since when: anything may have changed. */
  touched: [type: number, id: string][] | undefined;
}

/**
 * Looks at table `touched`. A transaction that commits late is seen, because each look starts at the oldest transaction that was still
 * running at the previous one.
 */
export async function touchedSince(pool: Pool, cursor: string | undefined): Promise<Touches> {
  if (cursor === undefined) return { cursor: (await pool.query<[string]>({ text: START, rowMode: 'array' })).rows[0]![0], touched: undefined };
  const { rows } = await pool.query<[string, string | null]>({ name: 'look', text: LOOK, values: [cursor], rowMode: 'array' });
  const [xmin, pairs] = rows[0]!;
  // Transactions are numbered upwards: this is not the database any more that gave the cursor, or an earlier state of it.
  if (BigInt(xmin) < BigInt(cursor)) return { cursor: xmin, touched: undefined };
  return { cursor: xmin, touched: pairs ? pairs.split(',').map((pair) => { const colon = pair.indexOf(':'); return [Number(pair.slice(0, colon)), pair.slice(colon + 1)]; }) : [] };
}

/** Told of what other writers, in any process, have changed since the last look. */
export interface Listener {
  /** Objects that changed; may name one again. 0 stands for all of the type. */
  touched(type: number, id: string): void;
  /** Anything may have changed. */
  everything(): void;
}

/**
 * The shared look at table `touched`: resolves after a look that began after the caller asked. Callers that wait at the same
 * time share one, as in a group commit.
 */
export class Look {
  readonly #pool: Pool;
  readonly #listener: Listener;
  #cursor: string | undefined;
  #lastAt = 0;
  /** @throws what the database threw; the caller's request fails, nothing stale is shown */
  readonly wait = shared(() => this.#look());

  constructor(pool: Pool, listener: Listener) {
    this.#pool = pool;
    this.#listener = listener;
  }

  async #look(): Promise<void> {
    const startedAt = Date.now();
    const { cursor, touched } = await touchedSince(this.#pool, startedAt - this.#lastAt > TOUCHED_SECONDS * 500 ? undefined : this.#cursor);
    if (touched) for (const [type, id] of touched) this.#listener.touched(type, id); else this.#listener.everything();
    this.#cursor = cursor;
    this.#lastAt = startedAt;
  }
}

/** Removes rows of `touched` that every process has seen or forgotten. */
export async function trimTouched(pool: Pool): Promise<void> {
  await pool.query(`delete from touched where at < now() - make_interval(secs => $1)`, [TOUCHED_SECONDS]);
}

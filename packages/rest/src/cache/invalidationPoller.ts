import { shared } from '@cadastre/events/shared';
import type { Pool } from 'pg';
import { plainArray } from '../db/sql.ts';

// Transactions that have been reported are excluded: everything that one touched became visible at once. The statement
// runs before every answer, and its plan is cached, as explained at `idsIn` (sql.ts). With a lower bound alone
// PostgreSQL would expect a third of the table to match, and read all of it.
const LOOK = `select pg_snapshot_xmin(pg_current_snapshot())::text, (select string_agg(distinct xact || ':' || type || ':' || id, ',') from cache_invalidation
  where xact >= (select $1::text::xid8) and xact <= (select '${(1n << 64n) - 1n}'::text::xid8) and xact <> all((select $2::text[])::xid8[]))`;
const START = 'select pg_snapshot_xmin(pg_current_snapshot())::text';

/** How long rows of `cache_invalidation` are kept; a process that has not polled for half of it forgets all that it knows. */
export const INVALIDATION_SECONDS = 600;

/** A place in the order of transactions. */
export interface PollPosition {
  /** Every transaction before this one had ended. */
  cursor: string;
  /**
   * Later transactions that had ended too, and have been reported already. There are some while an older transaction
   * runs, in any database of the server.
   */
  heard: readonly string[];
}

/** What has been touched since a place in the order of transactions. */
export interface Invalidations {
  /** Where to look from the next time. */
  position: PollPosition;
  /**
   * `[number of the type, id]`; the same pair may be repeated. An id of 0 stands for all of the type. Undefined where
   * no position was given, or it is not valid any more: anything may have changed.
   */
  invalidated: [type: number, id: string][] | undefined;
}

/** How many transactions are remembered one by one; beyond that, what they touched is reported again. */
const MAX_HEARD = 1000;

/**
 * Reads table `cache_invalidation`. A transaction that commits late is seen, because each poll starts at the oldest transaction
 * that was still running at the previous one.
 */
export async function invalidationsSince(pool: Pool, place: PollPosition | undefined): Promise<Invalidations> {
  if (place === undefined)
    return {
      position: { cursor: (await pool.query<[string]>({ text: START, rowMode: 'array' })).rows[0]![0], heard: [] },
      invalidated: undefined,
    };
  const { rows } = await pool.query<[string, string | null]>({
    name: 'look',
    text: LOOK,
    values: [place.cursor, plainArray(place.heard)],
    rowMode: 'array',
  });
  const [cursor, told] = rows[0]!;
  // Transaction ids only grow: this is not the database that gave the cursor, or it is an earlier state of it.
  if (BigInt(cursor) < BigInt(place.cursor)) return { position: { cursor, heard: [] }, invalidated: undefined };
  const rest = told ? told.split(',').map((one) => one.split(':') as [xact: string, type: string, id: string]) : [];
  const heard = [...new Set([...place.heard, ...rest.map(([xact]) => xact)])].filter(
    (xact) => BigInt(xact) >= BigInt(cursor),
  );
  return {
    position: { cursor, heard: heard.slice(0, MAX_HEARD) },
    invalidated: rest.map(([, type, id]) => [Number(type), id]),
  };
}

/** Receives what other writers, in any process, have changed since the last poll. */
export interface InvalidationListener {
  /** An object that changed; the same one may be reported repeatedly. An id of 0 stands for all of the type. */
  invalidate(type: number, id: string): void;
  /** Anything may have changed. */
  invalidateAll(): void;
}

/** With one poll at a time, a process would be idle while everybody waits for it; three were no faster than two. */
const AT_ONCE = 2;

/**
 * The shared poll of table `cache_invalidation`: resolves after a poll that began after the caller asked. Callers that wait at the
 * same time share one, as in a group commit.
 */
export class InvalidationPoller {
  readonly #pool: Pool;
  readonly #listener: InvalidationListener;
  #place: PollPosition | undefined;
  #lastAt = 0;
  #begun = 0;
  /** The number of the poll that set the current position. */
  #told = 0;
  /** @throws what the database threw; the caller's request fails, nothing stale is shown */
  readonly wait = shared(() => this.#look(), AT_ONCE);

  constructor(pool: Pool, listener: InvalidationListener) {
    this.#pool = pool;
    this.#listener = listener;
  }

  /**
   * Starts a poll while the caller does something else. An error is thrown where the promise is awaited, and ignored if
   * nobody awaits it.
   */
  begin(): Promise<void> {
    const begun = this.wait();
    begun.catch(() => undefined);
    return begun;
  }

  async #look(): Promise<void> {
    const startedAt = Date.now();
    const number = ++this.#begun;
    const { position, invalidated } = await invalidationsSince(
      this.#pool,
      startedAt - this.#lastAt > INVALIDATION_SECONDS * 500 ? undefined : this.#place,
    );
    if (invalidated) for (const [type, id] of invalidated) this.#listener.invalidate(type, id);
    else this.#listener.invalidateAll();
    // A poll that began later has seen everything that this one has.
    if (number < this.#told) return;
    this.#told = number;
    this.#place = position;
    this.#lastAt = startedAt;
  }
}

/** Removes rows of `cache_invalidation` that every process has seen or forgotten. */
export async function trimInvalidations(pool: Pool): Promise<void> {
  await pool.query(`delete from cache_invalidation where at < now() - make_interval(secs => $1)`, [
    INVALIDATION_SECONDS,
  ]);
}

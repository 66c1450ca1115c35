import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type ChangeEvent, keyOf } from '../event/event.ts';
import { textOf } from '../event/eventText.ts';
import { queueLag } from './queue.ts';

/**
 * Anything that runs one statement with bound `$n` parameters: a `pg` client or pool, or a wrapper around the ORM's
 * transaction.
 */
export interface Executor {
  query(statement: { name?: string; text: string; values: unknown[] }): Promise<unknown>;
}

/**
 * The channel that wakes a service's relay. A channel belongs to one database, so services do not wake each other's
 * relays.
 */
export const changeChannel = 'cadastre_change';

/**
 * The statements that create the outbox, for a service's migrations. Existing installations have run them, so later
 * changes belong in `outboxQueue`.
 */
export const outboxTables = (): string[] => [
  // The body is text: it is written once and sent on unread, and text keeps what jsonb refuses, such as an escaped NUL.
  `create table if not exists "change" (
    "id" bigint generated always as identity primary key,
    "event_id" uuid not null unique,
    "time" timestamptz not null,
    "key" text not null,
    "body" text not null,
    "published_at" timestamptz null
  )`,
  `create index if not exists "change_unpublished" on "change" ("id") where "published_at" is null`,
  // Every row dies twice (published, trimmed); the default of a fifth of the table would let the partial index fill
  // with dead entries.
  `alter table "change" set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000)`,
];

/**
 * The ids of events that are to be published are in a table of their own. A row of the outbox has some kilobytes, and
 * marking it as published would write the row, three index entries and their WAL once more; inserting and deleting an
 * id costs a tenth of that.
 */
export const outboxQueue = (): string[] => [
  `create table "change_queue" ("id" bigint primary key) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000)`,
  // `queued_at` is set by the statement that writes the row and queues it. Processes of an older version do not set it:
  // the relay queues the rows that they write.
  `alter table "change" rename column "published_at" to "queued_at"`,
  `alter index "change_unpublished" rename to "change_unqueued"`,
];

// JSON text never holds a raw line feed, so one string carries all bodies without the escaping that an array parameter
// needs.
const separator = '\n';

/**
 * The parts of a `with` that write events to the outbox and queue them: arrays of ids ($1), times ($2) and keys ($3),
 * and the bodies ($4), in one text, with line feeds between them.
 */
export const appending = `"change_added" as (
    insert into "change" ("event_id", "time", "key", "body", "queued_at")
    select "event_id", "time", "key", "body", now() from rows from (
      unnest($1::uuid[]), unnest($2::timestamptz[]), unnest($3::text[]), string_to_table($4::text, E'\\n')
    ) with ordinality as "e" ("event_id", "time", "key", "body", "n")
    order by "n" on conflict ("event_id") do nothing returning "id"
  ), "change_queued" as (
    insert into "change_queue" ("id") select "id" from "change_added"
  )`;

const statement = (wake: string): string => `with ${appending} select ${wake}`;
const waking = { name: 'append-changes', text: statement(`pg_notify('${changeChannel}', '')`) };
const silent = { name: 'append-changes-silently', text: statement('1') };

/**
 * Writes events to the outbox, in order, by one statement whatever their number, in the executor's transaction; an
 * event that is already there stays as it is. The commit wakes the relay. With `notify: false` it does not, and the
 * caller wakes the relay after the commit (`relayWaker`): PostgreSQL lets transactions that notify commit one at a
 * time, which matters when there are many writers.
 */
export async function appendChanges(
  executor: Executor,
  events: readonly ChangeEvent[],
  { notify = true } = {},
): Promise<void> {
  if (events.length === 0) return;
  await executor.query({
    ...(notify ? waking : silent),
    values: [
      events.map((event) => event.id),
      events.map((event) => event.time),
      events.map(keyOf),
      events.map(textOf).join(separator),
    ],
  });
}

/** The relay gathers for this long after each round, so it need not be woken more often. In milliseconds. */
const WAKE_EVERY_MS = 20;

/** Without waiting for the disk: if a crash of the server loses a wake-up, the relay finds the events when it polls. */
const wake = `select pg_notify('${changeChannel}', ''), set_config('synchronous_commit', 'off', true)`;

/**
 * Returns a function that wakes the relay, in whichever process it runs; calls that come soon after a wake-up share the
 * next one. It never fails, since the relay polls as well.
 * @param here wakes the relay of this process and returns true, if that is the one that publishes: then no notification
 * is needed
 */
export function relayWaker(executor: Executor, here: () => boolean = () => false): () => void {
  let running = false;
  let again = false;
  const run = async (): Promise<void> => {
    running = true;
    do {
      again = false;
      await executor.query({ text: wake, values: [] }).catch(() => {});
      await sleep(WAKE_EVERY_MS, undefined, { ref: false });
    } while (again);
    running = false;
  };
  return () => {
    if (here()) return;
    if (running) again = true;
    else void run();
  };
}

export interface Lag {
  /** Events that are still to be published; counted up to 10,000. */
  unpublished: number;
  /** Age of the oldest of them in seconds. */
  seconds: number;
}

/** How far the relay is behind. */
export async function outboxLag(pool: pg.Pool): Promise<Lag> {
  const { rows } = await pool.query<Lag>(queueLag);
  return rows[0] ?? { unpublished: 0, seconds: 0 };
}

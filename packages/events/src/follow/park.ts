import type { ReceivedMessage } from '../log/log.ts';
import type { Executor } from '../outbox/outbox.ts';

/**
 * The statements that create the table of messages that could not be handled, for the migrations of a service that
 * follows others. Existing installations have run them, so later changes belong in `parkedColumns`.
 */
export const parkedTables = (): string[] => [
  `create table if not exists "parked_message" (
    "id" bigint generated always as identity primary key,
    "group" text not null,
    "topic" text not null,
    "partition" int not null,
    "position" bigint not null,
    "key" text not null,
    "value" text not null,
    "error" text not null,
    "parked_at" timestamptz not null default now(),
    unique ("group", "topic", "partition", "position")
  )`,
];

/** Columns that a replay also needs, and how the last replay went. */
export const parkedColumns = (): string[] => [
  `alter table "parked_message"
    add column "time" timestamptz not null default now(),
    add column "headers" text null,
    add column "replays" int not null default 0,
    add column "replayed_at" timestamptz null`,
];

// PostgreSQL's text cannot hold NUL.
const storable = (text: string): string => text.replaceAll('\0', '\uFFFD');

/** An error as it is stored. */
export const traceOf = (error: unknown): string =>
  storable(error instanceof Error ? (error.stack ?? error.message) : String(error));

/**
 * A `park` for consumers: keeps the message and the error in the consumer's own database, once, until somebody replays
 * or discards it.
 */
export const parkIn =
  (executor: Executor, group: string) =>
  async (message: ReceivedMessage, error: unknown): Promise<void> => {
    await executor.query({
      text: `insert into "parked_message" ("group", "topic", "partition", "position", "key", "value", "error", "time", "headers")
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing`,
      values: [
        group,
        message.topic,
        message.partition,
        message.position,
        storable(message.key),
        storable(message.value),
        traceOf(error),
        message.time,
        Object.keys(message.headers).length ? storable(JSON.stringify(message.headers)) : null,
      ],
    });
  };

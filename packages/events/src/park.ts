import type { ReceivedMessage } from './log.ts';
import type { Executor } from './outbox.ts';

/** The statements that create the table of messages that could not be handled, for the migrations of a service that follows others. */
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

// PostgreSQL's text cannot hold NUL.
const storable = (text: string): string => text.replaceAll('\0', '\uFFFD');

/** A `park` for consumers: keeps the message and the error in the consumer's own database, once, for someone to look at. */
export const parkIn =
  (executor: Executor, group: string) =>
  async (message: ReceivedMessage, error: unknown): Promise<void> => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    await executor.query({
      text: `insert into "parked_message" ("group", "topic", "partition", "position", "key", "value", "error")
        values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`,
      values: [group, message.topic, message.partition, message.position, storable(message.key), storable(message.value), storable(text)],
    });
  };

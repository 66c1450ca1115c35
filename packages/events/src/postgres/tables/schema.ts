import type pg from 'pg';
import { layoutStatements, refuseNewerLayout } from './layout.ts';

/** Wakes consumers; the payload is the id of the topic that has grown. */
export const messageChannel = 'cadastre_log';
/** Wakes the members of a group, which is the payload, when a member has come, left or released a partition. */
export const groupChannel = 'cadastre_log_group';

const statements = [
  'create schema if not exists "log"',
  // The row is also the lock: a transaction that appends moves "position" on and holds the row until it commits, so
  // positions are in commit order, without gaps.
  `create table if not exists "log"."topic" (
    "id" int generated always as identity primary key,
    "name" text not null unique,
    "partitions" int not null check ("partitions" > 0),
    "position" bigint not null default 0
  )`,
  // Most messages have some 2,000 characters; by default PostgreSQL would compress them, which costs the writer and
  // each group of readers more than it saves.
  `create table if not exists "log"."message" (
    "topic_id" int not null,
    "partition" int not null,
    "position" bigint not null,
    "time" timestamptz not null,
    "size" int not null,
    "key" text not null,
    "value" text not null,
    "headers" text null,
    primary key ("topic_id", "partition", "position")
  ) with (toast_tuple_target = 4080)`,
  // The partial replicas that a message does not concern. Its existence is checked first, as `alter table` would wait
  // for all readers and writers even if there is nothing to do.
  `do $$ begin
    if not exists (select from pg_attribute where attrelid = '"log"."message"'::regclass and attname = 'aside') then alter table "log"."message" add column "aside" text null; end if;
  end $$`,
  // The position up to which messages have been deleted: a group that had not read that far has missed some.
  `create table if not exists "log"."trimmed" (
    "topic_id" int not null references "log"."topic" ("id"),
    "partition" int not null,
    "position" bigint not null,
    primary key ("topic_id", "partition")
  )`,
  // How far a group is in a partition, and which member reads it. Only the owner moves the position, and only while it
  // is the owner.
  `create table if not exists "log"."progress" (
    "group" text not null,
    "topic_id" int not null references "log"."topic" ("id"),
    "partition" int not null,
    "position" bigint not null,
    "owner" uuid null,
    primary key ("group", "topic_id", "partition")
  ) with (fillfactor = 50)`,
  // When the group last had a member, as noted by the process that trims: groups that have had none for too long are
  // forgotten.
  'alter table "log"."progress" add column if not exists "used_at" timestamptz not null default now()',
  // Unlogged: heartbeats are frequent, and worthless after a crash of the server, when all members connect anew.
  `create unlogged table if not exists "log"."member" (
    "id" uuid primary key,
    "group" text not null,
    "topics" int[] not null,
    "seen_at" timestamptz not null
  ) with (fillfactor = 50)`,
  ...layoutStatements(),
];

/**
 * Creates what is missing. Processes that start at the same time wait for each other.
 * @throws NewerSchema when a later program has changed the tables so that this one must not use them
 */
export async function createSchema(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(`select pg_advisory_xact_lock(hashtextextended('cadastre log schema', 0))`);
    await refuseNewerLayout(client);
    for (const statement of statements) await client.query(statement);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

import { randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type pg from 'pg';
import { chunks } from '../log/chunks.ts';
import { type Message, type OnLog, tellPartitions } from '../log/log.ts';
import { messageChannel } from './tables/schema.ts';

const maxBytes = 4 * 1024 * 1024;
const maxCount = 2000;

// `clock_timestamp()` and not `now()`: the time at which the topic's row was locked, so that times grow with positions.
const append = `with "slot" as (
    update "log"."topic" set "position" = "position" + $2::int where "name" = $1
    returning "id", "partitions", "position" - $2::int as "base"
  ), "added" as (
    insert into "log"."message" ("topic_id", "partition", "position", "time", "size", "key", "value", "headers", "aside")
    select "slot"."id", "m"."hash" % "slot"."partitions", "slot"."base" + "m"."n", clock_timestamp(), octet_length("m"."value"),
      "m"."key", "m"."value", "m"."headers", "m"."aside"
    from "slot", rows from (unnest($3::bigint[]), string_to_table($4, $8), string_to_table($5, $8), string_to_table($6, $8, ''), string_to_table($7, $8, ''))
      with ordinality as "m" ("hash", "key", "value", "headers", "aside", "n")
    where "m"."n" <= $2::int
  )
  select pg_notify('${messageChannel}', "id"::text) from "slot"`;

/** A separator that occurs in no message; JSON text contains no line feed. */
const separatorOf = (run: readonly Message[]): string =>
  run.some(({ key, value }) => key.includes('\n') || value.includes('\n')) ? `\n${randomUUID()}\n` : '\n';

/**
 * Keys, values, headers and the names of those that messages do not concern, each as one text: in an array parameter
 * every element would be searched for characters to escape. Each text ends with the separator, so that it is not empty
 * even if its only element is.
 */
const joined = (run: readonly Message[], separator: string): string[] => [
  ...[
    run.map(({ key }) => key),
    run.map(({ value }) => value),
    run.map(({ headers }) => (headers ? JSON.stringify(headers) : '')),
    run.map(({ irrelevantTo }) => irrelevantTo ?? ''),
  ].map((texts) => texts.join(separator) + separator),
  separator,
];

/** Appends messages to a topic; many or large ones in several transactions. Returns whether the topic exists. */
export async function publish(pool: pg.Pool, topic: string, messages: readonly Message[]): Promise<boolean> {
  for (const run of chunks(messages, maxBytes, maxCount)) {
    const result = await pool.query({
      name: 'log-append',
      text: append,
      values: [topic, run.length, run.map((message) => crc32(message.key)), ...joined(run, separatorOf(run))],
    });
    if (result.rowCount === 0) return false;
  }
  return true;
}

/** Creates the topics that are missing. The number of partitions of a topic never changes, as keys would move. */
export async function ensureTopics(
  pool: pg.Pool,
  topics: readonly string[],
  partitions: number,
  onLog?: OnLog,
): Promise<void> {
  // Existing topics are looked up first, since `on conflict` uses up an id each time.
  await pool.query(
    `insert into "log"."topic" ("name", "partitions")
     select "name", $2 from unnest($1::text[]) as "t" ("name") where not exists (select from "log"."topic" where "topic"."name" = "t"."name")
     on conflict ("name") do nothing`,
    [topics, partitions],
  );
  const { rows } = await pool.query<{ name: string; partitions: number }>(
    'select "name", "partitions" from "log"."topic" where "name" = any($1)',
    [topics],
  );
  for (const topic of rows) tellPartitions(onLog, topic.name, topic.partitions, partitions);
}

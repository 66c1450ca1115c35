import type pg from 'pg';
import type { ReceivedMessage } from '../../log/log.ts';
import type { Owned, Place, Topic } from './group.ts';

/** A message as it is in the log's table. */
export interface Row extends Place {
  position: string;
  key: string;
  time: Date;
  headers: string | null;
  value: string;
}

/** A batch, and how far it reaches. */
export interface Batch {
  messages: ReceivedMessage[];
  /**
   * How far partitions are read: an entry for each message, with its index in `messages`, and entries without a message
   * (null) for ends up to which no more messages are wanted.
   */
  read: { topicId: number; partition: number; position: string; message: number | null }[];
  /** How many messages were looked at to make this batch. */
  looked: number;
  /** Whether there may be more. */
  full: boolean;
}

/**
 * Fixes where a group starts in its topics, unless it has started before, and returns the topics.
 * @param onNew called with the topics that the group wants from the beginning and has never consumed
 */
export async function startGroup(
  pool: pg.Pool,
  group: string,
  topics: readonly string[],
  fromBeginning: boolean,
  onNew?: (topics: string[]) => Promise<void>,
): Promise<Topic[]> {
  const { rows } = await pool.query<Topic>(
    `select "id", "name", "partitions" from "log"."topic" where "name" = any($1) order by "id"`,
    [topics],
  );
  if (fromBeginning && onNew) {
    const { rows: known } = await pool.query<{ id: number }>(
      `select distinct "topic_id" as "id" from "log"."progress" where "group" = $1`,
      [group],
    );
    const started = new Set(known.map(({ id }) => id));
    const fresh = rows.filter(({ id }) => !started.has(id)).map(({ name }) => name);
    if (fresh.length > 0) await onNew(fresh);
  }
  await pool.query(
    `insert into "log"."progress" ("group", "topic_id", "partition", "position")
     select $1, "topic"."id", "partition", case when $3 then 0 else "topic"."position" end
     from "log"."topic", generate_series(0, "topic"."partitions" - 1) as "partition"
     where "topic"."id" = any($2)
     on conflict ("group", "topic_id", "partition") do update set "used_at" = now()`,
    [group, rows.map((topic) => topic.id), fromBeginning],
  );
  return rows;
}

/** Selects a row if messages were deleted that a group had yet to read. */
const trimmed = (progress: string): string =>
  `select from "log"."trimmed" as "t" where "t"."topic_id" = ${progress}."topic_id" and "t"."partition" = ${progress}."partition" and "t"."position" > ${progress}."position"`;

/**
 * The partitions that have messages share the batch evenly. In case it is too small for all of them, the partition
 * after the one that was read last comes first.
 */
export const mine = `with "mine" as (
    select "topic_id", "partition", "position", count(*) over () as "waiting",
      row_number() over (order by ("topic_id", "partition") <= ($4::int, $5::int), "topic_id", "partition") as "turn", exists (${trimmed('"progress"')}) as "missed"
    from "log"."progress" where "group" = $1 and "owner" = $2 and exists (
      select from "log"."message" as "m"
      where "m"."topic_id" = "progress"."topic_id" and "m"."partition" = "progress"."partition" and "m"."position" > "progress"."position"
    )
  )`;
// Sizes are summed without reading the values, so a batch of big messages ends early; its first message is always
// included.
const next = `${mine}, "batch" as (
    select "mine"."turn", "mine"."missed", "m".*
    from "mine" cross join lateral (
      select "topic_id", "partition", "position", "size", "key", "time", "headers", "value" from "log"."message"
      where "topic_id" = "mine"."topic_id" and "partition" = "mine"."partition" and "position" > "mine"."position"
      order by "position" limit ceil($3::numeric / "mine"."waiting")
    ) as "m"
    order by "mine"."turn", "m"."position" limit $3
  ) select "topic_id" as "topicId", "partition", "position", "key", "missed", "time", "headers", "value"
    from (select *, sum("size") over (order by "turn", "position" rows unbounded preceding) as "total" from "batch") as "b"
  where "total" - "size" < $6 order by "turn", "position"`;

export interface ReadOptions {
  group: string;
  owner: string;
  topics: readonly Topic[];
  limit: number;
  maxBytes: number;
  last: Place;
}

/**
 * The next messages of the partitions that a member owns, in order per partition; undefined if messages before them
 * have been deleted.
 */
export async function readBatch(
  pool: pg.Pool,
  { group, owner, topics, limit, maxBytes, last }: ReadOptions,
): Promise<Batch | undefined> {
  const { rows } = await pool.query<Row & { missed: boolean }>({
    name: 'log-read',
    text: next,
    values: [group, owner, limit, last.topicId, last.partition, maxBytes],
  });
  // Determined by the statement that reads the messages, so none can be deleted in between.
  if (rows.some(({ missed }) => missed)) return undefined;
  return {
    messages: messagesOf(topics, rows),
    read: rows.map(({ topicId, partition, position }, message) => ({ topicId, partition, position, message })),
    looked: rows.length,
    full: rows.length >= limit,
  };
}

/** Rows in the form that handlers get. */
export function messagesOf(topics: readonly Topic[], rows: readonly Row[]): ReceivedMessage[] {
  const names = new Map(topics.map((topic) => [topic.id, topic.name]));
  return rows.map(({ topicId, partition, position, time, key, value, headers }) => ({
    topic: names.get(topicId) ?? '',
    partition,
    position,
    time,
    key,
    value,
    headers: headers === null ? {} : (JSON.parse(headers) as Record<string, string>),
  }));
}

const samePartition = (one: Place, other: Place | undefined): boolean =>
  one.partition === other?.partition && one.topicId === other.topicId;

/** How far partitions are read when the first `done` messages of a batch are handled. */
export function endsOf({ read }: Pick<Batch, 'read'>, done: number): Owned[] {
  const undone = read.findIndex(({ message }) => message !== null && message >= done);
  const passed = undone < 0 ? read : read.slice(0, undone);
  // The messages of a partition are adjacent, so its last entry is how far it is read.
  return passed.filter((one, i) => !samePartition(one, passed[i + 1]));
}

/**
 * Stores how far a group is, without waiting for the disk: after a crash of the server some messages are delivered
 * again. Returns whether this member still owned all the partitions; if not, another member handles those messages
 * again.
 */
export async function storeProgress(
  pool: pg.Pool,
  { group, owner }: { group: string; owner: string },
  ends: readonly Owned[],
): Promise<boolean> {
  if (ends.length === 0) return true;
  const { rowCount } = await pool.query({
    name: 'log-progress',
    text: `update "log"."progress" set "position" = "e"."position"
      from (select * from rows from (unnest($3::int[]), unnest($4::int[]), unnest($5::bigint[]))) as "e" ("topic_id", "partition", "position")
      where "group" = $1 and "owner" = $2 and "progress"."topic_id" = "e"."topic_id" and "progress"."partition" = "e"."partition"
        and "progress"."position" < "e"."position" and set_config('synchronous_commit', 'off', true) is not null`,
    values: [
      group,
      owner,
      ends.map((end) => end.topicId),
      ends.map((end) => end.partition),
      ends.map((end) => end.position),
    ],
  });
  return rowCount === ends.length;
}

/**
 * Moves a member's partitions past messages that were deleted before the group had read them, after reporting their
 * topics to `tell`. Returns whether there were any.
 */
export async function passMissed(
  pool: pg.Pool,
  { group, owner, topics }: { group: string; owner: string; topics: readonly Topic[] },
  tell: (topics: string[]) => Promise<void>,
): Promise<boolean> {
  const { rows } = await pool.query<{ id: number }>({
    name: 'log-missed',
    text: `select distinct "topic_id" as "id" from "log"."progress" where "group" = $1 and "owner" = $2 and exists (${trimmed('"progress"')})`,
    values: [group, owner],
  });
  if (rows.length === 0) return false;
  const ids = new Set(rows.map(({ id }) => id));
  await tell(topics.filter(({ id }) => ids.has(id)).map(({ name }) => name));
  await pool.query(
    `update "log"."progress" set "position" = "t"."position" from "log"."trimmed" as "t"
     where "group" = $1 and "owner" = $2 and "progress"."topic_id" = any($3) and "t"."topic_id" = "progress"."topic_id" and "t"."partition" = "progress"."partition" and "t"."position" > "progress"."position"`,
    [group, owner, [...ids]],
  );
  return true;
}

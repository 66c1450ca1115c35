import type pg from 'pg';
import type { ReceivedMessage } from '../log.ts';
import type { Place, Topic } from './group.ts';

interface Row extends Place {
  position: string;
  time: Date;
  key: string;
  value: string;
  headers: string | null;
  missed: boolean;
}

/** Fixes where a group starts in its topics, unless it has started before, and returns the topics. @param onNew told of those that it wants from the beginning and has never consumed */
export async function startGroup(pool: pg.Pool, group: string, topics: readonly string[], fromBeginning: boolean, onNew?: (topics: string[]) => Promise<void>): Promise<Topic[]> {
  const { rows } = await pool.query<Topic>(`select "id", "name", "partitions" from "log"."topic" where "name" = any($1) order by "id"`, [topics]);
  if (fromBeginning && onNew) {
    const { rows: known } = await pool.query<{ id: number }>(`select distinct "topic_id" as "id" from "log"."progress" where "group" = $1`, [group]), started = new Set(known.map(({ id }) => id));
    const fresh = rows.filter(({ id }) => !started.has(id)).map(({ name }) => name);
    if (fresh.length > 0) await onNew(fresh);
  }
  await pool.query(
    `insert into "log"."progress" ("group", "topic_id", "partition", "position")
     select $1, "topic"."id", "partition", case when $3 then 0 else "topic"."position" end
     from "log"."topic", generate_series(0, "topic"."partitions" - 1) as "partition"
     where "topic"."id" = any($2)
     on conflict do nothing`,
    [group, rows.map((topic) => topic.id), fromBeginning],
  );
  return rows;
}

/** That messages were deleted which a group had yet to read. */
const trimmed = (progress: string): string =>
  `select from "log"."trimmed" as "t" where "t"."topic_id" = ${progress}."topic_id" and "t"."partition" = ${progress}."partition" and "t"."position" > ${progress}."position"`;

// The partitions that have something share the batch evenly; should it be too small for all, the one after that which was read last comes first.
// Sizes are summed without touching the values, so a batch of big messages ends early; its first message is always in.
const next = `with "mine" as (
    select "topic_id", "partition", "position", count(*) over () as "waiting",
      row_number() over (order by ("topic_id", "partition") <= ($4::int, $5::int), "topic_id", "partition") as "turn"
    from "log"."progress" where "group" = $1 and "owner" = $2 and exists (
      select from "log"."message" as "m"
      where "m"."topic_id" = "progress"."topic_id" and "m"."partition" = "progress"."partition" and "m"."position" > "progress"."position"
    )
  ), "batch" as (
    select "mine"."turn", "m".*, exists (${trimmed('"mine"')}) as "missed", sum("m"."size") over (order by "mine"."turn", "m"."position" rows unbounded preceding) as "total"
    from "mine" cross join lateral (
      select * from "log"."message"
      where "topic_id" = "mine"."topic_id" and "partition" = "mine"."partition" and "position" > "mine"."position"
      order by "position" limit ceil($3::numeric / "mine"."waiting")
    ) as "m"
    order by "mine"."turn", "m"."position" limit $3
  )
  select "topic_id" as "topicId", "partition", "position", "time", "key", "value", "headers", "missed" from "batch"
  where "total" - "size" < $6 order by "turn", "position"`;

/** The next messages of the partitions that a member owns, in order per partition; undefined where some before them are gone. */
export async function readBatch(
  pool: pg.Pool,
  options: { group: string; owner: string; topics: readonly Topic[]; limit: number; maxBytes: number; last: Place },
): Promise<ReceivedMessage[] | undefined> {
  const { group, owner, topics, limit, maxBytes, last } = options;
  const { rows } = await pool.query<Row>({ name: 'log-read', text: next, values: [group, owner, limit, last.topicId, last.partition, maxBytes] });
  // Said by the statement that reads them, so nothing is deleted in between.
  if (rows.some(({ missed }) => missed)) return undefined;
  const names = new Map(topics.map((topic) => [topic.id, topic.name]));
  return rows.map(({ topicId, headers, missed: _, ...row }) => ({
    topic: names.get(topicId) ?? '',
    ...row,
    headers: headers === null ? {} : (JSON.parse(headers) as Record<string, string>),
  }));
}

/** Stores how far a group is. Says whether this member still owned all the partitions; if not, another handles those messages again. */
export async function storeProgress(
  pool: pg.Pool,
  options: { group: string; owner: string; topics: readonly Topic[]; handled: readonly ReceivedMessage[] },
): Promise<boolean> {
  const ids = new Map(options.topics.map((topic) => [topic.name, topic.id]));
  // Later messages of a partition replace earlier ones.
  const ends = [...new Map(options.handled.map((message) => [`${message.topic} ${message.partition}`, message])).values()];
  if (ends.length === 0) return true;
  const { rowCount } = await pool.query({
    name: 'log-progress',
    text: `update "log"."progress" set "position" = "e"."position"
      from (select * from rows from (unnest($3::int[]), unnest($4::int[]), unnest($5::bigint[]))) as "e" ("topic_id", "partition", "position")
      where "group" = $1 and "owner" = $2 and "progress"."topic_id" = "e"."topic_id" and "progress"."partition" = "e"."partition"
        and "progress"."position" < "e"."position"`,
    values: [options.group, options.owner, ends.map((end) => ids.get(end.topic)), ends.map((end) => end.partition), ends.map((end) => end.position)],
  });
  return rowCount === ends.length;
}

/** Goes on after messages that were deleted before a member's group had read them, when it has been told of their topics. */
export async function passMissed(pool: pg.Pool, { group, owner, topics }: { group: string; owner: string; topics: readonly Topic[] }, tell: (topics: string[]) => Promise<void>): Promise<void> {
  const { rows } = await pool.query<{ id: number }>({ name: 'log-missed', text: `select distinct "topic_id" as "id" from "log"."progress" where "group" = $1 and "owner" = $2 and exists (${trimmed('"progress"')})`, values: [group, owner] });
  if (rows.length === 0) return;
  const ids = new Set(rows.map(({ id }) => id));
  await tell(topics.filter(({ id }) => ids.has(id)).map(({ name }) => name));
  await pool.query(
    `update "log"."progress" set "position" = "t"."position" from "log"."trimmed" as "t"
     where "group" = $1 and "owner" = $2 and "progress"."topic_id" = any($3) and "t"."topic_id" = "progress"."topic_id" and "t"."partition" = "progress"."partition" and "t"."position" > "progress"."position"`,
    [group, owner, [...ids]],
  );
}

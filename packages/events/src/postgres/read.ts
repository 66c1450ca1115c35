import type pg from 'pg';
import type { ReceivedMessage } from '../log.ts';
import type { Place, Topic } from './group.ts';

/** What tells whether a message matters. */
interface Outline extends Place { position: string; key: string; size: number; missed: boolean }
/** What else there is of it. */
interface Contents { time: Date; headers: string | null; value: string }

/** A batch, and how far it reaches. */
export interface Batch {
  messages: ReceivedMessage[];
  /** Everything that was read, also what nobody wants, in order; `message` is its index among the messages. */
  read: { topicId: number; partition: number; position: string; message: number | null }[];
  /** Whether there may be more. */
  full: boolean;
}

/** At most so many times more messages than a batch holds are looked over for those that are wanted. */
const AHEAD = 10;

/** How many messages to look over next: as many as a batch was filled with this time. */
export const lookOver = ({ messages, read }: Batch, limit: number): number => Math.ceil(limit * Math.min(AHEAD, Math.max(1, read.length / Math.max(1, messages.length))));

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
     on conflict ("group", "topic_id", "partition") do update set "used_at" = now()`,
    [group, rows.map((topic) => topic.id), fromBeginning],
  );
  return rows;
}

/** That messages were deleted which a group had yet to read. */
const trimmed = (progress: string): string =>
  `select from "log"."trimmed" as "t" where "t"."topic_id" = ${progress}."topic_id" and "t"."partition" = ${progress}."partition" and "t"."position" > ${progress}."position"`;

// The partitions that have something share the batch evenly; should it be too small for all, the one after that which was read last comes first.
const turns = (columns: string) => `with "mine" as (
    select "topic_id", "partition", "position", count(*) over () as "waiting",
      row_number() over (order by ("topic_id", "partition") <= ($4::int, $5::int), "topic_id", "partition") as "turn", exists (${trimmed('"progress"')}) as "missed"
    from "log"."progress" where "group" = $1 and "owner" = $2 and exists (
      select from "log"."message" as "m"
      where "m"."topic_id" = "progress"."topic_id" and "m"."partition" = "progress"."partition" and "m"."position" > "progress"."position"
    )
  ), "batch" as (
    select "mine"."turn", "mine"."missed", "m".*
    from "mine" cross join lateral (
      select "topic_id", "partition", "position", "size", "key"${columns} from "log"."message"
      where "topic_id" = "mine"."topic_id" and "partition" = "mine"."partition" and "position" > "mine"."position"
      order by "position" limit ceil($3::numeric / "mine"."waiting")
    ) as "m"
    order by "mine"."turn", "m"."position" limit $3
  )`;
const outline = '"topic_id" as "topicId", "partition", "position", "size", "key", "missed"';
const contents = '"time", "headers", "value"';
// Sizes are summed without touching the values, so a batch of big messages ends early; its first message is always in.
const whole = `${turns(`, ${contents}`)} select ${outline}, ${contents} from (select *, sum("size") over (order by "turn", "position" rows unbounded preceding) as "total" from "batch") as "b"
  where "total" - "size" < $6 order by "turn", "position"`;
const outlines = `${turns('')} select ${outline} from "batch" order by "turn", "position"`;
const values = `select ${contents} from rows from (unnest($1::int[]), unnest($2::int[]), unnest($3::bigint[])) with ordinality as "w" ("topic_id", "partition", "position", "n")
  join "log"."message" as "m" using ("topic_id", "partition", "position") order by "w"."n"`;

interface ReadOptions { group: string; owner: string; topics: readonly Topic[]; limit: number; /** Messages to look over, where not all are wanted. */ over: number; maxBytes: number; last: Place; wants?(): Promise<(key: string) => boolean> }

/** The next messages of the partitions that a member owns, in order per partition; undefined where some before them are gone. */
export async function readBatch(pool: pg.Pool, options: ReadOptions): Promise<Batch | undefined> {
  const { group, owner, limit, over, maxBytes, last, wants } = options, ask = wants ? { name: 'log-outlines', text: outlines, most: over, more: [] } : { name: 'log-read', text: whole, most: limit, more: [maxBytes] };
  const { rows } = await pool.query<Outline & Contents>({ name: ask.name, text: ask.text, values: [group, owner, ask.most, last.topicId, last.partition, ...ask.more] });
  // Said by the statement that reads them, so nothing is deleted in between.
  if (rows.some(({ missed }) => missed)) return undefined;
  const full = rows.length >= ask.most;
  if (!wants) return batchOf(options, rows, rows, full);
  const wanted = rows.length > 0 ? await wants() : () => false, { read, chosen } = chooseAmong(rows, wanted, options);
  const loaded = chosen.length === 0 ? [] : await load(pool, chosen);
  return loaded && batchOf(options, read, loaded, read.length < rows.length || full);
}

/** What is wanted of rows, as much as a batch holds, and the rows up to where that is complete. */
export function chooseAmong<R extends { key: string; size: number }>(rows: readonly R[], wanted: (key: string) => boolean, { limit, maxBytes }: Pick<ReadOptions, 'limit' | 'maxBytes'>): { read: readonly R[]; chosen: R[] } {
  const chosen: R[] = [];
  let bytes = 0;
  for (const [i, row] of rows.entries()) {
    if (!wanted(row.key)) continue;
    if (chosen.length === limit || bytes >= maxBytes) return { read: rows.slice(0, i), chosen };
    chosen.push(row);
    bytes += row.size;
  }
  return { read: rows, chosen };
}

/** The messages that were outlined; undefined when some are there no more. */
async function load(pool: pg.Pool, outlines: readonly Outline[]): Promise<(Outline & Contents)[] | undefined> {
  const { rows } = await pool.query<Contents>({ name: 'log-values', text: values, values: [outlines.map((one) => one.topicId), outlines.map((one) => one.partition), outlines.map((one) => one.position)] });
  return rows.length < outlines.length ? undefined : outlines.map((one, i) => ({ ...one, ...rows[i]! }));
}

function batchOf({ topics }: ReadOptions, read: readonly Outline[], chosen: readonly (Outline & Contents)[], full: boolean): Batch {
  const names = new Map(topics.map((topic) => [topic.id, topic.name]));
  let next = 0;
  const isNext = (one: Outline): boolean => { const wanted = chosen[next]; return wanted !== undefined && wanted.position === one.position && samePartition(wanted, one); };
  return {
    full,
    read: read.map((one) => ({ topicId: one.topicId, partition: one.partition, position: one.position, message: isNext(one) ? next++ : null })),
    messages: chosen.map(({ topicId, partition, position, time, key, value, headers }) => ({
      topic: names.get(topicId) ?? '', partition, position, time, key, value, headers: headers === null ? {} : (JSON.parse(headers) as Record<string, string>),
    })),
  };
}

const samePartition = (one: Place, other: Place | undefined): boolean => one.partition === other?.partition && one.topicId === other.topicId;

/**
 * Stores how far a group is when that many messages of a batch are handled, without waiting for the disk: after a crash of the server some come again.
 * Says whether this member still owned all the partitions; if not, another handles those messages again.
 */
export async function storeProgress(pool: pg.Pool, { group, owner }: { group: string; owner: string }, { read }: Batch, done: number): Promise<boolean> {
  const undone = read.findIndex(({ message }) => message !== null && message >= done), passed = undone < 0 ? read : read.slice(0, undone);
  // The messages of a partition come after each other.
  const ends = passed.filter((one, i) => !samePartition(one, passed[i + 1]));
  if (ends.length === 0) return true;
  const { rowCount } = await pool.query({
    name: 'log-progress',
    text: `update "log"."progress" set "position" = "e"."position"
      from (select * from rows from (unnest($3::int[]), unnest($4::int[]), unnest($5::bigint[]))) as "e" ("topic_id", "partition", "position")
      where "group" = $1 and "owner" = $2 and "progress"."topic_id" = "e"."topic_id" and "progress"."partition" = "e"."partition"
        and "progress"."position" < "e"."position" and set_config('synchronous_commit', 'off', true) is not null`,
    values: [group, owner, ends.map((end) => end.topicId), ends.map((end) => end.partition), ends.map((end) => end.position)],
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

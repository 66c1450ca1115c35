import type pg from 'pg';
import { relevantKeys, type KeyAhead } from '../../log/relevance.ts';
import type { RelevanceFilter } from '../../log/log.ts';
import { type Batch, messagesOf, mine, type ReadOptions, type Row } from './read.ts';

/** How many messages of each kind there are. */
interface Kinds {
  [kind: string]: number;
}

/**
 * What lies ahead in a partition: the position up to which it was looked at, and how many messages per kind concern the
 * reader (`kinds`) or do not (`aside`).
 */
export interface Ahead {
  topicId: number;
  partition: number;
  after: string;
  upto: string;
  kinds: Kinds;
  aside: Kinds;
  missed: boolean;
}

/** At most this many times the size of a batch is looked at to find wanted messages. */
const AHEAD = 10;

/** How many messages to look at next: as many as were needed to fill a batch this time. */
export const lookOver = ({ messages, looked }: Pick<Batch, 'messages' | 'looked'>, limit: number): number =>
  Math.ceil(limit * Math.min(AHEAD, Math.max(1, looked / Math.max(1, messages.length))));

/** Whether the message `of` is marked as not concerning a reader with the names `$n`. */
const isIrrelevant = (of: string, names: number): string =>
  `coalesce(string_to_array(${of}."aside", ' ') && $${names}::text[], false)`;

const ahead = `${mine} select "topic_id" as "topicId", "partition", "position" as "after", max("upto") as "upto", json_object_agg("kind", "count") as "kinds", json_object_agg("kind", "beside") as "aside", "missed" from (
    select "mine".*, "m"."kind", count(*) filter (where not "m"."is_irrelevant") as "count", count(*) filter (where "m"."is_irrelevant") as "beside", max("m"."position") as "upto" from "mine" cross join lateral (
      select "position", split_part("key", ':', 1) as "kind", ${isIrrelevant('"message"', 6)} as "is_irrelevant" from "log"."message"
      where "topic_id" = "mine"."topic_id" and "partition" = "mine"."partition" and "position" > "mine"."position"
      order by "position" limit ceil($3::numeric / "mine"."waiting")
    ) as "m" group by "mine"."topic_id", "mine"."partition", "mine"."position", "mine"."waiting", "mine"."turn", "mine"."missed", "m"."kind"
  ) as "k" group by "topic_id", "partition", "position", "turn", "missed" order by "turn"`;

/** Ranges to read: partitions, numbered, each with the positions between which it is read. */
const ranges = `rows from (unnest($1::int[]), unnest($2::int[]), unnest($3::bigint[]), unnest($4::bigint[])) with ordinality as "w" ("topic_id", "partition", "after", "upto", "n")`;
const rangesOf = (places: readonly Ahead[]): unknown[] => [
  places.map((one) => one.topicId),
  places.map((one) => one.partition),
  places.map((one) => one.after),
  places.map((one) => one.upto),
];

/** The messages of certain kinds in a range. */
const within = (
  columns: string,
): string => `select ${columns} from "log"."message" as "m" where "m"."topic_id" = "w"."topic_id" and "m"."partition" = "w"."partition"
          and "m"."position" > "w"."after" and "m"."position" <= "w"."upto" and split_part("m"."key", ':', 1) = any($5::text[])`;

const keys = `select "key", count(*) filter (where "is_irrelevant")::int as "irrelevant", not bool_and("is_irrelevant") as "delivered" from ${ranges}
    cross join lateral (${within(`"m"."key", ${isIrrelevant('"m"', 6)} as "is_irrelevant"`)} offset 0) as "m" group by "key" having bool_or("is_irrelevant")`;

// As many as a batch may hold, and how many that would have been without the limit of bytes (`there`); the first is
// always included, however large it is.
const wanted = `select "topicId", "partition", "position", "key", "time", "headers", "value", "there"::int from (
    select *, count(*) over () as "there", sum("size") over (order by "n", "position" rows unbounded preceding) as "total" from (
      select "m"."topic_id" as "topicId", "m"."partition", "m"."position", "m"."size", "m"."key", "m"."time", "m"."headers", "m"."value", "w"."n" from ${ranges}
      cross join lateral (
        ${within('*')} and (not ${isIrrelevant('"m"', 8)} or "m"."key" = any($9::text[])) offset 0
      ) as "m" order by "w"."n", "m"."position" limit $6
    ) as "first"
  ) as "b" where "total" - "size" < $7 order by "n", "position"`;

export interface WantedOptions extends ReadOptions {
  /** Messages to look over. */ over: number;
  wants(): Promise<(kind: string) => boolean>;
  relevance?: RelevanceFilter | undefined;
}

/**
 * The next messages that matter of the partitions that a member owns. What lies ahead is counted first, and only then
 * `wants` is called, so that its answer takes into account everything that was known before a message was published. Of
 * other messages only the keys of those that may be relevant leave the database. Undefined if messages before them have
 * been deleted.
 */
export async function readWanted(pool: pg.Pool, options: WantedOptions): Promise<Batch | undefined> {
  const { group, owner, limit, over, maxBytes, last, wants, relevance, topics } = options;
  const names = relevance?.names ?? [];
  const { rows: places } = await pool.query<Ahead>({
    name: 'log-ahead',
    text: ahead,
    values: [group, owner, over, last.topicId, last.partition, names],
  });
  if (places.some(({ missed }) => missed)) return undefined;
  const is = places.length > 0 ? await wants() : () => false;
  const chosen = kindsOf(places, is);
  const passed = chosen.filter((kind) => places.some((place) => place.aside[kind]));
  const where = rangesOf(places);
  const relevantOnes = await relevantAhead(pool, relevance, where, passed);
  const expected =
    countOf(
      places,
      ({ kinds }) => kinds,
      (kind) => chosen.includes(kind),
    ) + relevantOnes.reduce((sum, one) => sum + one.irrelevant, 0);
  const { rows } =
    expected === 0
      ? { rows: [] }
      : await pool.query<Row & { there: number }>({
          name: 'log-wanted',
          text: wanted,
          values: [...where, chosen, limit, maxBytes, names, relevantOnes.map(({ key }) => key)],
        });
  // Some have been deleted since they were counted.
  if ((rows[0]?.there ?? 0) < Math.min(expected, limit)) return undefined;
  const whole = rows.length === expected;
  const looked =
    countOf(
      places,
      ({ kinds }) => kinds,
      () => true,
    ) +
    countOf(
      places,
      (place) => place.aside,
      () => true,
    );
  return {
    messages: messagesOf(topics, rows),
    read: reached(places, rows, whole),
    looked: whole ? looked : Math.ceil((looked * rows.length) / expected),
    full: !whole || looked >= over,
  };
}

/** The keys, of certain kinds, whose messages are wanted although they are marked as not concerning the group. */
async function relevantAhead(
  pool: pg.Pool,
  relevance: RelevanceFilter | undefined,
  where: unknown[],
  kinds: string[],
): Promise<KeyAhead[]> {
  if (!relevance || kinds.length === 0) return [];
  const { rows } = await pool.query<KeyAhead>({
    name: 'log-keys',
    text: keys,
    values: [...where, kinds, relevance.names],
  });
  const relevant = await relevantKeys(relevance, rows);
  return rows.filter(({ key }) => relevant.has(key));
}

const kindsOf = (places: readonly Ahead[], is: (kind: string) => boolean): string[] =>
  [...new Set(places.flatMap(({ kinds }) => Object.keys(kinds)))].filter(is);
const countOf = (places: readonly Ahead[], of: (place: Ahead) => Kinds, is: (kind: string) => boolean): number =>
  places.reduce(
    (sum, place) => sum + Object.entries(of(place)).reduce((all, [kind, count]) => (is(kind) ? all + count : all), 0),
    0,
  );

/**
 * How far partitions are read with these messages, in their order: to the end of what was looked at, or, if the batch
 * does not hold all wanted messages, to its last message.
 */
export function reached(
  places: readonly Pick<Ahead, 'topicId' | 'partition' | 'upto'>[],
  messages: readonly Pick<Row, 'topicId' | 'partition' | 'position'>[],
  whole: boolean,
): Batch['read'] {
  const read: Batch['read'] = [];
  let next = 0;
  for (const { topicId, partition, upto } of places) {
    for (let one = messages[next]; one?.topicId === topicId && one.partition === partition; one = messages[++next])
      read.push({ topicId, partition, position: one.position, message: next });
    if (!whole && next >= messages.length) return read;
    read.push({ topicId, partition, position: upto, message: null });
  }
  return read;
}

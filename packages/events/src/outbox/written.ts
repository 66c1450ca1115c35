import type pg from 'pg';
import { irrelevantTo } from '../event/eventText.ts';

/** Events of an outbox, by their ids: from the first to the last, inclusive. */
export interface Span {
  first: number;
  last: number;
}

/** What a service asks for when it reads another's outbox directly instead of waiting for the log. */
export interface Wanted {
  spans: readonly Span[];
  /** `<app>.<model>`; null for all. */
  types: readonly string[] | null;
  /**
   * The partial replicas of the service that asks (`RelevanceFilter`), and the keys of events that it wants even if
   * they do not concern those replicas.
   */
  replicas: readonly string[];
  relevantKeys: ReadonlySet<string>;
}

/** Events, and the keys of those that do not concern the service that asked. */
export interface Written {
  events: string[];
  irrelevantKeys: string[];
}

// Row by row along the index, whatever the statistics of the table are at that moment (`queue.ts` says why).
const inSpans = `select "key", "body" from unnest($1::bigint[], $2::bigint[]) as "span" ("first", "last")
  cross join lateral (select "id", "key", "body" from "change" where "change"."id" between "span"."first" and "span"."last"
    and ($3::text[] is null or split_part("key", ':', 1) = any($3)) order by "id" limit $4) as "event" order by "id"`;

/**
 * The committed events of some spans, in the order of the outbox, by one statement.
 * @param most how many events of each span are read at most
 */
export async function writtenIn(
  pool: Pick<pg.Pool, 'query'>,
  { spans, types, replicas, relevantKeys }: Wanted,
  most: number,
): Promise<Written> {
  const { rows } = await pool.query<{ key: string; body: string }>({
    name: 'outbox-spans',
    text: inSpans,
    values: [spans.map(({ first }) => first), spans.map(({ last }) => last), types, most],
  });
  const found: Written = { events: [], irrelevantKeys: [] };
  for (const { key, body } of rows) {
    const concerns =
      relevantKeys.has(key) ||
      !irrelevantTo(body)
        ?.split(' ')
        .some((name) => replicas.includes(name));
    if (concerns) found.events.push(body);
    else found.irrelevantKeys.push(key);
  }
  return found;
}

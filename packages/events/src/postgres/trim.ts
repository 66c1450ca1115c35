import type pg from 'pg';
import { createSignal } from '../waiting/signal.ts';

// Looks at the oldest messages of each partition only, whatever the size of the table; as times grow with positions,
// that finds the rest next time.
const trim = `with "oldest" as (
    select "m".* from "log"."topic", generate_series(0, "topic"."partitions" - 1) as "p"
    cross join lateral (
      select "topic_id", "partition", "position", "time" from "log"."message"
      where "topic_id" = "topic"."id" and "partition" = "p" order by "position" limit 1000
    ) as "m"
  ), "gone" as (
  delete from "log"."message" using "oldest"
  where "oldest"."time" < clock_timestamp() - make_interval(secs => $1::float8 / 1000)
    and "message"."topic_id" = "oldest"."topic_id" and "message"."partition" = "oldest"."partition" and "message"."position" = "oldest"."position"
  returning "message"."topic_id", "message"."partition", "message"."position"
  ), "noted" as (
    insert into "log"."trimmed" select "topic_id", "partition", max("position") from "gone" group by 1, 2
    on conflict ("topic_id", "partition") do update set "position" = greatest("trimmed"."position", excluded."position")
  )
  select count(*)::int as "count" from "gone"`;

/** Deletes messages older than the retention. Returns how many. */
export async function trimMessages(pool: pg.Pool, retention: number): Promise<number> {
  let total = 0;
  for (;;) {
    const {
      rows: [gone],
    } = await pool.query<{ count: number }>(trim, [retention]);
    if (!gone?.count) return total;
    total += gone.count;
  }
}

// Members send heartbeats too often to note each of them here.
const used = `update "log"."progress" set "used_at" = now() where "used_at" < now() - make_interval(secs => $1::float8 / 10_000)
  and exists (select from "log"."member" where "member"."group" = "progress"."group" and "seen_at" > now() - make_interval(secs => $1::float8 / 10_000))`;
const dead = `delete from "log"."member" where "seen_at" < now() - make_interval(secs => $1::float8 / 1000)`;
const unused = `delete from "log"."progress" where "used_at" < now() - make_interval(secs => $1::float8 / 1000)`;

/**
 * Forgets the positions of groups that have had no member for as long as messages are kept: the log no longer has the
 * messages that they had yet to read. A group that comes back nevertheless starts anew, and is told that it may have
 * missed messages. Returns how many positions were forgotten.
 */
export async function forgetGroups(pool: pg.Pool, retention: number): Promise<number> {
  await pool.query(used, [retention]);
  // The members of a living group remove those that have died; this removes the members of groups in which all have
  // died.
  await pool.query(dead, [retention]);
  return (await pool.query(unused, [retention])).rowCount ?? 0;
}

/** Trims from time to time, beginning after one interval. Returns a function that ends it. */
export function startTrimming(
  pool: pg.Pool,
  retention: number,
  onError: (error: unknown) => void,
): () => Promise<void> {
  const interval = Math.min(retention / 10, 10 * 60_000);
  const signal = createSignal();
  let stopped = false;
  const running = (async () => {
    for (;;) {
      await signal.wait(interval);
      if (stopped) return;
      await trimMessages(pool, retention)
        .then(() => forgetGroups(pool, retention))
        .catch(onError);
    }
  })();
  return async () => {
    stopped = true;
    signal.wake();
    await running;
  };
}

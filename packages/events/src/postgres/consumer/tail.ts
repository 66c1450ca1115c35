import type pg from 'pg';
import { shared } from '../../waiting/shared.ts';
import type { Place } from './group.ts';

/** A message at the end of the log, without its contents. */
export interface TailRow extends Place {
  position: bigint;
  key: string;
  aside: string | null;
  size: number;
}

/** The contents of a message. */
export interface Contents {
  time: Date;
  headers: string | null;
  value: string;
}

/** The end of one topic: its messages after position `from`. */
interface End {
  from: bigint;
  upto: bigint;
  /** The position of the last message of each partition up to `from`, if it has or had one. */
  before: Map<number, bigint>;
  rows: TailRow[];
}

/** The end of a topic, as far as it is kept in memory. Positions grow without gaps, in the order of commits. */
interface Found extends Partial<Omit<TailRow, 'position'>> {
  topicId: number;
  end: string;
  position: string | null;
}

/** How many messages of a topic are kept. When a look finds more than that, members read by statements of their own. */
const MOST = 500;
/** How many bytes of contents are kept, for the other groups of this process. */
const MOST_BYTES = 4 * 1024 * 1024;

// Uses the index, partition by partition. A topic without new messages yields no row.
const news = `select "t"."id" as "topicId", "t"."position" as "end", "m"."partition", "m"."position", "m"."key", "m"."aside", "m"."size"
  from rows from (unnest($1::int[]), unnest($2::bigint[])) as "w" ("id", "after") join "log"."topic" as "t" on "t"."id" = "w"."id" and "t"."position" > "w"."after"
  left join lateral (
    select "n".* from generate_series(0, "t"."partitions" - 1) as "p" cross join lateral (
      select "partition", "position", "key", "aside", "size" from "log"."message"
      where "topic_id" = "t"."id" and "partition" = "p" and "position" > "w"."after" and "position" <= "t"."position" order by "position" limit $3::int
    ) as "n" where "t"."position" - "w"."after" <= $3::int
  ) as "m" on true order by 1, "m"."position"`;

const ends = `select "t"."id" as "topicId", "t"."position" as "end", "p" as "partition", greatest((
    select "position" from "log"."message" where "topic_id" = "t"."id" and "partition" = "p" and "position" <= "t"."position" order by "position" desc limit 1
  ), (
    select "position" from "log"."trimmed" where "topic_id" = "t"."id" and "partition" = "p"
  )) as "position" from "log"."topic" as "t", generate_series(0, "t"."partitions" - 1) as "p" where "t"."id" = any($1::int[])`;

const contents = `select "w"."n"::int, "m".* from rows from (unnest($1::int[]), unnest($2::int[]), unnest($3::bigint[])) with ordinality as "w" ("topic_id", "partition", "position", "n")
  cross join lateral (
    select "time", "headers", "value" from "log"."message" as "m"
    where "m"."topic_id" = "w"."topic_id" and "m"."partition" = "w"."partition" and "m"."position" = "w"."position" limit 1
  ) as "m"`;

/**
 * The end of the log in memory. All groups of a process that are up to date read the same few messages at about the
 * same time, so one statement looks for new messages for all of them, and the contents of a message are loaded once. A
 * group that is further behind reads by statements of its own until it has caught up.
 */
export class Tail {
  readonly #pool: pg.Pool;
  readonly #ends = new Map<number, End>();
  readonly #watched = new Map<number, number>();
  readonly #loaded = new Map<TailRow, Promise<Contents | undefined>>();
  #bytes = 0;
  #woken = 0;
  #looked = 0;
  #lookedAt = 0;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Begins to look at topics, for one more consumer. */
  watch(topics: readonly number[]): void {
    for (const id of topics) this.#watched.set(id, (this.#watched.get(id) ?? 0) + 1);
    this.wake();
  }

  leave(topics: readonly number[]): void {
    for (const id of topics) {
      const left = this.#watched.get(id)! - 1;
      if (left > 0) {
        this.#watched.set(id, left);
        continue;
      }
      this.#watched.delete(id);
      this.#drop(this.#ends.get(id)?.rows ?? []);
      this.#ends.delete(id);
    }
  }

  /** To be called when something has been published. */
  wake(): void {
    this.#woken += 1;
  }

  /** To be called when what is known may be wrong: after a reconnect the database may be another one. */
  forget(): void {
    this.#ends.clear();
    this.#loaded.clear();
    this.#bytes = 0;
    this.wake();
  }

  /**
   * Resolves when everything that was published before the call is known.
   * @param poll looks without having been woken when the last look is this long ago, in milliseconds
   */
  async current(poll: number): Promise<void> {
    if (this.#woken !== this.#looked || performance.now() - this.#lookedAt >= poll) await this.#look();
  }

  readonly #look = shared(async () => {
    const woken = this.#woken;
    const at = performance.now();
    const known = [...this.#watched.keys()].flatMap((id) => this.#ends.get(id) ?? []);
    const ids = [...this.#ends].filter(([, end]) => known.includes(end)).map(([id]) => id);
    if (ids.length > 0) {
      const { rows } = await this.#pool.query<Found>({
        name: 'log-tail',
        text: news,
        values: [ids, ids.map((id) => this.#ends.get(id)?.upto ?? 0n), MOST],
      });
      for (const [id, found] of Map.groupBy(rows, ({ topicId }) => topicId)) this.#append(id, found);
    }
    await this.#begin([...this.#watched.keys()].filter((id) => !this.#ends.has(id)));
    this.#looked = woken;
    this.#lookedAt = at;
  });

  #append(id: number, found: readonly Found[]): void {
    const end = this.#ends.get(id);
    // The topic was forgotten, or no longer watched, during the look.
    if (!end) return;
    const upto = BigInt(found[0]!.end);
    if (upto - end.upto > BigInt(MOST)) {
      this.#drop(end.rows);
      this.#ends.delete(id);
      return;
    }
    for (const { partition, position, key, aside, size } of found)
      if (position !== null)
        end.rows.push({
          topicId: id,
          partition: partition!,
          position: BigInt(position),
          key: key!,
          aside: aside!,
          size: size!,
        });
    end.upto = upto;
    const passed = end.rows.splice(0, Math.max(0, end.rows.length - MOST));
    for (const { partition, position } of passed) end.before.set(partition, position);
    end.from = passed.at(-1)?.position ?? end.from;
    this.#drop(passed);
  }

  /** Starts at the end of topics of which nothing is kept yet. */
  async #begin(ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    const { rows } = await this.#pool.query<Found>({ name: 'log-ends', text: ends, values: [ids] });
    for (const [id, found] of Map.groupBy(rows, ({ topicId }) => topicId)) {
      const upto = BigInt(found[0]!.end);
      const before = new Map<number, bigint>();
      for (const { partition, position } of found) if (position !== null) before.set(partition!, BigInt(position));
      if (this.#watched.has(id)) this.#ends.set(id, { from: upto, upto, before, rows: [] });
    }
  }

  /**
   * The messages of a partition after a position, and the position up to which there are no others; undefined if there
   * may be messages in between that are not kept.
   */
  after({ topicId, partition }: Place, position: bigint): { rows: readonly TailRow[]; upto: bigint } | undefined {
    const end = this.#ends.get(topicId);
    if (!end || position < (end.before.get(partition) ?? 0n)) return undefined;
    const rows: TailRow[] = [];
    for (let i = end.rows.length - 1; i >= 0 && end.rows[i]!.position > position; i--)
      if (end.rows[i]!.partition === partition) rows.push(end.rows[i]!);
    return { rows: rows.reverse(), upto: end.upto };
  }

  /** The contents of messages; undefined if one of them has been deleted. */
  async contents(rows: readonly TailRow[]): Promise<Contents[] | undefined> {
    const missing = rows.filter((row) => !this.#loaded.has(row));
    if (missing.length > 0) this.#load(missing);
    const found = await Promise.all(rows.map((row) => this.#loaded.get(row)));
    this.#makeRoom();
    return found.every((one) => one !== undefined) ? found : undefined;
  }

  #load(rows: readonly TailRow[]): void {
    const loading = this.#pool.query<Contents & { n: number }>({
      name: 'log-contents',
      text: contents,
      values: [
        rows.map(({ topicId }) => topicId),
        rows.map(({ partition }) => partition),
        rows.map(({ position }) => position),
      ],
    });
    const byNumber = loading.then(({ rows: found }) => new Map(found.map((one) => [one.n, one])));
    // Contents that could not be loaded are requested again by the next call.
    byNumber.catch(() => this.#drop(rows));
    for (const [i, row] of rows.entries()) {
      const one = byNumber.then((found) => found.get(i + 1));
      one.catch(() => undefined);
      this.#loaded.set(row, one);
      this.#bytes += row.size;
    }
  }

  #makeRoom(): void {
    for (const row of this.#loaded.keys()) {
      if (this.#bytes <= MOST_BYTES) return;
      this.#drop([row]);
    }
  }

  #drop(rows: readonly TailRow[]): void {
    for (const row of rows) if (this.#loaded.delete(row)) this.#bytes -= row.size;
  }
}

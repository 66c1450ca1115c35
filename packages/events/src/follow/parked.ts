import type pg from 'pg';
import { type ConsumeOptions, kindOf, type ReceivedMessage } from '../log/log.ts';
import { traceOf } from './park.ts';

/** A message that its group could not handle. */
export interface ParkedMessage {
  id: number;
  group: string;
  topic: string;
  partition: number;
  /** Digits, as it may exceed 2^53. */
  position: string;
  key: string;
  /** The last failure, in one line. */
  error: string;
  /** ISO 8601. */
  parked: string;
  /** How often it was replayed without success, and when last. */
  replays: number;
  lastReplay: string | null;
  /** The size of the message, in characters. */
  size: number;
}

/**
 * How a replay went: with `failed` comes the reason; `absent`: there is no such message; `busy`: another replay of it
 * is running.
 */
export type Replay = { outcome: 'handled' | 'absent' | 'busy' } | { outcome: 'failed'; error: string };

type Following = Pick<ConsumeOptions, 'wants' | 'handler'>;

// As text, for pools with type parsers of their own for times.
const iso = (column: string): string => `to_char("${column}" at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const columns = `"id"::text, "group", "topic", "partition", "position"::text, "key", split_part("error", E'\\n', 1) as "error",
  ${iso('parked_at')} as "parked", "replays", ${iso('replayed_at')} as "lastReplay", length("value") as "size"`;
const read = (row: Omit<ParkedMessage, 'id'> & { id: string }): ParkedMessage => ({ ...row, id: Number(row.id) });

/** Parked messages, oldest first, and how many there are. */
export async function listParked(
  pool: pg.Pool,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ count: number; messages: ParkedMessage[] }> {
  const {
    rows: [counted],
  } = await pool.query<{ count: string }>('select count(*) from "parked_message"');
  const { rows } =
    limit > 0
      ? await pool.query(`select ${columns} from "parked_message" order by "id" limit $1 offset $2`, [limit, offset])
      : { rows: [] };
  return { count: Number(counted?.count ?? 0), messages: rows.map(read) };
}

/** How many messages each group has parked. */
export async function countParked(pool: pg.Pool): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ group: string; count: string }>(
    'select "group", count(*) from "parked_message" group by "group"',
  );
  return new Map(rows.map(({ group, count }) => [group, Number(count)]));
}

/** One parked message with its text and the whole error. */
export async function readParked(
  pool: pg.Pool,
  id: number,
): Promise<(ParkedMessage & { value: string; trace: string }) | null> {
  const {
    rows: [row],
  } = await pool.query(`select ${columns}, "value", "error" as "trace" from "parked_message" where "id" = $1`, [id]);
  return row ? { ...read(row), value: row.value, trace: row.trace } : null;
}

/** Deletes a parked message for good. Returns whether it existed. */
export const discardParked = async (pool: pg.Pool, id: number): Promise<boolean> =>
  (await pool.query('delete from "parked_message" where "id" = $1', [id])).rowCount === 1;

/** Deletes messages that have been parked for longer than that. */
export async function trimParked(pool: pg.Pool, retentionMs: number): Promise<void> {
  await pool.query(
    `delete from "parked_message" where "parked_at" < now() - make_interval(secs => $1::float8 / 1000)`,
    [retentionMs],
  );
}

/**
 * Hands a parked message to its group's handler again, as it was in the log, and deletes it when it has been handled.
 * Later messages about the same object have been handled since, so handlers must decide by row versions and event ids,
 * as they must for repeated messages.
 */
export async function replayParked(
  pool: pg.Pool,
  id: number,
  followingOf: (group: string) => Following | undefined,
): Promise<Replay> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const {
      rows: [row],
    } = await client.query<Kept>(
      `select "group", "topic", "partition", "position"::text, "key", "value", ${iso('time')} as "time", "headers" from "parked_message" where "id" = $1 for update skip locked`,
      [id],
    );
    if (!row) {
      await client.query('rollback');
      return { outcome: (await readParked(pool, id)) ? 'busy' : 'absent' };
    }
    const error = await attempt(row, followingOf(row.group));
    // The row was locked during the attempt, so that no other process replays it at the same time; if a process dies,
    // its lock is released.
    if (error === null) await client.query('delete from "parked_message" where "id" = $1', [id]);
    else
      await client.query(
        'update "parked_message" set "error" = $2, "replays" = "replays" + 1, "replayed_at" = now() where "id" = $1',
        [id, error],
      );
    await client.query('commit');
    return error === null ? { outcome: 'handled' } : { outcome: 'failed', error: error.split('\n', 1)[0] ?? '' };
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

type Kept = Omit<ReceivedMessage, 'headers' | 'time'> & { group: string; time: string; headers: string | null };

async function attempt(
  { group, time, headers, ...message }: Kept,
  following: Following | undefined,
): Promise<string | null> {
  if (!following) return `nothing here follows as ${group}`;
  const { wants, handler } = following;
  try {
    // A message of a type that the group no longer wants counts as handled.
    if (wants && !(await wants())(kindOf(message.key))) return null;
    await handler([
      {
        ...message,
        time: new Date(time),
        headers: headers === null ? {} : (JSON.parse(headers) as Record<string, string>),
      },
    ]);
    return null;
  } catch (error) {
    return traceOf(error);
  }
}

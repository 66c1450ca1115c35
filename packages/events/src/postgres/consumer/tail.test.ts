import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../../../tools/testing/servers/postgres.ts';
import { createPostgresLog } from '../log.ts';
import type { EventLog } from '../../log/log.ts';
import { Tail, type TailRow } from './tail.ts';

describe('the end of the log in memory', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let log: EventLog;
  let tail: Tail;
  let topic: number;
  let asked: string[] = [];
  let topics = 0;
  const never = 1e9;
  const publish = (...values: string[]) =>
    log.publish(
      `t${topics}`,
      values.map((value) => ({ key: `k:${value}`, value })),
    );
  const told = async (...values: string[]) => {
    await publish(...values);
    tail.wake();
    await tail.current(never);
  };
  const rowsOf = (partition: number, position: bigint): readonly (TailRow | undefined)[] =>
    tail.after({ topicId: topic, partition }, position)?.rows ?? [undefined];
  /** The messages after a position in both partitions; undefined for a partition of which that is not known. */
  const behind = (position = 0n): (TailRow | undefined)[] =>
    [...rowsOf(0, position), ...rowsOf(1, position)].sort((a, b) => Number((a?.position ?? 0n) - (b?.position ?? 0n)));
  const keys = (position?: bigint) => behind(position).map((row) => row?.key);

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = new pg.Pool({ connectionString: database.url });
    log = await createPostgresLog({ connection: database.url, partitions: 2 });
  });
  afterAll(async () => {
    await log.close();
    await pool.end();
    await database.drop();
  });
  beforeEach(async () => {
    topics += 1;
    await log.ensureTopics([`t${topics}`]);
    topic = (await pool.query<{ id: number }>('select "id" from "log"."topic" where "name" = $1', [`t${topics}`]))
      .rows[0]!.id;
    asked = [];
    tail = new Tail({
      query: (statement: pg.QueryConfig) => {
        asked.push(statement.name!);
        return pool.query(statement);
      },
    } as unknown as pg.Pool);
  });

  test('begins where the log ends when somebody begins to look', async () => {
    await publish('old');
    tail.watch([topic]);
    await tail.current(never);
    // Earlier messages are read by statements; a group that has read them is up to date.
    expect(keys()).toContain(undefined);
    expect(keys(1n)).toEqual([]);
    await told('a', 'b');
    expect(keys(1n)).toEqual(['k:a', 'k:b']);
    expect(keys(2n)).toEqual(['k:b']);
    expect(tail.after({ topicId: topic, partition: 0 }, 3n)).toEqual({ rows: [], upto: 3n });
  });

  test('looks when it was woken, or when it has not looked for long, and for all at once', async () => {
    tail.watch([topic]);
    // Calls that come during a look share the next one.
    const first = tail.current(never);
    await turn();
    await Promise.all([first, tail.current(never), tail.current(never)]);
    expect(asked).toEqual(['log-ends', 'log-tail']);
    await tail.current(never);
    expect(asked).toHaveLength(2);
    await tail.current(0);
    expect(asked).toHaveLength(3);
    tail.wake();
    await tail.current(never);
    expect(asked).toHaveLength(4);
  });

  test('what messages say is loaded once, for whoever asks', async () => {
    tail.watch([topic]);
    await tail.current(never);
    await told('a', 'b', 'c');
    asked = [];
    const [a, b, c] = behind() as [TailRow, TailRow, TailRow];
    const values = async (...rows: TailRow[]) => (await tail.contents(rows))?.map(({ value }) => value);
    expect(await Promise.all([values(a, b), values(b, c), values(a)])).toEqual([['a', 'b'], ['b', 'c'], ['a']]);
    expect(asked).toEqual(['log-contents', 'log-contents']);
    await pool.query('delete from "log"."message" where "topic_id" = $1', [topic]);
    expect(await values(a, b, c)).toEqual(['a', 'b', 'c']);
    tail.forget();
    expect(await values(a)).toBeUndefined();
  });

  test('keeps some hundred messages, and leaves to statements who is further behind', async () => {
    tail.watch([topic]);
    await tail.current(never);
    const many = (n: number, name: string) => Array.from({ length: n }, (_, i) => `${name}${i}`);
    await told(...many(300, 'a'));
    await told(...many(300, 'b'));
    expect(keys()).toContain(undefined);
    expect(keys(100n)).toHaveLength(500);
    await told(...many(501, 'c'));
    expect(keys(600n)).toContain(undefined);
    expect(keys(1101n)).toEqual([]);
    await told('d');
    expect(keys(1101n)).toEqual(['k:d']);
  });

  test('knows of what was deleted before anybody has read it', async () => {
    await publish('gone');
    await pool.query('delete from "log"."message" where "topic_id" = $1', [topic]);
    await pool.query('insert into "log"."trimmed" select $1, "p", 1 from generate_series(0, 1) as "p"', [topic]);
    tail.watch([topic]);
    await tail.current(never);
    expect([keys(), keys(1n)]).toEqual([[undefined, undefined], []]);
  });

  test('forgets what it knows where the database may be another, and what nobody looks at', async () => {
    tail.watch([topic]);
    tail.watch([topic]);
    await tail.current(never);
    await told('a');
    tail.leave([topic]);
    expect(keys()).toEqual(['k:a']);
    tail.forget();
    expect(keys()).toEqual([undefined, undefined]);
    await tail.current(never);
    expect(keys(1n)).toEqual([]);
    tail.leave([topic]);
    expect(keys(1n)).toEqual([undefined, undefined]);
  });
});

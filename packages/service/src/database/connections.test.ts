import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../../tools/testing/servers/postgres.ts';
import { createConnections, serverOf, timesAsSent } from './connections.ts';

const open: pg.Pool[] = [];
let places: TestDatabase[];
let watcher: pg.Client;
beforeAll(async () => {
  places = await Promise.all([createTestDatabase(), createTestDatabase()]);
  watcher = new pg.Client({ connectionString: places[0]!.url });
  await watcher.connect();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((pool) => pool.end()));
});
afterAll(async () => {
  await watcher?.end();
  await Promise.all((places ?? []).map((place) => place.drop()));
});

/** Pools of one process on two databases of a server, which share this many connections. */
function pools(all: number, more: { idleMs?: number; statementTimeoutMs?: number } = {}) {
  const connections = createConnections();
  const [one, other] = places.map(({ url }, i) =>
    connections.pool({ url, name: `sharing ${i}`, statementTimeoutMs: 10_000, idleMs: 60_000, places: all, ...more }),
  );
  open.push(one!, other!);
  return { one: one!, other: other! };
}

const backends = async (name: string): Promise<number> =>
  Number(
    (
      await watcher.query<{ count: string }>('select count(*) from pg_stat_activity where application_name = $1', [
        name,
      ])
    ).rows[0]!.count,
  );
const until = async (holds: () => Promise<boolean>): Promise<void> => {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
};

describe('pools of one server', () => {
  test('have no more connections together than there may be, and close idle ones for each other', async () => {
    const { one, other } = pools(8);
    await Promise.all(Array.from({ length: 40 }, () => one.query('select pg_sleep(0.05)')));
    expect(await backends('sharing 0')).toBe(4);
    const held = [await one.connect(), await one.connect(), await one.connect()];
    await Promise.all(Array.from({ length: 40 }, () => other.query('select pg_sleep(0.05)')));
    expect(await backends('sharing 1')).toBe(4);
    for (const client of held) client.release();

    const lone = createConnections().pool({
      url: places[0]!.url,
      name: 'lone',
      statementTimeoutMs: 10_000,
      idleMs: 60_000,
      places: 6,
    });
    open.push(lone);
    await Promise.all(Array.from({ length: 40 }, () => lone.query('select pg_sleep(0.05)')));
    expect(await backends('lone')).toBe(6);
  });

  test('let one have what the other does not use, and take it back when that needs it', async () => {
    const { one, other } = pools(12);
    await Promise.all(Array.from({ length: 40 }, () => one.query('select pg_sleep(0.05)')));
    expect(one.totalCount).toBe(8);
    await Promise.all(Array.from({ length: 40 }, () => other.query('select pg_sleep(0.05)')));
    expect(other.totalCount).toBe(8);
    await until(async () => (await backends('sharing 0')) + (await backends('sharing 1')) <= 12);
    expect(one.totalCount + other.totalCount).toBeLessThanOrEqual(12);
  });

  test('answer statements while transactions have all other connections', async () => {
    const { one, other } = pools(4);
    const held = [await one.connect(), await other.connect()];
    const waiting = one.connect();
    expect((await one.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    expect((await other.query({ text: 'select $1::int as one', values: [1] })).rows).toEqual([{ one: 1 }]);
    held[0]!.release();
    (await waiting).release();
    held[1]!.release();
  });

  test('give up waiting in time, as pools do', async () => {
    const { one } = pools(6, { statementTimeoutMs: 300 });
    const held = [await one.connect(), await one.connect()];
    const began = performance.now();
    await expect(one.connect()).rejects.toThrow('timeout exceeded when trying to connect');
    expect(performance.now() - began).toBeGreaterThan(250);
    held[0]!.release();
    (await one.connect()).release();
    held[1]!.release();
  });

  test('refuse those who wait when they end', async () => {
    const { one } = pools(6);
    const held = [await one.connect(), await one.connect()];
    const waiting = one.connect();
    const refused = expect(waiting).rejects.toThrow('after calling end');
    const ended = one.end();
    await refused;
    for (const client of held) client.release();
    await ended;
    open.splice(open.indexOf(one), 1);
  });

  test('close what is idle', async () => {
    const { one } = pools(8, { idleMs: 100 });
    await Promise.all(Array.from({ length: 10 }, () => one.query('select pg_sleep(0.02)')));
    expect(one.totalCount).toBeGreaterThan(1);
    await until(async () => (await backends('sharing 0')) === 0);
    expect((await one.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  test('have their places back after failures of every kind', async () => {
    const { one } = pools(4);
    for (let i = 0; i < 5; i++) {
      await expect(one.query('select nonsense')).rejects.toThrow('nonsense');
      const client = await one.connect();
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      await watcher.query('select pg_terminate_backend($1)', [rows[0]!.pid]);
      await expect(client.query('select 1')).rejects.toThrow();
      client.release(true);
    }
    const absent = new URL(places[0]!.url);
    absent.pathname = '/absent';
    const nowhere = createConnections().pool({
      url: absent.toString(),
      name: 'nowhere',
      statementTimeoutMs: 1_000,
      idleMs: 1_000,
      places: 2,
    });
    open.push(nowhere);
    for (let i = 0; i < 5; i++) await expect(nowhere.query('select 1')).rejects.toMatchObject({ code: '3D000' });
    expect((await one.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  test('hand times over as PostgreSQL writes them', async () => {
    const one = createConnections().pool({
      url: places[0]!.url,
      name: 'times',
      statementTimeoutMs: 10_000,
      idleMs: 1_000,
      types: timesAsSent(),
    });
    open.push(one);
    const { rows } = await one.query(
      `select date '2026-01-02' as day, timestamp '2026-01-02 03:04:05.678901' as at, array[date '2026-01-02', null] as days, 1::int8 as big`,
    );
    expect(rows).toEqual([
      { day: '2026-01-02', at: '2026-01-02 03:04:05.678901', days: ['2026-01-02', null], big: '1' },
    ]);
  });
});

test('servers are told apart by where they are', () => {
  const same = ['postgres://a:b@h:5432/x', 'postgres://c:d@h:5432/y?sslmode=disable'].map(serverOf);
  expect(same[0]).toBe(same[1]);
  const apart = [
    'postgres://h/x',
    'postgres://h:5433/x',
    'postgres://h/x?host=/run/one',
    'postgres://h/x?host=/run/two',
  ].map(serverOf);
  expect(new Set(apart).size).toBe(4);
});

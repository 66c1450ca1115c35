import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Pool, PoolClient } from 'pg';
import { invalidating } from '@cadastre/model';
import { openTown, type Town } from '../testing/database.ts';
import {
  InvalidationPoller,
  INVALIDATION_SECONDS,
  invalidationsSince,
  trimInvalidations,
} from './invalidationPoller.ts';

/** Records the invalidations that it receives. */
class Ear {
  heard: string[] = [];
  invalidate(type: number, id: string): void {
    this.heard.push(`${type}:${id}`);
  }
  invalidateAll(): void {
    this.heard.push('everything');
  }
  since(): string[] {
    const heard = this.heard;
    this.heard = [];
    return heard.sort();
  }
}

let town: Town;
beforeAll(async () => {
  town = await openTown();
});
afterAll(async () => {
  await town?.close();
});
beforeEach(async () => {
  await town.sql('truncate cache_invalidation');
});

const touch = (type: number, ...ids: number[]) =>
  town.sql('insert into cache_invalidation (type, id) select $1, unnest($2::bigint[])', [type, ids]);
async function started(): Promise<[InvalidationPoller, Ear]> {
  const ear = new Ear();
  const look = new InvalidationPoller(town.pool, ear);
  await look.wait();
  ear.since();
  return [look, ear];
}

test('the first look knows nothing, so all is forgotten', async () => {
  await touch(1, 1);
  const ear = new Ear();
  await new InvalidationPoller(town.pool, ear).wait();
  expect(ear.heard).toEqual(['everything']);
});

test('many objects of one type are told as all of it', async () => {
  const [look, ear] = await started();
  await town.sql(
    invalidating(
      'select 1, generate_series(1, 100) union all select 2, generate_series(1, 101) union all select 3, 7 union all select 3, 7',
    ),
  );
  await look.wait();
  expect(ear.since()).toEqual([...Array.from({ length: 100 }, (_, i) => `1:${i + 1}`), '2:0', '3:7'].sort());
});

test('whoever names a place that the database has not reached is told that anything may have changed', async () => {
  const { position, invalidated } = await invalidationsSince(town.pool, undefined);
  expect(invalidated).toBeUndefined();
  await touch(1, 5);
  expect(await invalidationsSince(town.pool, position)).toMatchObject({ invalidated: [[1, '5']] });
  // As after an older state of it has been restored.
  expect(
    await invalidationsSince(town.pool, { ...position, cursor: String(BigInt(position.cursor) + 1_000_000n) }),
  ).toMatchObject({
    invalidated: undefined,
  });
});

test('a poll hears what was written before it began', async () => {
  const [look, ear] = await started();
  await touch(1, 5, 6);
  await touch(-2, 5);
  await look.wait();
  expect(ear.since()).toEqual(['-2:5', '1:5', '1:6']);
});

test('a poll that is answered late does not bring back what a later one has told', async () => {
  const ear = new Ear();
  const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let late = false;
  const pool = {
    async query(...given: Parameters<Pool['query']>) {
      const held = late;
      late = false;
      const found = await town.pool.query(...given);
      if (held) {
        asked.resolve();
        await answer.promise;
      }
      return found;
    },
  } as unknown as Pool;
  const look = new InvalidationPoller(pool, ear);
  await look.wait();
  late = true;
  const first = look.wait();
  await asked.promise;
  await touch(1, 5);
  await look.wait();
  answer.resolve();
  await first;
  expect(ear.since()).toEqual(['1:5', 'everything']);
  await look.wait();
  expect(ear.since()).toEqual([]);
});

/** Does something beside a transaction, which commits then. */
async function beside(work: (late: PoolClient) => Promise<void>): Promise<void> {
  const late = await town.pool.connect();
  try {
    await late.query('begin');
    await work(late);
    await late.query('commit');
  } finally {
    late.release();
  }
}

const invalidatedLate = 'insert into cache_invalidation (type, id) values (7, 1)';

test('a transaction that commits late is heard, although others began and ended after it', async () => {
  const [look, ear] = await started();
  await beside(async (late) => {
    await late.query(invalidatedLate);
    for (let i = 0; i < 3; i++) {
      await touch(8, i);
      await look.wait();
    }
    expect(ear.since()).not.toContain('7:1');
  });
  await look.wait();
  expect(ear.since()).toContain('7:1');
});

test('what has been heard of a transaction is told once, however long an older one runs', async () => {
  const [look, ear] = await started();
  await beside(async (late) => {
    await late.query(invalidatedLate);
    await touch(8, 1);
    await look.wait();
    expect(ear.since()).toEqual(['8:1']);
    await touch(8, 2);
    await touch(8, 2);
    await look.wait();
    expect(ear.since()).toEqual(['8:2', '8:2']);
    await look.wait();
    expect(ear.since()).toEqual([]);
  });
  await look.wait();
  await look.wait();
  expect(ear.since()).toEqual(['7:1']);
});

test('of more transactions than are told apart, all are heard all the same', async () => {
  const [look, ear] = await started();
  await beside(async (late) => {
    await late.query('select pg_current_xact_id()');
    await Promise.all(Array.from({ length: 1200 }, (_, i) => touch(8, i)));
    await look.wait();
    expect(new Set(ear.since()).size).toBe(1200);
    await touch(9, 1);
    await look.wait();
    expect(ear.since()).toContain('9:1');
  });
});

test('its plan is kept, also where the table is large, and goes by the index', async () => {
  const client = await town.pool.connect();
  try {
    const pool = { query: client.query.bind(client) } as unknown as Pool;
    const plans = async (): Promise<{ kept: number; made: number }> => {
      const { rows } = await client.query<{ kept: number; made: number }>(
        `select generic_plans::int as kept, custom_plans::int as made from pg_prepared_statements where name = 'look'`,
      );
      return rows[0]!;
    };
    await client.query('insert into cache_invalidation (type, id) select 1, generate_series(1, 20000)');
    const { position } = await invalidationsSince(pool, undefined);
    // PostgreSQL tries before it decides, for longer where it knows the statement from a smaller table.
    for (let i = 0; i < 200; i++) await invalidationsSince(pool, position);
    const before = await plans();
    for (let i = 0; i < 20; i++) await invalidationsSince(pool, position);
    expect(await plans()).toEqual({ kept: before.kept + 20, made: before.made });
    const plan = await client.query(`explain (costs off) execute look('${position.cursor}', '{}')`);
    expect(JSON.stringify(plan.rows)).toContain('cache_invalidation_xact_idx');
  } finally {
    client.release(true);
  }
});

test('who waits at the same time shares one poll, which began after all of them came', async () => {
  const [look, ear] = await started();
  const first = look.wait();
  await touch(9, 1);
  const before = town.statements();
  // None is sent before the turn has ended, so all of them share it; one more where another was under way.
  await Promise.all([first, ...Array.from({ length: 50 }, () => look.wait())]);
  expect(ear.since()).toContain('9:1');
  expect(town.statements() - before).toBeLessThanOrEqual(2);
});

describe('a database that does not answer', () => {
  const answers: ((value: unknown) => void)[] = [];
  const failures: ((error: Error) => void)[] = [];
  const pool = {
    query: () =>
      new Promise((resolve, reject) => {
        answers.push(resolve);
        failures.push(reject);
      }),
  } as unknown as Pool;
  test('lets those fail who waited for it, and nobody after them', async () => {
    const ear = new Ear();
    const look = new InvalidationPoller(pool, ear);
    const first = look.wait();
    await turn();
    const second = look.wait();
    failures[0]!(new Error('down'));
    await expect(first).rejects.toThrow('down');
    await turn();
    expect(answers).toHaveLength(2);
    answers[1]!({ rows: [['5']] });
    await second;
    expect(ear.since()).toEqual(['everything']);
    // The poll that failed is made up for: the next one begins where the last good one ended.
    const third = look.wait();
    await turn();
    answers[2]!({ rows: [['9', '7:1:2,7:1:3']] });
    await third;
    expect(ear.since()).toEqual(['1:2', '1:3']);
  });
});

test('who has not looked for long has missed what was removed, and forgets all', async () => {
  const [look, ear] = await started();
  const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + INVALIDATION_SECONDS * 500 + 1000);
  try {
    await look.wait();
  } finally {
    now.mockRestore();
  }
  expect(ear.since()).toEqual(['everything']);
});

test('only rows that are old enough are removed', async () => {
  await touch(1, 1);
  await town.sql('insert into cache_invalidation (type, id, at) values (1, 2, now() - make_interval(secs => $1))', [
    INVALIDATION_SECONDS + 1,
  ]);
  await trimInvalidations(town.pool);
  expect(await town.sql('select id::int from cache_invalidation')).toEqual([{ id: 1 }]);
});

import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { finish, type Finished } from './finish.ts';
import { type QueueDatabase, queueDatabase } from '../testing/queue.ts';
import { disableFailing, removeOld } from './upkeep.ts';

let database: QueueDatabase;
beforeAll(async () => {
  database = await queueDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.pool.query(
    'truncate webhook_delivery, webhook_attempt, webhook_failing_rule, cache_invalidation restart identity',
  );
});

/** Adds deliveries that ended a number of days ago, or have not ended. */
const deliver = (number: number, status: string, daysAgo: number, rule = 1) =>
  database.pool.query(
    `with made as (
    insert into webhook_delivery (event_id, rule_id, webhook_id, destination, status, event_type, object_type, object_id, payload, attempts, started, finished)
    select gen_random_uuid(), $4, 1, 'http://a', $1, 'object_created', 'dcim.site', n, '{}', 1, now(), case when $1 not in ('pending', 'running') then now() - make_interval(days => $2) - n * interval '1 second' end from generate_series(1, $3::int) n returning id
  ) insert into webhook_attempt (delivery_id, number, started, duration_ms) select id, 1, now(), 1 from made`,
    [status, daysAgo, number, rule],
  );
const count = async (table = 'webhook_delivery') =>
  (await database.pool.query<{ number: number }>(`select count(*)::int as number from ${table}`)).rows[0]!.number;

test('deliveries that ended long ago are removed with their attempts, in portions; what has not ended stays', async () => {
  await deliver(2_100, 'succeeded', 91);
  await deliver(10, 'failed', 89);
  await deliver(5, 'pending', 0);
  expect(await removeOld(database.pool, 'expired', 90)).toBe(2_100);
  expect([await count(), await count('webhook_attempt')]).toEqual([15, 15]);
  // The cached count is invalidated.
  expect(await count('cache_invalidation')).toBeGreaterThan(0);
  expect(await removeOld(database.pool, 'expired', 90)).toBe(0);
});

test('of those that ended, so many are kept, the newest', async () => {
  await deliver(30, 'succeeded', 2);
  await deliver(10, 'failed', 1);
  await deliver(5, 'pending', 0);
  expect(await removeOld(database.pool, 'surplus', 15)).toBe(25);
  const { rows } = await database.pool.query(
    'select status, count(*)::int as number from webhook_delivery group by status order by status',
  );
  expect(rows).toEqual([
    { status: 'failed', number: 10 },
    { status: 'pending', number: 5 },
    { status: 'succeeded', number: 5 },
  ]);
});

test('one process removes at a time', async () => {
  await deliver(10, 'succeeded', 91);
  const client = await database.pool.connect();
  try {
    await client.query('begin');
    await client.query(`select pg_advisory_xact_lock(hashtextextended('webhook retention', 0))`);
    expect(await removeOld(database.pool, 'expired', 90)).toBe(0);
    await client.query('rollback');
  } finally {
    client.release();
  }
  expect(await removeOld(database.pool, 'expired', 90)).toBe(10);
});

/** Ends the running deliveries of a rule. */
const end = async (rule: number, failed: boolean): Promise<void> => {
  const { rows } = await database.pool.query<{ id: number }>(
    `select id::int from webhook_delivery where status = 'running' and rule_id = $1`,
    [rule],
  );
  await finish(
    database.pool,
    rows.map(
      ({ id }): Finished => ({
        delivery: {
          id,
          eventId: '019a0000-0000-7000-8000-000000000001',
          ruleId: rule,
          webhookId: 1,
          webhookVersion: null,
          destination: 'http://a',
          number: 1,
          tries: 1,
          payload: '{}',
        },
        request: null,
        started: new Date(),
        retryInMs: null,
        secrets: [],
        outcome: {
          status: null,
          headers: {},
          body: '',
          durationMs: 1,
          retryAfterMs: null,
          error: failed ? { kind: 'connection', text: 'refused' } : null,
        },
      }),
    ),
    { worker: 'w', maxBody: 10 },
  );
};

test('a rule is disabled once when all its deliveries have failed for so many days', async () => {
  const disabled: [number, string][] = [];
  const look = () =>
    disableFailing({
      pool: database.pool,
      disableAfterDays: 3,
      disable: async (rule, since) => {
        disabled.push([rule, since]);
      },
    });
  for (const rule of [1, 2, 3]) {
    await deliver(2, 'running', 0, rule);
    await end(rule, true);
  }
  await look();
  expect(disabled).toEqual([]);
  // Four days pass; then the first rule fails again, the second succeeds, and the third has no deliveries.
  await database.pool.query(
    `update webhook_failing_rule set since = since - interval '4 days', last = last - interval '4 days'`,
  );
  await deliver(1, 'running', 0, 1);
  await end(1, true);
  await deliver(1, 'running', 0, 2);
  await end(2, false);
  await look();
  expect(disabled.map(([rule]) => rule)).toEqual([1]);
  expect(Date.now() - Date.parse(disabled[0]![1])).toBeGreaterThan(3.9 * 24 * 3_600_000);
  await look();
  expect(disabled).toHaveLength(1);
});

test('a rule stays on the list when it could not be disabled', async () => {
  await deliver(1, 'running', 0);
  await end(1, true);
  await database.pool.query(`update webhook_failing_rule set since = since - interval '4 days'`);
  const options = { pool: database.pool, disableAfterDays: 3 };
  await expect(
    disableFailing({
      ...options,
      disable: async () => {
        throw new Error('not now');
      },
    }),
  ).rejects.toThrow('not now');
  const disabled: number[] = [];
  await disableFailing({
    ...options,
    disable: async (rule) => {
      disabled.push(rule);
    },
  });
  expect(disabled).toEqual([1]);
});

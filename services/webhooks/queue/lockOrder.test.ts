import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '../../../tests/support/eventually.ts';
import { renew } from './claim.ts';
import { finish, type Finished } from './finish.ts';
import { type QueueDatabase, queueDatabase } from '../testing/queue.ts';
import { removeOld } from './upkeep.ts';

let database: QueueDatabase;
beforeAll(async () => {
  database = await queueDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.pool.query('truncate webhook_delivery, webhook_attempt, cache_invalidation restart identity');
});

const deliver = (number: number, status: string) =>
  database.pool.query(
    `insert into webhook_delivery (event_id, rule_id, webhook_id, destination, status, event_type, object_type, object_id, payload, attempts, started, worker, lease, finished)
    select gen_random_uuid(), n, 1, 'http://a', $1, 'object_created', 'dcim.site', n, '{}', 1, now(), 'w', clock_timestamp(), case when $1 = 'failed' then now() - interval '9 days' end from generate_series(1, $2::int) n`,
    [status, number],
  );

const statuses = async () =>
  (await database.pool.query<{ status: string }>('select status from webhook_delivery order by id')).rows.map(
    ({ status }) => status,
  );

const finished = (id: number): Finished => ({
  delivery: {
    id,
    eventId: '019a0000-0000-7000-8000-000000000001',
    ruleId: id,
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
  outcome: { status: 200, headers: {}, body: '', durationMs: 1, retryAfterMs: null, error: null },
});

const waiting = async () =>
  (
    await database.pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  ).rowCount;

describe('somebody who locks deliveries, the lowest id first, meets', () => {
  const meetings: Record<string, () => Promise<unknown>> = {
    'outcomes that are written': () => finish(database.pool, [finished(2), finished(1)], { worker: 'w', maxBody: 10 }),
    'leases that are renewed': () => renew(database.pool, [2, 1], 60_000, 'w'),
  };
  test.each(Object.keys(meetings))("%s, and neither stands in the other's way", async (what) => {
    await deliver(2, 'running');
    // Its row lies behind the other's now, and so few rows are read as they lie.
    await database.pool.query('update webhook_delivery set attempts = attempts where id = 1');
    await database.pool.query('analyze webhook_delivery');
    const client = await database.pool.connect();
    try {
      await client.query('begin');
      await client.query('select from webhook_delivery where id = 1 for update');
      const other = meetings[what]!();
      other.catch(() => undefined);
      await eventually(async () => expect(await waiting()).toBe(1));
      await client.query('select from webhook_delivery where id = 2 for update');
      await client.query('commit');
      await other;
    } finally {
      client.release();
    }
  });
});

test('what is being put back into the queue is not removed as old', async () => {
  await deliver(3, 'failed');
  const client = await database.pool.connect();
  try {
    await client.query('begin');
    await client.query(`update webhook_delivery set status = 'pending', finished = null where id = 2`);
    expect(await removeOld(database.pool, 'expired', 1)).toBe(2);
    await client.query('commit');
  } finally {
    client.release();
  }
  expect(await statuses()).toEqual(['pending']);
});

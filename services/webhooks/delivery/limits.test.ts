import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Claimed } from '../queue/claim.ts';
import type { Finished } from '../queue/finish.ts';
import { asItHappens, put, type Queued } from '../queue/put.ts';
import type { Registry } from '../rules/registry.ts';
import type { RuleVersions } from '../rules/rules.ts';
import { type QueueDatabase, queueDatabase, until } from '../testing/queue.ts';
import { startWorkers, type Workers, type WorkersOptions } from './workers.ts';

// The attempts are the test's own, so it sees what is under way at any moment, in all processes together.
let database: QueueDatabase;
const running: Workers[] = [];
const underWay = new Map<number, { delivery: Claimed; end(failed?: boolean): void }>();
/** Attempts in the order in which they began. */
const begun: { id: number; destination: string }[] = [];
const problems: unknown[] = [];

beforeAll(async () => {
  database = await queueDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  begun.length = 0;
  problems.length = 0;
  await database.pool.query(
    'truncate webhook_delivery, webhook_attempt, webhook_destination, webhook_failing_rule restart identity',
  );
});
afterEach(async () => {
  for (const { end } of [...underWay.values()]) end();
  await Promise.all(running.splice(0).map((workers) => workers.stop()));
  underWay.clear();
});

const registry: Registry = { current: async () => ({}) as RuleVersions, invalidate: () => {} };
const outcome = (failed: boolean): Finished['outcome'] => ({
  status: failed ? 500 : 200,
  headers: {},
  body: '',
  error: failed ? { kind: 'status', text: 'no' } : null,
  durationMs: 1,
  retryAfterMs: null,
});

/**
 * A process that delivers. `by` gives the immediate outcome of each delivery; where it gives none, the test ends the
 * attempt.
 */
function start(
  options: Partial<WorkersOptions> = {},
  by: (delivery: Claimed) => Partial<Pick<Finished, 'outcome' | 'retryInMs'>> | undefined = () => undefined,
): void {
  running.push(
    startWorkers({
      pool: database.pool,
      connection: database.url,
      registry,
      worker: `w${running.length}`,
      concurrency: 64,
      perDestination: 32,
      ratePerSecond: 0,
      ordered: false,
      leaseMs: 60_000,
      maxTries: 5,
      maxBody: 100,
      shutdownMs: 5_000,
      onError: (error) => problems.push(error),
      attempt: (delivery) =>
        new Promise((resolve) => {
          begun.push({ id: delivery.id, destination: delivery.destination });
          const end = (failed = false, more: Partial<Finished> = {}): void => {
            underWay.delete(delivery.id);
            resolve({
              delivery,
              request: null,
              outcome: outcome(failed),
              started: new Date(),
              retryInMs: null,
              secrets: [],
              ...more,
            });
          };
          const now = by(delivery);
          if (now) end(false, now);
          else underWay.set(delivery.id, { delivery, end });
        }),
      ...options,
    }),
  );
}

let events = 0;
/** Queues deliveries to a destination; each is about an object of its own unless an object is given. */
const queue = async (destination: string, number: number, about: Partial<Queued> = {}): Promise<number[]> => {
  const ids = await put(
    database.pool,
    Array.from({ length: number }, () => {
      events += 1;
      return {
        eventId: `00000000-0000-4000-8000-${String(events).padStart(12, '0')}`,
        ruleId: 1,
        webhookId: 1,
        webhookVersion: null,
        destination,
        eventType: 'object_updated',
        objectType: 'dcim.site',
        objectId: events,
        objectName: `Site ${events}`,
        requestId: null,
        payload: '{}',
        ...about,
      };
    }),
    asItHappens,
  );
  for (const workers of running) workers.wake();
  return ids;
};
const states = async (): Promise<Record<string, number>> =>
  Object.fromEntries(
    (
      await database.pool.query<{ status: string; number: number }>(
        'select status, count(*)::int as number from webhook_delivery group by status',
      )
    ).rows.map(({ status, number }) => [status, number]),
  );
const settled = (number: number) =>
  until(async () => {
    const { succeeded = 0, failed = 0 } = await states();
    return succeeded + failed === number;
  });
const idle = () =>
  new Promise((resolve) => {
    setTimeout(resolve, 400);
  });

describe('a destination', () => {
  test('has no more deliveries under way than allowed, from all processes together', async () => {
    start({ perDestination: 3 });
    start({ perDestination: 3 });
    await queue('http://a', 12);
    for (let ended = 0; ended < 12; ended += 3) {
      await until(() => underWay.size >= 3);
      // Time for those that should not begin.
      await idle();
      expect(underWay.size).toBe(3);
      for (const { end } of [...underWay.values()]) end();
    }
    await settled(12);
    expect(new Set(begun.map(({ id }) => id)).size).toBe(12);
    expect(begun).toHaveLength(12);
    expect(problems).toEqual([]);
  });

  test('gets no more within a second than allowed, from all processes together; others are not held up by that', async () => {
    start({ ratePerSecond: 5 }, () => ({ outcome: outcome(false) }));
    start({ ratePerSecond: 5 }, () => ({ outcome: outcome(false) }));
    await queue('http://a', 13);
    await queue('http://b', 2);
    await settled(15);
    // The rate is kept by the clock of the database; this process may learn later that an attempt has begun.
    const times = (
      await database.pool.query<{ at: number }>(
        `select (extract(epoch from started) * 1000)::float8 as at from webhook_delivery where destination = 'http://a' order by started`,
      )
    ).rows.map(({ at }) => at);
    // Five at once, then one each fifth of a second: a busy machine makes it later, never earlier.
    for (let i = 5; i < 13; i += 1) expect(times[i]! - times[0]!).toBeGreaterThan((i - 4) * 200 - 150);
    expect(begun.findIndex(({ destination }) => destination === 'http://b')).toBeLessThan(13);
  });

  test('that does not answer delays nobody else, however much waits for it', async () => {
    start({}, ({ destination }) => (destination === 'http://hangs' ? undefined : { outcome: outcome(false) }));
    await queue('http://hangs', 200);
    await until(() => underWay.size === 32);
    for (let i = 0; i < 50; i += 1) await queue(`http://quick-${i}`, 4);
    await settled(200);
    expect([underWay.size, (await states())['running']]).toEqual([32, 32]);
  });

  test('many that do not answer leave places for others', async () => {
    start({}, ({ destination }) => (destination.startsWith('http://hangs') ? undefined : { outcome: outcome(false) }));
    for (let i = 0; i < 8; i += 1) await queue(`http://hangs-${i}`, 100);
    await until(() => underWay.size >= 48);
    await idle();
    for (let i = 0; i < 20; i += 1) await queue(`http://quick-${i}`, 4);
    await settled(80);
    expect(underWay.size).toBeLessThan(64);
  });
});

describe('in order', () => {
  const about = { objectId: 7 };
  test('deliveries of a webhook about one object go one after the other, in all processes; others do not wait', async () => {
    start({ ordered: true });
    start({ ordered: true });
    const ids = await queue('http://a', 4, about);
    const [other] = await queue('http://a', 1, { ...about, webhookId: 2 });
    const [another] = await queue('http://a', 1);
    await until(() => underWay.size === 3);
    await idle();
    expect([...underWay.keys()].sort((x, y) => x - y)).toEqual([ids[0], other, another]);
    for (const id of ids) {
      await until(() => underWay.has(id));
      expect([...underWay.keys()].filter((one) => ids.includes(one))).toEqual([id]);
      // One that fails for good does not hold up those after it.
      underWay.get(id)!.end(id === ids[0]);
    }
    await until(async () => (await states())['succeeded'] === 3);
    expect((await states())['failed']).toBe(1);
  });

  test('those after one that is to be tried again wait for it', async () => {
    let tries = 0;
    start({ ordered: true }, ({ id }) =>
      id === 1 && ++tries === 1 ? { outcome: outcome(true), retryInMs: 300 } : { outcome: outcome(false) },
    );
    const ids = await queue('http://a', 3, about);
    await settled(3);
    expect(begun.map(({ id }) => id)).toEqual([ids[0], ids[0], ids[1], ids[2]]);
  });

  test('without the setting they go at once', async () => {
    start();
    await queue('http://a', 4, about);
    await until(() => underWay.size === 4);
  });
});

test('a process whose lease has run out loses its delivery to another, and cannot end it any more', async () => {
  // It has no room for another attempt, and does not renew what it has while the test goes on.
  start({ leaseMs: 600_000, concurrency: 1 });
  const [id] = await queue('http://a', 1);
  await until(() => underWay.has(id!));
  await database.pool.query(`update webhook_delivery set lease = now() - interval '1 second'`);
  const late = underWay.get(id!)!;
  underWay.delete(id!);
  start({}, () => ({ outcome: outcome(false) }));
  await settled(1);
  late.end(true);
  await idle();
  const { rows } = await database.pool.query(
    'select d.status, d.attempts, a.number, a.error_kind, a.worker from webhook_delivery d join webhook_attempt a on a.delivery_id = d.id order by a.number',
  );
  expect(rows).toEqual([
    { status: 'succeeded', attempts: 2, number: 1, error_kind: 'worker', worker: 'w0' },
    { status: 'succeeded', attempts: 2, number: 2, error_kind: null, worker: 'w1' },
  ]);
});

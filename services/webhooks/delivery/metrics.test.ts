import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { deliveryMetrics } from './metrics.ts';
import { type QueueDatabase, queueDatabase } from '../testing/queue.ts';

let database: QueueDatabase;
beforeAll(async () => {
  database = await queueDatabase();
});
afterAll(() => database.drop());

const lines = (text: string) =>
  text.split('\n').filter((line) => line.startsWith('webhook_queue') || line.startsWith('webhook_tail'));

test('the queue is counted when somebody asks; a database that fails keeps nothing else from being told', async () => {
  const registry = new Registry();
  const state = { fails: false };
  const pool = {
    query: (text: string) => (state.fails ? Promise.reject(new Error('down')) : database.pool.query(text)),
  } as unknown as typeof database.pool;
  deliveryMetrics(registry, pool, { count: 3 });
  await database.pool.query(`insert into webhook_delivery (event_id, webhook_id, destination, status, event_type, object_type, object_id, payload, scheduled)
    select gen_random_uuid(), 1, 'd', s, 'object_created', 'dcim.site', 1, '{}', now() + i::interval
    from (values ('pending', '-10 seconds'), ('pending', '-1 second'), ('pending', '1 hour'), ('running', '0'), ('succeeded', '-1 hour')) v (s, i)`);
  const told = lines(await registry.metrics());
  expect(told).toEqual(
    expect.arrayContaining([
      'webhook_queue_deliveries{state="due"} 2',
      'webhook_queue_deliveries{state="scheduled"} 1',
      'webhook_queue_deliveries{state="running"} 1',
      'webhook_tail_listeners 3',
    ]),
  );
  expect(
    Number(/\d.*$/.exec(told.find((line) => line.startsWith('webhook_queue_oldest'))!)![0]),
  ).toBeGreaterThanOrEqual(10);
  state.fails = true;
  expect(lines(await registry.metrics())).toEqual(['webhook_tail_listeners 3']);
  state.fails = false;
  expect(lines(await registry.metrics())).toHaveLength(5);
});

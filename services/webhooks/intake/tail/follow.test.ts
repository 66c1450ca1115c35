import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type QueueDatabase, queueDatabase } from '../../testing/queue.ts';
import { heartbeat } from './events.ts';
import { follow } from './follow.ts';
import { TailSlots } from './slots.ts';

let database: QueueDatabase;
beforeAll(async () => {
  database = await queueDatabase();
});
afterAll(() => database.drop());

const deliver = async (): Promise<number> =>
  (
    await database.pool.query<{
      id: number;
    }>(`insert into webhook_delivery (event_id, webhook_id, destination, event_type, object_type, object_id, payload)
  values (gen_random_uuid(), 1, 'd', 'object_created', 'dcim.site', 1, '{}') returning id::int`)
  ).rows[0]!.id;
const listeners = new TailSlots({ most: 5, mostPerUser: 5 });
const listen = (heartbeatMs: number, maxSeconds: number, from?: string) =>
  follow(
    {
      pool: database.pool,
      place: listeners.take('1')!,
      heartbeatMs,
      maxSeconds,
      shown: async (ids) => ids.map((id) => JSON.stringify({ id: Number(id) })),
    },
    from,
  );

test('who hears of nothing hears that it is still heard', async () => {
  const ended = new AbortController();
  const heard: string[] = [];
  for await (const text of listen(50, 600)(ended.signal)) {
    heard.push(text);
    if (heard.filter((one) => one.endsWith(heartbeat)).length === 3) ended.abort();
  }
  expect(heard[0]).toBe('retry: 2000\n\n');
  // A comment to the client, and the place to go on from; no event.
  expect(heard.slice(1)).toEqual(
    Array.from({ length: 3 }, () => expect.stringMatching(/^id: \d+\n\n: still here\n\n$/)),
  );
  expect(listeners.count).toBe(0);
});

test('nobody listens for ever: the stream ends by itself, and goes on for who comes again', async () => {
  const heard: string[] = [];
  const begun = Date.now();
  for await (const text of listen(60_000, 1)(new AbortController().signal)) {
    heard.push(text);
    expect(listeners.count).toBe(1);
  }
  expect(Date.now() - begun).toBeGreaterThanOrEqual(1_000);
  expect([heard, listeners.count]).toEqual([['retry: 2000\n\n'], 0]);
  // The stream of a client that receives many events ends in the same way.
  const told: string[] = [];
  let place: string | undefined;
  for await (const text of listen(10, 4)(new AbortController().signal)) {
    place = /^id: (\d+)\n\n/.exec(text)?.[1] ?? place;
    if (text.startsWith('event: ')) told.push(text);
    await deliver();
  }
  expect(told.length).toBeGreaterThan(0);
  const missed = await deliver();
  const again = listen(10, 60, place)(new AbortController().signal);
  for await (const text of again) if (text.includes(`{"id":${missed}}`)) break;
  expect(listeners.count).toBe(0);
});

test('who leaves ends the stream at once', async () => {
  const ended = new AbortController();
  const stream = listen(60_000, 600)(ended.signal);
  expect((await stream.next()).value).toMatch(/^retry/);
  const rest = stream.next();
  ended.abort();
  expect(await rest).toEqual({ done: true, value: undefined });
  expect(listeners.count).toBe(0);
});

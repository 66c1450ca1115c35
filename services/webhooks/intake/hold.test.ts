import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { ChangeEvent } from '@cadastre/events';
import { hold, release } from './hold.ts';
import { change, type QueueDatabase, queueDatabase } from '../testing/queue.ts';

let database: QueueDatabase;
beforeAll(async () => {
  database = await queueDatabase();
});
afterAll(() => database.drop());
beforeEach(() => database.pool.query('truncate webhook_held_event, webhook_coalesced_event'));

const released = async (): Promise<ChangeEvent[]> => {
  const all: ChangeEvent[] = [];
  await release(database.pool, 500, async (events) => {
    all.push(...events);
  });
  return all;
};
const update = (objectId: number, from: number, to: number, rest: Partial<ChangeEvent> = {}) =>
  change({
    action: 'updated',
    objectId,
    data: { id: objectId, n: to },
    prechange: { n: from },
    postchange: { n: to },
    consequence: true,
    ...rest,
  });

test('changes of one object in one request are one, with the first state before and the last after, however they arrive', async () => {
  const [one, two, three] = [update(7, 1, 2), update(7, 2, 3), update(7, 3, 4)];
  await hold(database.pool, [one], 0);
  await hold(database.pool, [two, three], 0);
  await hold(database.pool, [two], 0);
  expect(await released()).toMatchObject([
    { id: one.id, action: 'updated', data: { n: 4 }, prechange: { n: 1 }, postchange: { n: 4 } },
  ]);
  expect(await released()).toEqual([]);
});

test('what has become a part of another is not held again', async () => {
  const [one, two] = [update(8, 1, 2), update(8, 2, 3)];
  await hold(database.pool, [one, two], 0);
  await released();
  await hold(database.pool, [two], 0);
  expect(await released()).toEqual([]);
  await hold(database.pool, [one, two], 0);
  expect(await released()).toMatchObject([{ id: one.id }]);
});

test('a deletion has the last word; other objects and other requests are others', async () => {
  const other = { id: '019a0000-0000-7000-8000-0000000000aa', method: 'POST', path: '/', user: 'x', userId: 1 };
  await hold(
    database.pool,
    [
      update(9, 1, 2),
      update(9, 2, 3, { action: 'deleted', postchange: null }),
      update(10, 5, 6),
      update(9, 3, 4, { request: other }),
    ],
    0,
  );
  expect(
    (await released())
      .map(({ objectId, action, prechange, postchange }) => [objectId, action, prechange, postchange])
      .sort(),
  ).toEqual([
    [10, 'updated', { n: 5 }, { n: 6 }],
    [9, 'deleted', { n: 1 }, null],
    [9, 'updated', { n: 3 }, { n: 4 }],
  ]);
});

test('nothing is handed over too early, nor lost when handing over fails', async () => {
  await hold(database.pool, [update(11, 1, 2)], 60_000);
  expect(await released()).toEqual([]);
  await database.pool.query('update webhook_held_event set due = now()');
  await expect(
    release(database.pool, 500, async () => {
      throw new Error('killed');
    }),
  ).rejects.toThrow('killed');
  expect(await released()).toMatchObject([{ objectId: 11 }]);
});

test('two processes hand over different ones, and can hold at the same time', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, i) => hold(database.pool, [update(20, i, i + 1)], 0)));
  await hold(
    database.pool,
    Array.from({ length: 50 }, (_, i) => update(100 + i, 1, 2)),
    0,
  );
  const both = (await Promise.all([released(), released()])).flat();
  expect(both).toHaveLength(51);
  expect(new Set(both.map(({ objectId }) => objectId)).size).toBe(51);
});

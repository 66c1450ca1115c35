import { expect, test } from '@jest/globals';
import { Batcher, type BatcherOptions } from './batcher.ts';

/** A batcher whose batches end when the test says so, and a record of what has begun. */
function batches(options?: BatcherOptions) {
  const begun: { items: readonly string[]; done: PromiseWithResolvers<void> }[] = [];
  const batcher = new Batcher<string, string>(async (items) => {
    const done = Promise.withResolvers<void>();
    begun.push({ items, done });
    await done.promise;
    return items.map((item) => `<${item}>`);
  }, options);
  return { batcher, begun };
}
const turns = async (count = 3): Promise<void> => {
  for (let i = 0; i < count; i++) await new Promise(setImmediate);
};

test('what is asked for in the same turn is one batch, and each gets its own result', async () => {
  const { batcher, begun } = batches();
  const results = Promise.all(['a', 'b', 'c'].map((item) => batcher.add(item)));
  await turns();
  expect(begun.map(({ items }) => items)).toEqual([['a', 'b', 'c']]);
  begun[0]!.done.resolve();
  expect(await results).toEqual(['<a>', '<b>', '<c>']);
  expect(batcher.idle).toBe(true);
});

test('what comes while as many run as may gathers for the end of one', async () => {
  const { batcher, begun } = batches({ concurrency: 1 });
  const first = batcher.add('a');
  await turns();
  const others = ['b', 'c'].map((item) => batcher.add(item));
  await turns();
  expect(begun).toHaveLength(1);
  begun[0]!.done.resolve();
  await first;
  await turns();
  expect(begun.map(({ items }) => items)).toEqual([['a'], ['b', 'c']]);
  begun[1]!.done.resolve();
  expect(await Promise.all(others)).toEqual(['<b>', '<c>']);
});

test('a full batch that begins and a new one in the same turn do not run together', async () => {
  const { batcher, begun } = batches({ concurrency: 1, maxSize: 2 });
  const results = ['a', 'b', 'c', 'd'].map((item) => batcher.add(item));
  await turns();
  expect(begun.map(({ items }) => items)).toEqual([['a', 'b']]);
  // The next one wakes, and has its place although another one comes before it runs.
  begun[0]!.done.resolve();
  await results[0];
  results.push(batcher.add('e'));
  await turns();
  expect(begun.map(({ items }) => items)).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
  begun[1]!.done.resolve();
  await results[2];
  await turns();
  expect(begun.map(({ items }) => items)[2]).toEqual(['e']);
  begun[2]!.done.resolve();
  await Promise.all(results);
  await turns();
  expect(batcher.idle).toBe(true);
});

test('no batch is larger than it may be, or waits for longer than it may', async () => {
  const { batcher, begun } = batches({ maxSize: 2, concurrency: 1, maxWaitMs: 5 });
  const results = ['a', 'b', 'c'].map((item) => batcher.add(item));
  while (begun.length < 2) await turns(1);
  expect(begun.map(({ items }) => items)).toEqual([['a', 'b'], ['c']]);
  for (const { done } of begun) done.resolve();
  expect(await Promise.all(results)).toEqual(['<a>', '<b>', '<c>']);
});

test('the shortest batch ends with the code that runs', async () => {
  const { batcher, begun } = batches({ gathers: 'microtask' });
  void batcher.add('a');
  void batcher.add('b');
  await Promise.resolve();
  await Promise.resolve();
  void batcher.add('c');
  await turns();
  expect(begun.map(({ items }) => items)).toEqual([['a', 'b'], ['c']]);
});

test('results may come one by one, and a failure of all reaches all', async () => {
  const late = Promise.withResolvers<number>();
  const each = new Batcher<number, number>((items) => items.map((item) => (item ? late.promise : item)));
  const [soon, later] = [each.add(0), each.add(1)];
  expect(await soon).toBe(0);
  late.resolve(5);
  expect(await later).toBe(5);
  const failing = new Batcher<number, number>(() => Promise.reject(new Error('no')));
  const all = await Promise.allSettled([failing.add(1), failing.add(2)]);
  expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

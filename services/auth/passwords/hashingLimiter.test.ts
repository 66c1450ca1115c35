import { expect, test } from '@jest/globals';
import { Busy, hashingLimiter } from './hashingLimiter.ts';

const pause = () =>
  new Promise((done) => {
    setTimeout(done, 5);
  });

test('a few at a time, and others have their turn, however often one asks', async () => {
  const { use } = hashingLimiter({ atOnce: 2, waiting: 10, waitingEach: 10, waitMs: 60_000 });
  const order: string[] = [];
  let now = 0;
  let most = 0;
  const work = (name: string) => async () => {
    now += 1;
    most = Math.max(most, now);
    order.push(name);
    await pause();
    now -= 1;
    return name;
  };
  const done = await Promise.all([
    ...['a', 'a', 'a', 'a', 'a', 'a'].map((whose) => use(whose, work(whose))),
    use('b', work('b')),
    use('c', work('c')),
  ]);
  expect([most, done.length]).toEqual([2, 8]);
  expect(Math.max(order.indexOf('b'), order.indexOf('c'))).toBeLessThan(5);
});

test('so many wait, from everywhere and each; the others are told at once', async () => {
  const { use } = hashingLimiter({ atOnce: 1, waiting: 3, waitingEach: 2, waitMs: 60_000 });
  const ask = (whose: string) =>
    use(whose, pause).then(
      () => 'done',
      (error: unknown) => (error instanceof Busy ? 'busy' : 'failed'),
    );
  expect(await Promise.all(['a', 'a', 'a', 'a', 'b', 'c'].map(ask))).toEqual([
    'done',
    'done',
    'done',
    'busy',
    'done',
    'busy',
  ]);
  expect(await ask('a')).toBe('done');
});

test('a place is free again after a failure', async () => {
  const { use } = hashingLimiter({ atOnce: 1, waiting: 1, waitingEach: 1, waitMs: 60_000 });
  for (let i = 0; i < 3; i += 1) await expect(use('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await use('a', async () => 1)).toBe(1);
});

test('nobody waits for ever', async () => {
  const { use } = hashingLimiter({ atOnce: 1, waiting: 3, waitingEach: 3, waitMs: 20 });
  let leave = () => {};
  const taken = use(
    'a',
    () =>
      new Promise<void>((done) => {
        leave = done;
      }),
  );
  await expect(use('b', pause)).rejects.toBeInstanceOf(Busy);
  leave();
  await taken;
});

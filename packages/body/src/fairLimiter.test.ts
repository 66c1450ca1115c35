import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { FairLimiter } from './fairLimiter.ts';

const limits = { running: 2, runningPerUser: 1, waiting: 6, waitingPerUser: 4, waitMs: 60_000 };
const turns = (more = {}) => new FairLimiter({ ...limits, ...more }, 'exports');

/** Work that ends when it is told to. */
function work(begun: string[], name: string) {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return {
    end,
    run: async () => {
      begun.push(name);
      await ended;
      return name;
    },
  };
}

test('one user leaves a place free, and who waits has a turn user by user', async () => {
  const all = turns();
  const begun: string[] = [];
  const works = new Map(['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => [name, work(begun, name)]));
  const done = [...works].map(([name, { run }]) => all.run(name[0]!, undefined, run));
  expect([begun, all.running, all.waiting]).toEqual([['a1', 'b1'], 2, 4]);
  for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']) {
    works.get(name)!.end();
    await sleep(0);
  }
  expect(await Promise.all(done)).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'c1']);
  // `c` came last but had not been let in before, so it comes before the second work of `a` and `b`.
  expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  expect([all.running, all.waiting]).toEqual([0, 0]);
});

test('what is too much is refused at once: 429 to who has too much, 503 when there is too much in all', async () => {
  const all = turns();
  const begun: string[] = [];
  const endless = () => work(begun, 'x').run();
  const leaving = new AbortController();
  for (let i = 0; i < 5; i += 1) all.run('a', leaving.signal, endless).catch(() => undefined);
  await expect(all.run('a', undefined, endless)).rejects.toMatchObject({
    status: 429,
    headers: { 'Retry-After': '5' },
    body: { detail: 'You have too many exports under way. Please try again later.' },
  });
  for (let i = 0; i < 3; i += 1) all.run('b', leaving.signal, endless).catch(() => undefined);
  await expect(all.run('c', undefined, endless)).rejects.toMatchObject({
    status: 503,
    headers: { 'Retry-After': '5' },
  });
  expect([all.running, all.waiting]).toEqual([2, 6]);
  leaving.abort();
  expect(all.waiting).toBe(0);
});

test('who leaves gives the place up, and who has waited for too long is told', async () => {
  const all = turns({ waitMs: 30 });
  const begun: string[] = [];
  const first = work(begun, 'first');
  const leaving = new AbortController();
  const running = all.run('a', undefined, first.run);
  const gone = all.run('a', leaving.signal, work(begun, 'gone').run);
  leaving.abort();
  await expect(gone).rejects.toMatchObject({ status: 499 });
  await expect(all.run('a', leaving.signal, work(begun, 'gone').run)).rejects.toMatchObject({ status: 499 });
  await expect(all.run('a', undefined, work(begun, 'late').run)).rejects.toMatchObject({
    status: 503,
    headers: { 'Retry-After': '5' },
  });
  first.end();
  expect([await running, begun, all.running, all.waiting]).toEqual(['first', ['first'], 0, 0]);
});

test('work that fails ends its turn', async () => {
  const all = turns();
  await expect(
    all.run('a', undefined, async () => {
      throw new Error('mine');
    }),
  ).rejects.toThrow('mine');
  expect(await all.run('a', undefined, async () => 5)).toBe(5);
});

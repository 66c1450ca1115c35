import { expect, test } from '@jest/globals';
import { concurrencyLimiter } from './concurrency.ts';

test('each client has its own places, and nobody waits for those of another', async () => {
  const all = concurrencyLimiter({ each: 2, queue: 1, waitMs: 60_000 });
  expect([all.acquire(1), all.acquire(1), all.acquire('192.0.2.1'), all.acquire(2)]).toEqual([true, true, true, true]);
  const third = all.acquire(1);
  expect(third).toBeInstanceOf(Promise);
  expect(all.acquire(1)).toBe(false);
  all.release(1);
  expect(await third).toBe(true);
  // The two that were taken are still taken.
  expect(all.acquire(1)).toBeInstanceOf(Promise);
  all.release(1);
  all.release(1);
  all.release(1);
  expect([all.acquire(1), all.acquire(1)]).toEqual([true, true]);
});

test('who waits too long has none, and gives none back', async () => {
  const all = concurrencyLimiter({ each: 1, queue: 5, waitMs: 10 });
  expect(all.acquire(1)).toBe(true);
  expect(await all.acquire(1)).toBe(false);
  expect(await all.acquire(1)).toBe(false);
  all.release(1);
  expect(all.acquire(1)).toBe(true);
  expect(concurrencyLimiter({ each: 1, queue: 0, waitMs: 10 }).acquire(1)).toBe(true);
});

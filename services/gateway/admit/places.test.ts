import { expect, test } from '@jest/globals';
import { places } from './places.ts';

test('each client has its own places, and nobody waits for those of another', async () => {
  const all = places({ each: 2, queue: 1, waitMs: 60_000 });
  expect([all.take(1), all.take(1), all.take('192.0.2.1'), all.take(2)]).toEqual([true, true, true, true]);
  const third = all.take(1);
  expect(third).toBeInstanceOf(Promise);
  expect(all.take(1)).toBe(false);
  all.leave(1);
  expect(await third).toBe(true);
  // The two that were taken are still taken.
  expect(all.take(1)).toBeInstanceOf(Promise);
  all.leave(1);
  all.leave(1);
  all.leave(1);
  expect([all.take(1), all.take(1)]).toEqual([true, true]);
});

test('who waits too long has none, and gives none back', async () => {
  const all = places({ each: 1, queue: 5, waitMs: 10 });
  expect(all.take(1)).toBe(true);
  expect(await all.take(1)).toBe(false);
  expect(await all.take(1)).toBe(false);
  all.leave(1);
  expect(all.take(1)).toBe(true);
  expect(places({ each: 1, queue: 0, waitMs: 10 }).take(1)).toBe(true);
});

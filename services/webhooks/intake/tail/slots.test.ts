import { expect, test } from '@jest/globals';
import { TailSlots } from './slots.ts';

test('places are free for anybody until all are taken; who leaves makes room', () => {
  const places = new TailSlots({ most: 3, mostPerUser: 3 });
  const taken = [1, 2, 3].map(() => places.take('a')!);
  expect([places.count, places.take('a')]).toEqual([3, undefined]);
  taken[0]!.leave();
  taken[0]!.leave();
  expect([places.count, places.countOf('a')]).toEqual([2, 2]);
  expect(places.take('a')).toBeDefined();
});

test('who has none gets one from who has most, and nobody loses the last one', () => {
  const places = new TailSlots({ most: 4, mostPerUser: 4 });
  const first = places.take('a')!;
  const second = places.take('a')!;
  places.take('a');
  places.take('b');
  const c = places.take('c')!;
  expect([first.ended.aborted, second.ended.aborted, c.ended.aborted, places.countOf('a'), places.count]).toEqual([
    true,
    false,
    false,
    2,
    4,
  ]);
  // A user who lost a place does not get one back from others by reconnecting.
  expect(places.take('a')).toBeUndefined();
  expect(places.take('d')).toBeDefined();
  expect(['a', 'b', 'c', 'd'].map((user) => places.countOf(user))).toEqual([1, 1, 1, 1]);
  expect(places.take('e')).toBeUndefined();
  // Giving up a place that was taken away has no effect.
  first.leave();
  expect(places.count).toBe(4);
});

test('a user has only so many, however many are free', () => {
  const places = new TailSlots({ most: 10, mostPerUser: 2 });
  places.take('a');
  places.take('a');
  expect([places.take('a'), places.take('b')?.ended.aborted]).toEqual([undefined, false]);
});

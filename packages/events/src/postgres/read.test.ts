import { expect, test } from '@jest/globals';
import { type Batch, chooseAmong, lookOver } from './read.ts';

const rows = Array.from({ length: 10 }, (_, i) => ({ key: i % 2 ? 'odd' : 'even', size: 10, i }));
const choose = (wanted: (key: string) => boolean, limit: number, maxBytes = 1_000) => { const { read, chosen } = chooseAmong(rows, wanted, { limit, maxBytes }); return [read.length, chosen.map(({ i }) => i)]; };

test('a batch ends before the first wanted message that does not fit', () => {
  expect(choose(() => true, 3)).toEqual([3, [0, 1, 2]]);
  expect(choose((key) => key === 'odd', 3)).toEqual([7, [1, 3, 5]]);
  expect(choose((key) => key === 'odd', 9)).toEqual([10, [1, 3, 5, 7, 9]]);
  expect(choose(() => false, 1)).toEqual([10, []]);
  // The first is in, however large it is.
  expect(choose(() => true, 9, 5)).toEqual([1, [0]]);
  expect(choose(() => true, 9, 20)).toEqual([2, [0, 1]]);
});

test('the fewer are wanted, the more are looked over', () => {
  const batch = (messages: number, read: number) => ({ messages: Array(messages), read: Array(read), full: true }) as Batch;
  expect([batch(200, 200), batch(100, 400), batch(0, 200), batch(1, 2_000), batch(0, 0)].map((one) => lookOver(one, 200))).toEqual([200, 800, 2_000, 2_000, 200]);
});

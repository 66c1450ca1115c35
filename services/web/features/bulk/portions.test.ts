import { expect, test } from '@jest/globals';
import { portions } from './portions.ts';

test('items come in as few portions as fit, in their order', () => {
  const most = { items: 2, bytes: 10_000 };
  expect(portions([1, 2, 3, 4, 5], most)).toEqual([[1, 2], [3, 4], [5]]);
  expect(portions([], most)).toEqual([]);
});

test('no portion is larger than a body may be, and an item that is goes alone', () => {
  const text = 'ä'.repeat(300);
  const of = (count: number) => Array.from({ length: count }, () => text);
  // 603 bytes each, 2,976 are left of 4,000.
  expect(portions(of(10), { items: 100, bytes: 4_000 }).map((one) => one.length)).toEqual([4, 4, 2]);
  expect(portions(of(2), { items: 100, bytes: 1_100 }).map((one) => one.length)).toEqual([1, 1]);
});

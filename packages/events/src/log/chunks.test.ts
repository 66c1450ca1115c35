import { expect, it } from '@jest/globals';
import { chunks } from './chunks.ts';

const sizes = (lengths: number[], maxBytes: number, maxCount: number): number[][] =>
  [
    ...chunks(
      lengths.map((length) => ({ key: '', value: 'x'.repeat(length) })),
      maxBytes,
      maxCount,
    ),
  ].map((run) => run.map(({ value }) => value.length));

it('cuts by bytes and by count, in order', () =>
  expect(sizes([3, 3, 3, 1, 1, 1, 1], 6, 3)).toEqual([
    [3, 3],
    [3, 1, 1],
    [1, 1],
  ]));
it('lets a message that is too large stand alone', () => expect(sizes([1, 9, 1], 5, 10)).toEqual([[1], [9], [1]]));
it('makes nothing of nothing', () => expect(sizes([], 5, 10)).toEqual([]));

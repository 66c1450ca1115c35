import { expect, test } from '@jest/globals';
import { freeIn, vlanRows } from './numbers.ts';

test('free numbers that follow one another are one row', () => {
  const free = freeIn(
    [
      [10, 14],
      [1, 2],
    ],
    [12],
  );
  expect(free).toEqual([1, 2, 10, 11, 13, 14]);
  expect(vlanRows([{ vid: 12 }], free)).toEqual([
    { vid: 1, last: 2 },
    { vid: 10, last: 11 },
    { vid: 12, one: { vid: 12 } },
    { vid: 13, last: 14 },
  ]);
});

import { expect, test } from '@jest/globals';
import { batchesOf } from './batches.ts';

async function* of(...things: string[]): AsyncGenerator<string> {
  yield* things;
}

test.each([
  [['a', 'b', 'c'], 2, 100, [['a', 'b'], ['c']]],
  [['aaa', 'bb', 'c'], 9, 3, [['aaa'], ['bb', 'c']]],
  [['aaaaaa', 'b'], 9, 3, [['aaaaaa'], ['b']]],
  [[], 9, 3, []],
])('%j in groups of %i and %i bytes', async (things, most, mostBytes, groups) => {
  expect(await Array.fromAsync(batchesOf(of(...things), { most, mostBytes, bytesOf: (text) => text.length }))).toEqual(
    groups,
  );
});

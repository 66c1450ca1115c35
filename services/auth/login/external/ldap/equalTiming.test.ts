import { expect, test } from '@jest/globals';
import { equalTiming } from './equalTiming.ts';

test('refusals of the faster route wait for as long as those of the other take', async () => {
  const waited: number[] = [];
  const { refused } = equalTiming(async (ms) => waited.push(ms));
  await refused('here', 80);
  expect(waited).toEqual([]);
  for (const ms of [10, 9_000, 12]) await refused('directory', ms);
  expect(waited).toEqual([70, 68]);
  for (let i = 0; i < 20; i += 1) await refused('directory', 200);
  waited.length = 0;
  await refused('here', 80);
  await refused('here', 250);
  expect(waited).toEqual([120]);
});

test('but not for longer than two seconds', async () => {
  const waited: number[] = [];
  const { refused } = equalTiming(async (ms) => waited.push(ms));
  await refused('directory', 60_000);
  await refused('here', 100);
  expect(waited).toEqual([1_900]);
});

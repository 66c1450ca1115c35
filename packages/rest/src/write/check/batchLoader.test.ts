import { expect, test } from '@jest/globals';
import { BatchLoader } from './batchLoader.ts';

const counted = () => {
  const rounds: string[][] = [];
  return {
    rounds,
    loader: new BatchLoader(async (keys) => {
      rounds.push([...keys]);
      return new Map(keys.filter((k) => k !== 'x').map((k) => [k, `<${k}>`]));
    }, 'none'),
  };
};

test('what is asked for at the same time is answered together, each once', async () => {
  const { rounds, loader } = counted();
  expect(await Promise.all(['a', 'b', 'a', 'x'].map((key) => loader.load(key)))).toEqual(['<a>', '<b>', '<a>', 'none']);
  expect(rounds).toEqual([['a', 'b', 'x']]);
});

test('what was asked for before is remembered', async () => {
  const { rounds, loader } = counted();
  await loader.load('a');
  expect(await Promise.all([loader.load('a'), loader.load('c')])).toEqual(['<a>', '<c>']);
  expect(rounds).toEqual([['a'], ['c']]);
});

test('a failure reaches everyone who asked', async () => {
  const loader = new BatchLoader(async () => {
    throw new Error('gone');
  }, null);
  const all = await Promise.allSettled([loader.load('a'), loader.load('b')]);
  expect(all.map((one) => one.status)).toEqual(['rejected', 'rejected']);
});

import { expect, test } from '@jest/globals';
import { Gathering } from './gathering.ts';

const counted = () => {
  const rounds: string[][] = [];
  return {
    rounds,
    gathering: new Gathering(async (keys) => {
      rounds.push(keys);
      return new Map(keys.filter((k) => k !== 'x').map((k) => [k, `<${k}>`]));
    }, 'none'),
  };
};

test('what is asked for at the same time is answered together, each once', async () => {
  const { rounds, gathering } = counted();
  expect(await Promise.all(['a', 'b', 'a', 'x'].map((key) => gathering.ask(key)))).toEqual([
    '<a>',
    '<b>',
    '<a>',
    'none',
  ]);
  expect(rounds).toEqual([['a', 'b', 'x']]);
});

test('what was asked for before is remembered', async () => {
  const { rounds, gathering } = counted();
  await gathering.ask('a');
  expect(await Promise.all([gathering.ask('a'), gathering.ask('c')])).toEqual(['<a>', '<c>']);
  expect(rounds).toEqual([['a'], ['c']]);
});

test('a failure reaches everyone who asked', async () => {
  const gathering = new Gathering(async () => {
    throw new Error('gone');
  }, null);
  const all = await Promise.allSettled([gathering.ask('a'), gathering.ask('b')]);
  expect(all.map((one) => one.status)).toEqual(['rejected', 'rejected']);
});

import { expect, test } from '@jest/globals';
import { createRounds } from './rounds.ts';

/** Rounds over words, of ten letters at most; each result is the word in capitals. */
function setUp(fails: (round: readonly string[]) => boolean = () => false) {
  const done: string[][] = [];
  const gathered: boolean[] = [];
  const rounds = createRounds<string, string>({
    limit: 10,
    sizeOf: (word) => word.length,
    work: async (words) => {
      await new Promise(setImmediate);
      done.push([...words]);
      if (fails(words)) throw new Error(`not ${words.join()}`);
      return words.map((word) => word.toUpperCase());
    },
    gather: async (_took, _messages, full) => void gathered.push(full),
  });
  return { rounds, done, gathered };
}

test('what is there at the same time is done together, as far as it fits, in order', async () => {
  const { rounds, done, gathered } = setUp();
  const results = await Promise.all(['one', 'two', 'three', 'a very long one', 'four'].map((word) => rounds.add(word)));
  expect(results).toEqual(['ONE', 'TWO', 'THREE', 'A VERY LONG ONE', 'FOUR']);
  expect(done).toEqual([['one', 'two'], ['three'], ['a very long one'], ['four']]);
  await rounds.rest();
  expect(gathered).toEqual([false]);
});

test('what comes while a round is being done is in the next one', async () => {
  const { rounds, done } = setUp();
  const first = rounds.add('one');
  await new Promise(setImmediate);
  const others = ['two', 'three'].map((word) => rounds.add(word));
  await Promise.all([first, ...others]);
  expect(done).toEqual([['one'], ['two', 'three']]);
});

test('gathers only when nothing is left, and says whether the last round was full', async () => {
  const { rounds, gathered } = setUp();
  const more = rounds.add('one').then(() => rounds.add('ten letters'));
  await more;
  await rounds.rest();
  expect(gathered).toEqual([true]);
});

test('a round that fails fails for all its parts, and for no others', async () => {
  const { rounds } = setUp((words) => words.includes('bad'));
  const settled = await Promise.allSettled(['good', 'bad', 'a good one'].map((word) => rounds.add(word)));
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  expect(await rounds.add('fine')).toBe('FINE');
});

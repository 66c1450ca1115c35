import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { forEachConcurrently } from './forEachConcurrently.ts';

async function* upTo(n: number, fails = false): AsyncGenerator<number> {
  for (let i = 1; i <= n; i++) yield i;
  await sleep(20);
  if (fails) throw new Error('the readContext died');
}

test('everything is worked on, so many at the same time', async () => {
  const done: number[] = [];
  let now = 0;
  let most = 0;
  await forEachConcurrently(upTo(7), 3, async (one) => {
    most = Math.max(most, (now += 1));
    await sleep(5);
    now -= 1;
    done.push(one);
  });
  expect([done.toSorted(), most]).toEqual([[1, 2, 3, 4, 5, 6, 7], 3]);
});

test('what fails is told, and what is under way comes to its end before', async () => {
  const done: number[] = [];
  const work = async (one: number): Promise<void> => {
    await sleep(5);
    if (one === 3) throw new Error('no');
    done.push(one);
  };
  await expect(forEachConcurrently(upTo(2, true), 2, work)).rejects.toThrow('the readContext died');
  expect(done).toEqual([1, 2]);
  await expect(forEachConcurrently(upTo(9), 2, work)).rejects.toThrow('no');
  expect(done.length).toBeLessThan(9);
});

test('what fails while nothing more has come is told, however long that takes to come', async () => {
  const readContext = async function* silent(): AsyncGenerator<number> {
    yield 1;
    await new Promise(() => {});
  };
  await expect(forEachConcurrently(readContext(), 2, () => Promise.reject(new Error('at once')))).rejects.toThrow(
    'at once',
  );
});

test('what has been worked on is let go of while more comes', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const made: WeakRef<object>[] = [];
  let most = 0;
  const readContext = async function* many(): AsyncGenerator<object> {
    for (let i = 0; i < 50; i++) {
      const thing = { i };
      made.push(new WeakRef(thing));
      yield thing;
    }
  };
  await forEachConcurrently(readContext(), 2, async () => {
    // A reference that was just looked at holds what it refers to until later.
    await sleep(0);
    collect();
    most = Math.max(most, made.filter((one) => one.deref()).length);
    await sleep(0);
  });
  expect(made).toHaveLength(50);
  expect(most).toBeLessThan(10);
});

import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { shared } from './shared.ts';

/** Work whose runs end when the test says so. */
function runs(atOnce?: number) {
  const begun: PromiseWithResolvers<string>[] = [];
  const ask = shared(() => {
    const run = Promise.withResolvers<string>();
    begun.push(run);
    return run.promise;
  }, atOnce);
  const turns = async () => {
    for (let i = 0; i < 5; i++) await turn();
  };
  return { begun, ask, turns };
}

test('those who ask in the same turn share a run', async () => {
  const { begun, ask, turns } = runs();
  const asked = [ask(), ask()];
  await turns();
  expect(begun).toHaveLength(1);
  begun[0]!.resolve('first');
  expect(await Promise.all(asked)).toEqual(['first', 'first']);
});

test('who asks while one is under way gets one that begins later', async () => {
  const { begun, ask, turns } = runs();
  const early = ask();
  await turns();
  const late = [ask(), ask()];
  await turns();
  expect(begun).toHaveLength(1);
  begun[0]!.resolve('first');
  expect(await early).toBe('first');
  await turns();
  expect(begun).toHaveLength(2);
  begun[1]!.resolve('second');
  expect(await Promise.all(late)).toEqual(['second', 'second']);
});

test('so many are under way at once as there may be, and whoever ends first answers first', async () => {
  const { begun, ask, turns } = runs(2);
  const asked: Promise<string>[] = [];
  for (let i = 0; i < 4; i++) {
    asked.push(ask());
    await turns();
  }
  expect(begun).toHaveLength(2);
  begun[1]!.resolve('second');
  expect(await asked[1]).toBe('second');
  await turns();
  // The two that had to wait share the third.
  expect(begun).toHaveLength(3);
  begun[2]!.resolve('third');
  begun[0]!.resolve('first');
  expect(await Promise.all(asked)).toEqual(['first', 'second', 'third', 'third']);
  await turns();
  const again = ask();
  await turns();
  begun[3]!.resolve('fourth');
  expect(await again).toBe('fourth');
});

test('what a run throws all get who waited for it, and nobody else', async () => {
  const { begun, ask, turns } = runs(2);
  const asked = [ask(), ask()];
  await turns();
  const other = ask();
  await turns();
  begun[0]!.reject(new Error('broken'));
  begun[1]!.resolve('second');
  expect(await Promise.allSettled(asked)).toMatchObject([{ reason: { message: 'broken' } }, { status: 'rejected' }]);
  expect(await other).toBe('second');
});

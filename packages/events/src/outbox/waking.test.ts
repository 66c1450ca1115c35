import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { relayWaker } from './outbox.ts';

test('a relay of this process is woken without a statement, and so is no other', () => {
  const said: string[] = [];
  const leads = [true, false];
  const wake = relayWaker(
    {
      query: async ({ text }) => {
        said.push(text);
      },
    },
    () => leads.shift()!,
  );
  wake();
  expect(said).toEqual([]);
  wake();
  expect(said).toHaveLength(1);
});

test('the first call wakes the relay at once; those that come soon after it share one more, and do not wait for the disk', async () => {
  const said: string[] = [];
  const wake = relayWaker({
    query: async ({ text }) => {
      said.push(text);
    },
  });
  for (let i = 0; i < 5; i++) wake();
  expect(said).toHaveLength(1);
  for (const until = Date.now() + 10_000; said.length < 2 && Date.now() < until; ) await sleep(5);
  await sleep(60);
  expect(said).toHaveLength(2);
  for (const text of said) expect(text).toMatch(/pg_notify.*synchronous_commit', 'off'/);
});

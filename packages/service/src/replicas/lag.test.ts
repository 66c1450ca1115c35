import { expect, test } from '@jest/globals';
import type { ChangeEvent } from '@cadastre/events';
import { lagMeter } from './lag.ts';

const event = (time: number) => ({ time: new Date(time).toISOString() }) as ChangeEvent;

test('nothing waits, nothing is late; else the age of what was followed last counts', async () => {
  let now = 1_000_000;
  let waiting = new Set<string>();
  let asked = 0;
  const lag = lagMeter({
    group: 'g',
    services: ['dcim', 'ipam'],
    now: () => now,
    events: {
      mark: async (_, topics) => {
        asked++;
        return async () => !topics.some((topic) => waiting.has(topic));
      },
    },
  });
  expect([await lag.measure(), asked]).toEqual([
    new Map([
      ['dcim', 0],
      ['ipam', 0],
    ]),
    1,
  ]);
  now += 5_000;
  waiting = new Set(['cadastre.changes.ipam']);
  expect(await lag.measure()).toEqual(
    new Map([
      ['dcim', 0],
      ['ipam', 5],
    ]),
  );
  expect(lag.applied([event(now - 2_000), event(now - 500)], ['ipam', 'dcim'])).toEqual([2, 0.5]);
  now += 1_000;
  expect(await lag.measure()).toEqual(
    new Map([
      ['dcim', 0],
      ['ipam', 3],
    ]),
  );
  // An event that is older than what was followed before must not increase the lag.
  lag.applied([event(now - 60_000)], ['ipam']);
  expect((await lag.measure()).get('ipam')).toBe(3);
  waiting.clear();
  expect((await lag.measure()).get('ipam')).toBe(0);
});

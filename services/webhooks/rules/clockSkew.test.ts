import { expect, test } from '@jest/globals';
import { clocksAhead } from './clockSkew.ts';

test('a clock that is further ahead than is allowed for is named once in a while', () => {
  const warned: unknown[] = [];
  let now = Date.parse('2026-11-21T05:00:00Z');
  const ahead = clocksAhead(
    10,
    (_, details) => warned.push(details['aheadMs']),
    () => now,
  );
  const look = (ms: number) => ahead.look([{ time: new Date(now + ms).toISOString(), objectType: 'dcim.site' }]);
  look(-5_000);
  look(10);
  expect(warned).toEqual([]);
  look(11);
  look(400);
  expect(warned).toEqual([11]);
  now += 60_000;
  look(400);
  expect(warned).toEqual([11, 400]);
});

import { expect, test } from '@jest/globals';
import { lines } from './progress.ts';

test('where there is no terminal, lines tell of what is there and, now and then, of what takes long', () => {
  const told: string[] = [];
  let now = 0;
  const telling = lines(
    (line) => told.push(line),
    () => now,
  );
  telling.begin('dcim.site', 20);
  telling.begin('dcim.rack', 0);
  telling.at('dcim.site', 5);
  now = 11_000;
  telling.at('dcim.site', 10);
  telling.at('dcim.site', 15);
  telling.end('dcim.rack');
  telling.at('dcim.site', 20);
  telling.end('dcim.site');
  expect(told).toEqual(['dcim.site: 10 of 20', 'dcim.site: 20, all of them']);
});

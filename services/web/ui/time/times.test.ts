import { expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { day, moment, showingTimes } from './times.ts';

const AT = '2026-11-23T23:30:00.123456Z';
/** The visible text, with plain spaces. */
const read = (one: unknown): string =>
  String(one)
    .replace(/<[^>]*>/g, '')
    .replace(/\s/g, ' ');

test.each([
  ['en', undefined, 'Nov 23, 2026, 11:30 PM UTC'],
  ['en-GB', 'Europe/Zurich', '24 Nov 2026, 00:30'],
  ['de', 'Asia/Tokyo', '24.11.2026, 08:30'],
  ['de', undefined, '23.11.2026, 23:30 UTC'],
])('a moment, %s, %s', (locale, zone, said) => {
  const shown = showingTimes({ locale, zone }, () => moment(AT));
  expect(read(shown)).toBe(said);
  // If the user has chosen no zone, the browser shows the time in its own.
  expect(String(shown).includes('data-zoned')).toBe(zone !== undefined);
  expect(String(shown)).toContain(`datetime="${AT}" title="${AT}"`);
});

test.each([
  ['en', 'Nov 23, 2026'],
  ['de', '23.11.2026'],
])('a day is the same in all zones, %s', (locale, said) => {
  const shown = showingTimes({ locale, zone: 'America/Los_Angeles' }, () => day('2026-11-23'));
  expect(read(shown)).toBe(said);
  expect(String(shown)).toContain('data-zoned');
});

test('what is neither is text', () => {
  for (const text of ['', 'soon', '<b>', '2026-13-45T00:00:00Z', '2026'])
    expect([read(moment(text)), read(day(text))]).toEqual([text, text].map((one) => one.replace('<b>', '&lt;b&gt;')));
});

test('pages that are made at the same time do not mix', async () => {
  const page = (zone: string) =>
    showingTimes({ locale: 'en-GB', zone }, async () => {
      await sleep(1);
      return read(moment(AT));
    });
  expect(await Promise.all([page('UTC'), page('Asia/Tokyo')])).toEqual(['23 Nov 2026, 23:30', '24 Nov 2026, 08:30']);
});

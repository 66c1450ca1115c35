import { expect, test } from '@jest/globals';
import { showingTimes } from './times.ts';
import { instantText, localFilter, localText, zoneIn } from './formTimes.ts';

test.each([
  ['2026-11-23T23:30:00Z', 'Europe/Zurich', '2026-11-24T00:30'],
  ['2026-07-01T10:00:07.123456Z', 'Europe/Zurich', '2026-07-01T12:00:07'],
  ['2026-11-23T23:30:00+02:00', 'UTC', '2026-11-23T21:30'],
  ['2026-11-23T00:00:00Z', 'America/Los_Angeles', '2026-11-22T16:00'],
  ['2026-11-23T12:00:00Z', 'Asia/Kathmandu', '2026-11-23T17:45'],
])('%s is filled in in %s as %s, and back', (moment, zone, local) => {
  expect(localText(moment, zone)).toBe(local);
  expect(Date.parse(instantText(local, zone))).toBe(Math.floor(Date.parse(moment) / 1000) * 1000);
});

test.each([
  // In October the clocks go back from three to two, in March forward from two to three.
  ['2026-10-25T01:59', '2026-10-24T23:59:00Z'],
  ['2026-10-25T03:00', '2026-10-25T02:00:00Z'],
  ['2026-03-29T01:59', '2026-03-29T00:59:00Z'],
  ['2026-03-29T03:00', '2026-03-29T01:00:00Z'],
  ['2026-03-29', '2026-03-28T23:00:00Z'],
  ['2026-11-24 00:30:05', '2026-11-23T23:30:05Z'],
])('in Zurich %s is %s', (local, moment) => expect(instantText(local, 'Europe/Zurich')).toBe(moment));

test('what names its zone, or is no time, stays as it is', () => {
  for (const text of ['2026-11-23T23:30:00Z', '2026-11-23T23:30+05:30', 'soon', '2026-02-31T00:00', '2026-01-01T25:00'])
    expect(instantText(text, 'Europe/Zurich')).toBe(text);
  for (const text of ['2026-11-23T23:30', 'soon', '']) expect(localText(text, 'Europe/Zurich')).toBe(text);
});

test('without a choice it is UTC, with one that of the page', () => {
  expect(localText('2026-11-23T23:30:00Z')).toBe('2026-11-23T23:30');
  const inTokyo = <T>(work: () => T): T => showingTimes({ locale: 'en', zone: 'Asia/Tokyo' }, work);
  expect(inTokyo(() => [localText('2026-11-23T23:30:00Z'), instantText('2026-11-24T08:30')])).toEqual([
    '2026-11-24T08:30',
    '2026-11-23T23:30:00Z',
  ]);
});

test('a form names a zone that there is', () =>
  expect(
    [{ _zone: 'Asia/Tokyo' }, { _zone: 'Mars' }, {}].map((one) => zoneIn(new URLSearchParams(one as never))),
  ).toEqual(['Asia/Tokyo', undefined, undefined]));

test.each([
  ['2026-11-01', '2026-11-01T09:00'],
  ['2026-11-01T10:20', '2026-11-01T19:20'],
  ['2026-11-01 10:20:30+02:00', '2026-11-01T17:20:30'],
  ['2026-11-01T10:20:30.5Z', undefined],
  ['2026-13-01', undefined],
  ['yesterday', undefined],
  ['', undefined],
])('a filter by %s is filled in in Tokyo as %s', (given, local) =>
  expect(showingTimes({ locale: 'en', zone: 'Asia/Tokyo' }, () => localFilter(given))).toBe(local),
);

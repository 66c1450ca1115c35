import { expect, test } from '@jest/globals';
import { ago, agoText } from './ago.ts';
import { inLanguage } from './language.ts';

const now = Date.parse('2026-11-23T12:00:00Z');

test.each([
  ['2026-11-23T11:59:58Z', 'now'],
  ['2026-11-23T11:59:20Z', '40 sec. ago'],
  ['2026-11-23T11:57:01.123456Z', '2 min. ago'],
  ['2026-11-23T13:30:00Z', 'in 1 hr.'],
  ['2026-11-21T12:00:00Z', '2 days ago'],
  ['2020-01-01T00:00:00Z', '6 yr. ago'],
])('%s is %s', (moment, text) => expect(agoText(moment, now)).toBe(text));

test.each([
  ['2026-11-23T11:59:58Z', 'jetzt'],
  ['2026-11-23T11:57:01Z', 'vor 2 Min.'],
  ['2026-11-21T12:00:00Z', 'vor 2 Tagen'],
])('in German %s is %s', (moment, text) =>
  expect(inLanguage({ code: 'de', locale: 'de' }, () => agoText(moment, now))).toBe(text),
);

test('the moment itself is in the title', () =>
  expect(String(ago('2026-11-23T11:57:01.123456Z', now))).toBe(
    '<time datetime="2026-11-23T11:57:01.123456Z" title="2026-11-23 11:57:01 UTC" data-relative>2 min. ago</time>',
  ));

import { expect, test } from '@jest/globals';
import { Secret } from '@cadastre/service/secret';
import { csrfTokens } from './csrf-tokens.ts';

let now = 1_000_000;
const secret = new Secret('s'.repeat(32));
const here = csrfTokens(secret, 60, () => now);

test('a mark is for one purpose and about one thing, wherever in the installation it was made', () => {
  const mark = here.issue('session', 'a');
  expect(here.issue('session', 'a')).not.toBe(mark);
  expect(csrfTokens(secret, 60, () => now).verify(mark, 'session', 'a')).toBe(true);
  expect([
    here.verify(mark, 'session', 'b'),
    here.verify(mark, 'login', 'a'),
    here.verify(mark, 'visit'),
    csrfTokens(new Secret('t'.repeat(32)), 60, () => now).verify(mark, 'session', 'a'),
  ]).toEqual([false, false, false, false]);
});

test('what was changed, cut, or made of something else is none', () => {
  const mark = here.issue('visit');
  const [nonce, end, signature] = mark.split('.') as [string, string, string];
  for (const forged of [
    '',
    '.',
    '..',
    mark.slice(1),
    `${mark}x`,
    `${nonce}.${Number(end) + 1}.${signature}`,
    `${nonce}x.${end}.${signature}`,
    `${nonce}.${end}.`,
    `${nonce}.1e9.${signature}`,
  ])
    expect(here.verify(forged, 'visit')).toBe(false);
  // Different lists of parts never have the same signature, so a mark for one thing never counts for another.
  const tricky = here.issue('session', 'a","b');
  expect(here.verify(tricky, 'session', 'a')).toBe(false);
});

test('a mark ends', () => {
  const mark = here.issue('visit');
  now += 59_000;
  expect(here.verify(mark, 'visit')).toBe(true);
  now += 1_000;
  expect(here.verify(mark, 'visit')).toBe(false);
});

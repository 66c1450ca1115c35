import { expect, test } from '@jest/globals';
import { Secret } from '@cadastre/service/secret';
import { csrfTokens } from './csrf-tokens.ts';

let now = 1_000_000;
const secret = new Secret('s'.repeat(32));
const here = csrfTokens(secret, 60, () => now);

test('a token is for one purpose and about one thing, wherever in the installation it was made', () => {
  const token = here.issue('session', 'a');
  expect(here.issue('session', 'a')).not.toBe(token);
  expect(csrfTokens(secret, 60, () => now).verify(token, 'session', 'a')).toBe(true);
  expect([
    here.verify(token, 'session', 'b'),
    here.verify(token, 'login', 'a'),
    here.verify(token, 'visit'),
    csrfTokens(new Secret('t'.repeat(32)), 60, () => now).verify(token, 'session', 'a'),
  ]).toEqual([false, false, false, false]);
});

test('what was changed, cut, or made of something else is none', () => {
  const token = here.issue('visit');
  const [nonce, end, signature] = token.split('.') as [string, string, string];
  for (const forged of [
    '',
    '.',
    '..',
    token.slice(1),
    `${token}x`,
    `${nonce}.${Number(end) + 1}.${signature}`,
    `${nonce}x.${end}.${signature}`,
    `${nonce}.${end}.`,
    `${nonce}.1e9.${signature}`,
  ])
    expect(here.verify(forged, 'visit')).toBe(false);
  // Different lists of parts never have the same signature, so a token for one thing never counts for another.
  const tricky = here.issue('session', 'a","b');
  expect(here.verify(tricky, 'session', 'a')).toBe(false);
});

test('a token ends', () => {
  const token = here.issue('visit');
  now += 59_000;
  expect(here.verify(token, 'visit')).toBe(true);
  now += 1_000;
  expect(here.verify(token, 'visit')).toBe(false);
});

import { expect, test } from '@jest/globals';
import { Secret } from '@cadastre/service/secret';
import { forms } from './forms.ts';

let now = 1_000_000;
const secret = new Secret('s'.repeat(32));
const here = forms(secret, 60, () => now);

test('a mark is for one purpose and about one thing, wherever in the installation it was made', () => {
  const mark = here.mark('session', 'a');
  expect(here.mark('session', 'a')).not.toBe(mark);
  expect(forms(secret, 60, () => now).marked(mark, 'session', 'a')).toBe(true);
  expect([
    here.marked(mark, 'session', 'b'),
    here.marked(mark, 'login', 'a'),
    here.marked(mark, 'visit'),
    forms(new Secret('t'.repeat(32)), 60, () => now).marked(mark, 'session', 'a'),
  ]).toEqual([false, false, false, false]);
});

test('what was changed, cut, or made of something else is none', () => {
  const mark = here.mark('visit');
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
    expect(here.marked(forged, 'visit')).toBe(false);
  // No two lists of parts are signed alike: what is about one thing cannot be read as being about another.
  const tricky = here.mark('session', 'a","b');
  expect(here.marked(tricky, 'session', 'a')).toBe(false);
});

test('a mark ends', () => {
  const mark = here.mark('visit');
  now += 59_000;
  expect(here.marked(mark, 'visit')).toBe(true);
  now += 1_000;
  expect(here.marked(mark, 'visit')).toBe(false);
});

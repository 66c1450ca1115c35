import { expect, test } from '@jest/globals';
import { account } from './en/account.ts';
import { common } from './en/common.ts';
import { deliveries } from './en/deliveries.ts';
import { everywhere } from './en/everywhere.ts';
import { forms } from './en/forms.ts';
import { imports } from './en/imports.ts';
import { lists } from './en/lists.ts';
import { models } from './en/models.ts';
import { objects } from './en/objects.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { english, LANGUAGES, languageFor, localeFor } from './texts.ts';

test('places are filled with values', () => expect(english('results', { from: 1, to: 2, count: 3 })).toBe('1–2 of 3'));

test('no text stands in two files', () => {
  const names = [common, lists, forms, imports, models, objects, everywhere, account, deliveries].flatMap((texts) =>
    Object.keys(texts),
  );
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});

const places = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();
test.each(Object.entries(de))('the German text %s is one of the pages, with the same places', (name, text) => {
  expect(places(text)).toEqual(places(en[name as keyof typeof en]));
});
test('there is every text in German', () => expect(Object.keys(de).toSorted()).toEqual(Object.keys(en).toSorted()));
test('a language without a text says it in English', () => {
  for (const { texts } of LANGUAGES)
    for (const name of Object.keys(en) as (keyof typeof en)[]) expect(texts(name)).not.toBe('');
});

test.each<[string | undefined, string | undefined, string]>([
  [undefined, undefined, 'en'],
  [undefined, 'de-CH,de;q=0.9,en;q=0.8', 'de'],
  [undefined, 'fr, en;q=0.5, de;q=0.9', 'de'],
  [undefined, 'de;q=0, fr', 'en'],
  [undefined, '*', 'en'],
  ['en', 'de', 'en'],
  ['de', undefined, 'de'],
  ['xx', 'de', 'de'],
])('chosen %s, accepted %s: %s', (chosen, accepted, code) => expect(languageFor(chosen, accepted).code).toBe(code));

test.each([
  ['en', 'en-GB,en;q=0.9', 'en-GB'],
  ['en', 'de-CH,en;q=0.5', 'en'],
  ['de', 'en, de-CH;q=0.5', 'de-CH'],
  ['de', undefined, 'de'],
  ['en', 'en-x-!!, *', 'en'],
  ['en', 'en-abcdefghi', 'en'],
])('dates in %s for %s are written as in %s', (code, accepted, locale) =>
  expect(localeFor({ code }, accepted)).toBe(locale),
);

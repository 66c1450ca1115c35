import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { problemsOf } from './problems.ts';
import { answering } from '../ui/texts/answers.ts';
import { answers } from '../ui/texts/de/answers.ts';
import { speaking } from '../ui/texts/speaking.ts';
import { LANGUAGES } from '../ui/texts/texts.ts';

const root = resolve(import.meta.dirname, '../../..');
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ['node_modules', 'texts'].includes(entry.name) ? [] : filesIn(path);
    return entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts') ? [path] : [];
  });
const placesIn = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).toSorted();

test('every sentence is one that the API says', () => {
  const source = ['packages', 'services']
    .flatMap((folder) => filesIn(join(root, folder)))
    .map((file) => readFileSync(file, 'utf8').replaceAll("\\'", "'"))
    .join('\n');
  const parts = Object.keys(answers).flatMap((sentence) => sentence.split(/\{\w+\}/).filter((part) => part.length > 3));
  expect(parts.filter((part) => !source.includes(part))).toEqual([]);
});

test.each(Object.entries(answers))('%s has the same places in German', (english, german) => {
  const known = placesIn(english);
  expect(placesIn(german).filter((place) => !known.includes(place))).toEqual([]);
});

const german = answering(answers);
test.each([
  ['This field is required.', 'Das muss ausgefüllt werden.'],
  ['Ensure this value is less than or equal to 32767.', 'Höchstens 32767.'],
  ['site with this name already exists.', 'Das gibt es schon (site: name).'],
  ['Ensure this value is less than or equal to 5. And more', 'Ensure this value is less than or equal to 5. And more'],
  ['Something that nobody has translated.', 'Something that nobody has translated.'],
  ['toString', 'toString'],
  [`Object type ${'x'.repeat(2_000)} does not exist.`, `Object type ${'x'.repeat(2_000)} does not exist.`],
])('%s', (english, expected) => expect(german(english)).toBe(expected));

test('problems of forms are said in the language of who reads them', () => {
  const body = { name: ['This field is required.', 'Null characters are not allowed.'], detail: 'Not found.' };
  const [, language] = LANGUAGES;
  expect(speaking(language!, 'de', () => problemsOf({ body }))).toEqual({
    name: 'Das muss ausgefüllt werden. Nullzeichen sind nicht erlaubt.',
    '': 'Das gibt es nicht.',
  });
  expect(problemsOf({ body })).toMatchObject({ '': 'Not found.' });
});

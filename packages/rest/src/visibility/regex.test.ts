import { expect, test } from '@jest/globals';
import { regexProblem } from './regex.ts';

test.each([
  '^sw-[0-9]+$',
  String.raw`^\d{1,3}(\.\d{1,3}){3}$`,
  '(?i)^core',
  '(?:a|b)*c',
  '[]a]{2}',
  '[^]\\]]x',
  '[[:alpha:]_][[:alnum:]_]{0,31}',
  '(?=.*x)(?!y)',
  'a{',
  String.raw`\\1`,
  String.raw`\y\d\y`,
  'x{255}',
])('%s may be compared', (text) => {
  expect(regexProblem(text)).toBeUndefined();
});

test.each([String.raw`(.*)\1`, String.raw`^(a)(b)\2$`, String.raw`((a)\10)`, String.raw`\\\1`, String.raw`[\]\1`])(
  '%s refers back',
  (text) => {
    expect(regexProblem(text)).toBe('A regular expression may not refer back to a group.');
  },
);

test.each([String.raw`***:(a)\1`, '***=a', '***a'])('%s chooses another grammar', (text) => {
  expect(regexProblem(text)).toMatch(/begin with \*\*\*/);
});
test.each(['(?b)a', '(?e)a', '(?xi)a', '(?q)a'])('%s chooses another grammar by an option', (text) => {
  expect(regexProblem(text)).toMatch(/options/);
});

test.each([
  '(a{255}){255}',
  '((a|b){40}){40}',
  '((((a{9}){9}){9}){9})',
  `${'a{200}'.repeat(6)}`,
  '(.?){1,2}'.repeat(400),
])('%s is too large', (text) => {
  expect(regexProblem(text)).toMatch(/at most 1000 parts/);
});

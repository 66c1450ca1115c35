import { html } from '@cadastre/pages';
import { expect, test } from '@jest/globals';
import { structuralKey } from './structuralKey.ts';

const one = html`<b>one</b>`;
const say = (): void => undefined;

test.each<[string, unknown, unknown]>([
  ['dictionaries and lists', { a: [1, 'x', { b: null }] }, { a: [1, 'x', { b: null }] }],
  ['parameters', new URLSearchParams('a=1&b=2'), new URLSearchParams('a=1&b=2')],
  ['the same HTML', [one], [one]],
  ['the same function', { say }, { say }],
])('what says the same has the same text: %s', (_, left, right) =>
  expect(structuralKey(left)).toBe(structuralKey(right)),
);

test.each<[string, unknown, unknown]>([
  ['a number and a text', 1, '1'],
  ['true and a text', true, 'true'],
  ['null and undefined', null, undefined],
  ['no member and an undefined one', {}, { a: undefined }],
  ['a list and its only member', ['a'], 'a'],
  ['texts that look alike when they are put together', ['a', 'bc'], ['ab', 'c']],
  ['a text with what stands between values', ['a,1"b'], ['a', 'b']],
  ['names and values that change places', { a: 'b' }, { b: 'a' }],
  ['members of another order inside a list', [1, 2], [2, 1]],
  ['HTML that was made anew', html`<b>one</b>`, html`<b>one</b>`],
  ['two functions', () => 1, () => 1],
  ['two things of a class', new Map(), new Map()],
])('what says something else has another text: %s', (_, left, right) =>
  expect(structuralKey(left)).not.toBe(structuralKey(right)),
);

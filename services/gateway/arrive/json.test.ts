import { expect, test } from '@jest/globals';
import { indentOf } from './json.ts';

test.each([
  [undefined, 0],
  ['application/json', 0],
  ['application/json; indent=4', 4],
  ['application/json;indent=2, text/html', 2],
  ['text/html; indent=4', 0],
  ['application/json; charset=utf-8; indent=4', 4],
  ['application/json; indent=99', 8],
  ['application/json; indent=x', 0],
  ['text/html, application/json; indent="3"', 3],
])('indentOf %p is %p', (accept, indent) => expect(indentOf(accept)).toBe(indent));

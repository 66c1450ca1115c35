import { expect, test } from '@jest/globals';
import { isStorable } from './storable.ts';

test.each([
  ['integer', 1, true],
  ['integer', 2 ** 31, false],
  ['integer', 1.5, false],
  ['integer', '1', false],
  ['smallint', -(2 ** 15), true],
  ['smallint', 2 ** 15, false],
  ['varchar(3)', 'abc', true],
  ['varchar(3)', 'abcd', false],
  ['varchar(2)', '😀😀', true],
  ['varchar(3)', 7, false],
  ['text', 'a\u0000', false],
  ['varchar(5)[]', ['one', 'two'], true],
  ['varchar(5)[]', 'one', false],
  ['boolean', true, true],
  ['boolean', 'yes', false],
  ['jsonb', { any: [1] }, true],
  ['inet', '10.0.0.0/8', false],
  ['numeric(8,2)', 1, false],
  ['timestamptz', 'now', false],
])('a column %s holds %j: %s', (type, value, fits) => {
  expect(isStorable(type, value)).toBe(fits);
});

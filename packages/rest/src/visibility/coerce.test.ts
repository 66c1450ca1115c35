import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Json } from '@cadastre/model';
import { boundType, coerce } from './coerce.ts';

test.each<[string, Json[], Json[]]>([
  ['bigint', [1, '1', '-5', ' 7 ', '9'.repeat(18)], ['abc', 1.5, '1e3', 1e30, '9'.repeat(19), true, '', 'a\0']],
  ['integer', [1, '99999999999'], ['x', 1.5]],
  ['smallint', [1, '70000'], ['x']],
  ['numeric', [1, 1.5, '-1.50'], ['x', 'NaN', 1e30, '1e5', '.', '']],
  ['boolean', [true, 'false', 1, 'yes'], ['maybe', 2, '']],
  ['timestamptz', ['2026-01-01', '2026-01-01T05:00Z'], ['x', 5, '2026-02-30', true]],
  ['date', ['2026-01-01'], ['x', 5]],
  [
    'uuid',
    ['019a0000-0000-7000-8000-000000000001', '019a0000000070008000000000000001'],
    ['x', 5, '{019a0000-0000-7000-8000-000000000001}'],
  ],
  ['varchar', ['', 'x', 5, true, "';drop--"], ['a\0b']],
  ['text', ['x'], ['\0']],
])('%s', (type, good, bad) => {
  for (const value of good) expect(coerce(type, value)).not.toBeUndefined();
  for (const value of bad) expect(coerce(type, value)).toBeUndefined();
});

describe('a fitting value', () => {
  test('is null for null, and never made of what is no single value', () => {
    for (const type of ['bigint', 'text', 'boolean', 'uuid']) {
      expect(coerce(type, null)).toBeNull();
      for (const value of [[], [1], {}, { a: 1 }] as Json[]) expect(coerce(type, value)).toBeUndefined();
    }
  });
  test('of a wide type suits the narrow one', () => {
    expect(['smallint', 'integer', 'bigint', 'varchar', 'text', 'date'].map(boundType)).toEqual([
      'bigint',
      'bigint',
      'bigint',
      'text',
      'text',
      'date',
    ]);
  });
  test('is a text without NUL, a truth value or null', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('bigint', 'numeric', 'boolean', 'timestamptz', 'date', 'uuid', 'text'),
        fc.jsonValue(),
        (type, value) => {
          const found = coerce(type, value as Json);
          expect(
            found === undefined ||
              found === null ||
              typeof found === 'boolean' ||
              (typeof found === 'string' && !found.includes('\0')),
          ).toBe(true);
        },
      ),
    );
  });
});

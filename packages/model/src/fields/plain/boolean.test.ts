import { expect, test } from '@jest/globals';
import type { Json } from '../../types/json.ts';
import { boolean } from './boolean.ts';

const parse = (value: Json) => boolean().parse!(value, { knowsObjectType: () => false });

test.each<[Json, boolean]>([
  [true, true],
  ['true', true],
  ['on', true],
  ['1', true],
  [1, true],
  ['Y', true],
  [false, false],
  ['False', false],
  ['off', false],
  ['0', false],
  [0, false],
  ['n', false],
])('%j is %j', (given, value) => {
  expect(parse(given)).toEqual({ value });
});

test.each<[Json]>([['maybe'], [''], [2], [[]], [[true]], [{}], ['tRuE']])('%j is neither', (given) => {
  expect(parse(given)).toEqual({ errors: ['Must be a valid boolean.'] });
});

test('is printed from the text of PostgreSQL', () => {
  expect(['t', 'f', 'true', 'false', null].map((c) => boolean({ nullable: true }).print!(c))).toEqual([
    'true',
    'false',
    'true',
    'false',
    'null',
  ]);
});

test('is false unless declared otherwise', () => {
  expect(boolean()).toMatchObject({
    column: { type: 'boolean', nullable: false, default: 'false' },
    default: false,
    required: false,
    nullable: false,
    lookups: 'boolean',
  });
  expect(boolean({ default: true })).toMatchObject({ column: { default: 'true' }, default: true });
  expect(boolean({ nullable: true })).toMatchObject({
    column: { nullable: true },
    default: null,
    nullable: true,
    schema: { read: { type: ['boolean', 'null'] } },
  });
  expect(boolean({ nullable: true }).column).not.toHaveProperty('default');
  expect(boolean({ readOnly: true, filter: false, hidden: true })).toMatchObject({
    readOnly: true,
    lookups: null,
    hidden: true,
  });
  expect(boolean().metadata()).toEqual({ type: 'boolean', required: false, read_only: false });
});

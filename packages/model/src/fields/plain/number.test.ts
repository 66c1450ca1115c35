import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Json } from '../../types/json.ts';
import type { Field } from '../../types/model.ts';
import { decimal, integer, integerOf } from './number.ts';

const parse = (field: Field, value: Json) => field.parse!(value, { knowsObjectType: () => false });

describe('integer', () => {
  test.each<[Json, number]>([
    [5, 5],
    ['5', 5],
    [' +5 ', 5],
    ['-7', -7],
    ['3.0', 3],
    [5.0, 5],
  ])('%j is %j', (given, value) => {
    expect(parse(integer(), given)).toEqual({ value });
  });

  test.each<[Json]>([
    ['x'],
    [''],
    [1.5],
    ['1.5'],
    ['1e3'],
    ['0x10'],
    [true],
    [[1]],
    [{ a: 1 }],
    ['٣'],
    ['9'.repeat(21)],
  ])('%j is none', (given) => {
    expect(parse(integer(), given)).toEqual({ errors: ['A valid integer is required.'] });
  });

  test('stays within its limits, or those of its column', () => {
    expect(parse(integer({ min: 1, max: 9 }), 10)).toEqual({
      errors: ['Ensure this value is less than or equal to 9.'],
    });
    expect(parse(integer({ min: 1, max: 9 }), 0)).toEqual({
      errors: ['Ensure this value is greater than or equal to 1.'],
    });
    expect(parse(integer({ size: 'smallint' }), 32_768)).toEqual({
      errors: ['Ensure this value is less than or equal to 32767.'],
    });
    expect(parse(integer({ size: 'smallint' }), -32_768)).toEqual({ value: -32_768 });
    expect(parse(integer(), 2 ** 31)).toHaveProperty('errors');
    expect(parse(integer({ size: 'bigint' }), 2 ** 31)).toEqual({ value: 2 ** 31 });
    expect(parse(integer({ size: 'bigint' }), '99999999999999999999')).toHaveProperty('errors');
  });

  test('is null when it is optional and blank', () => {
    expect(parse(integer({ optional: true }), '')).toEqual({ value: null });
    expect(parse(integer({ optional: true, default: 5 }), '')).toHaveProperty('errors');
  });

  test('tells what was declared', () => {
    expect(integer({ default: 100, size: 'smallint', unique: true })).toMatchObject({
      column: { type: 'smallint', nullable: false, default: '100', unique: true },
      required: false,
      nullable: false,
      default: 100,
      lookups: 'number',
    });
    expect(integer({ optional: true })).toMatchObject({
      column: { type: 'integer', nullable: true },
      required: false,
      nullable: true,
      default: null,
    });
    expect(integer({ min: 1, max: 9 }).metadata()).toEqual({
      type: 'integer',
      required: true,
      read_only: false,
      min_value: 1,
      max_value: 9,
    });
    expect(integer({ min: 0, optional: true }).schema.read).toEqual({ type: ['integer', 'null'], minimum: 0 });
    expect(integer({ filter: false, hidden: true, readOnly: true })).toMatchObject({
      lookups: null,
      hidden: true,
      required: false,
    });
  });

  test('prints what PostgreSQL holds', () => {
    expect(integer().print!(null)).toBe('null');
    fc.assert(
      fc.property(fc.integer(), (n) => {
        expect(integer().print!(String(n))).toBe(String(n));
        expect(parse(integer(), String(n))).toEqual({ value: n });
      }),
    );
  });

  test('an integer is never taken from what is none', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const n = integerOf(value as Json);
        expect(n === undefined || Number.isInteger(n)).toBe(true);
      }),
    );
  });
});

describe('decimal', () => {
  const latitude = decimal({ digits: 8, places: 6, min: -90, max: 90, optional: true });

  test.each<[Json, string]>([
    [50.1, '50.1'],
    ['50.1', '50.1'],
    [' -0.5 ', '-0.5'],
    [5, '5'],
    ['007.500', '7.5'],
    ['.5', '0.5'],
    ['5.', '5'],
    [1e-6, '0.000001'],
    [0, '0'],
    ['+1.5', '1.5'],
    ['-0', '-0'],
  ])('%j is %s', (given, value) => {
    expect(parse(latitude, given)).toEqual({ value });
  });

  test.each<[Json, string]>([
    ['x', 'A valid number is required.'],
    ['.', 'A valid number is required.'],
    [true, 'A valid number is required.'],
    [[1], 'A valid number is required.'],
    [{ a: 1 }, 'A valid number is required.'],
    ['NaN', 'A valid number is required.'],
    ['Infinity', 'A valid number is required.'],
    ['1,5', 'A valid number is required.'],
    [999, 'Ensure that there are no more than 2 digits before the decimal point.'],
    ['1.1234567', 'Ensure that there are no more than 6 decimal places.'],
    ['12.1234567', 'Ensure that there are no more than 8 digits in total.'],
    [91, 'Ensure this value is less than or equal to 90.'],
    [-90.5, 'Ensure this value is greater than or equal to -90.'],
    ['1'.repeat(1001), 'String value too large.'],
  ])('%j: %s', (given, message) => {
    expect(parse(latitude, given)).toEqual({ errors: [message] });
  });

  test('a number too small for its places is refused, not stored as zero', () => {
    for (const tiny of [1e-7, 1e-30, 5e-324]) expect(parse(latitude, tiny)).toHaveProperty('errors');
    expect(parse(latitude, 1e300)).toHaveProperty('errors');
  });

  test('is null when it is optional and blank', () => {
    expect(parse(latitude, '')).toEqual({ value: null });
    expect(parse(decimal({ digits: 4, places: 2 }), '')).toEqual({ errors: ['A valid number is required.'] });
  });

  test('is shown as a number, in snapshots with all its decimals', () => {
    expect(['50.100000', '7.000000', '-0.500000', null].map((c) => latitude.print!(c))).toEqual([
      '50.1',
      '7.0',
      '-0.5',
      'null',
    ]);
    expect(['50.100000', null].map((c) => latitude.printSnapshot!(c))).toEqual(['"50.100000"', 'null']);
  });

  test('tells what was declared', () => {
    expect(latitude).toMatchObject({
      column: { type: 'numeric(8,6)', nullable: true },
      required: false,
      nullable: true,
      default: null,
      lookups: 'decimal',
    });
    expect(latitude.metadata()).toEqual({
      type: 'decimal',
      required: false,
      read_only: false,
      min_value: -90,
      max_value: 90,
      max_digits: 8,
      decimal_places: 6,
    });
    expect(latitude.schema.read).toEqual({ type: ['number', 'null'], minimum: -90, maximum: 90 });
    expect(decimal({ digits: 4, places: 2, default: 1.5 })).toMatchObject({
      column: { default: '1.5', nullable: false },
      default: 1.5,
      required: false,
    });
  });

  test('what is parsed prints as the same number', () => {
    const wide = decimal({ digits: 16, places: 4 });
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 0, max: 4 }), (n, places) => {
        const number = n / 10 ** places;
        const parsed = parse(wide, number);
        expect(parsed).toHaveProperty('value');
        expect(Number(wide.print!((parsed as { value: string }).value))).toBe(
          number === 0 ? Number(wide.print!('0')) : number,
        );
      }),
    );
  });
});

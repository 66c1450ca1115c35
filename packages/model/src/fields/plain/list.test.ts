import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Json } from '../../types/json.ts';
import type { Field } from '../../types/model.ts';
import { fails } from '../../types/parsing.ts';
import { choices } from './choice.ts';
import { arrayItems, choiceList, list, objectType, objectTypes } from './list.ts';

const parse = (field: Field, value: Json) =>
  field.parse!(value, { knowsObjectType: (name) => name === 'town.house' || name === 'town.room' });
const words = list({
  element: 'text',
  item: (value) => (typeof value === 'string' ? { value } : fails('Not a valid string.')),
});

/** As PostgreSQL writes an array: whatever could be misread is quoted. */
const arrayText = (items: string[]): string =>
  `{${items.map((i) => (i === '' || /[{}",\\\s]/.test(i) || /^null$/i.test(i) ? `"${i.replace(/["\\]/g, '\\$&')}"` : i)).join(',')}}`;

describe('arrayItems', () => {
  test.each<[string, string[]]>([
    ['{}', []],
    ['{1}', ['1']],
    ['{1,2,3}', ['1', '2', '3']],
    ['{"a b",c}', ['a b', 'c']],
    ['{"a,b","c\\"d","e\\\\f","{g}"}', ['a,b', 'c"d', 'e\\f', '{g}']],
    ['{"",x}', ['', 'x']],
    ['{"NULL"}', ['NULL']],
    ['{"a\nb"}', ['a\nb']],
    ['{town.house,"x y"}', ['town.house', 'x y']],
  ])('%j', (cell, items) => {
    expect(arrayItems(cell)).toEqual(items);
  });

  test('reads every array of texts', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (items) => {
        expect(arrayItems(arrayText(items))).toEqual(items);
      }),
    );
  });
});

describe('list', () => {
  test('names wrong items by their index', () => {
    expect(parse(words, ['a', 1, 'b', null, [['x']]])).toEqual({
      errors: { 1: ['Not a valid string.'], 3: ['This field may not be null.'], 4: ['Not a valid string.'] },
    });
  });
  test.each<[Json, string]>([
    ['a', 'str'],
    [1, 'int'],
    [1.5, 'float'],
    [true, 'bool'],
    [{}, 'dict'],
  ])('%j is none', (value, type) => {
    expect(parse(words, value)).toEqual({ errors: [`Expected a list of items but got type "${type}".`] });
  });
  test('keeps order and repetition unless it is sorted', () => {
    expect(parse(words, ['b', 'a', 'b'])).toEqual({ value: ['b', 'a', 'b'] });
    expect(parse(list({ element: 'text', sorted: true, item: (value) => ({ value }) }), ['b', 'a', 'b'])).toEqual({
      value: ['a', 'b'],
    });
  });
  test('may have to hold something', () => {
    expect(parse(words, [])).toEqual({ value: [] });
    expect(parse(list({ element: 'text', allowEmpty: false, item: (value) => ({ value }) }), [])).toEqual({
      errors: ['This list may not be empty.'],
    });
  });
  test('prints what it holds', () => {
    expect(['{a,"b c"}', '{}', null].map((c) => words.print!(c))).toEqual(['["a","b c"]', '[]', '[]']);
    expect(list({ element: 'text', item: (value) => ({ value }), nullable: true }).print!(null)).toBe('null');
    expect(list({ element: 'integer', item: (value) => ({ value }), print: (i) => i }).print!('{1,2}')).toBe('[1,2]');
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (items) => {
        expect(JSON.parse(words.print!(arrayText(items)))).toEqual(items);
      }),
    );
  });
  test('tells what was declared', () => {
    expect(words).toMatchObject({
      column: { type: 'text[]', nullable: false, default: "'{}'", index: false },
      required: true,
      default: [],
      lookups: null,
    });
    expect(
      list({
        element: 'integer',
        item: (value) => ({ value }),
        nullable: true,
        optional: true,
        lookups: 'numbers',
        child: { type: 'integer' },
        itemSchema: { type: 'integer' },
      }),
    ).toMatchObject({
      column: { type: 'integer[]', nullable: true, index: 'gin' },
      required: false,
      default: null,
      lookups: 'numbers',
      schema: { read: { type: ['array', 'null'], items: { type: 'integer' } } },
    });
    expect(
      list({ element: 'text', item: (value) => ({ value }), child: { type: 'string' }, readOnly: true }).metadata(),
    ).toEqual({ type: 'list', required: false, read_only: true, child: { type: 'string' } });
  });
});

test('choiceList holds offered values only', () => {
  const days = choiceList(
    choices([
      ['mo', 'Monday'],
      ['tu', 'Tuesday'],
    ]),
    { optional: true },
  );
  expect(parse(days, ['tu', 'mo'])).toEqual({ value: ['tu', 'mo'] });
  expect(parse(days, ['mo', 'xx', 5])).toEqual({
    errors: { 1: ['"xx" is not a valid choice.'], 2: ['"5" is not a valid choice.'] },
  });
  expect(days).toMatchObject({
    column: { type: 'varchar(50)[]', index: 'gin' },
    lookups: 'strings',
    schema: { write: { items: { enum: ['mo', 'tu'] } } },
  });
  expect(days.metadata()).toMatchObject({
    type: 'list',
    child: {
      type: 'choice',
      choices: [
        { value: 'mo', display_name: 'Monday' },
        { value: 'tu', display_name: 'Tuesday' },
      ],
    },
  });
  expect(choiceList([], { filter: false }).lookups).toBeNull();
});

const BAD_TYPE = "Invalid value. Specify a content type as '<app_label>.<model_name>'.";

test('objectTypes are sorted names of types that exist', () => {
  expect(parse(objectTypes(), ['town.room', 'town.house', 'town.room'])).toEqual({
    value: ['town.house', 'town.room'],
  });
  expect(parse(objectTypes(), ['town.car', 'house', 5, 'Town.House', ''])).toEqual({
    errors: { 0: ['Object type town.car does not exist.'], 1: [BAD_TYPE], 2: [BAD_TYPE], 3: [BAD_TYPE], 4: [BAD_TYPE] },
  });
  expect(parse(objectTypes({ allowEmpty: false }), [])).toHaveProperty('errors');
  expect(objectTypes()).toMatchObject({
    kind: 'objectTypes',
    lookups: 'objectTypes',
    column: { type: 'varchar(100)[]' },
  });
  expect(objectTypes({ filter: false }).lookups).toBeNull();
});

test('objectType is the name of one', () => {
  expect(parse(objectType(), 'town.house')).toEqual({ value: 'town.house' });
  for (const wrong of ['town.car', '', 5, ['town.house'], { a: 1 }])
    expect(parse(objectType(), wrong)).toEqual({ errors: [BAD_TYPE] });
  expect(parse(objectType({ optional: true }), '')).toEqual({ value: null });
  expect([objectType().print!('town.house'), objectType().print!(null)]).toEqual(['"town.house"', 'null']);
  expect(objectType({ optional: true })).toMatchObject({
    column: { type: 'varchar(100)', nullable: true },
    required: false,
    nullable: true,
    lookups: 'objectType',
  });
  expect(objectType({ filter: false, hidden: true, readOnly: true })).toMatchObject({
    lookups: null,
    hidden: true,
    required: false,
  });
  expect(objectType().metadata()).toEqual({ type: 'field', required: true, read_only: false });
});

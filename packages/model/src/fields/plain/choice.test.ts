import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../types/json.ts';
import type { Field } from '../../types/model.ts';
import { choice, choiceJson, choices } from './choice.ts';

const parse = (field: Field, value: Json) => field.parse!(value, { knowsObjectType: () => false });
const status = choices([
  ['active', 'Active'],
  ['planned', 'Planned'],
]);
const versions = choices([
  [1, 'v1'],
  [2, 'v2'],
]);

test('a choice is written as its value', () => {
  expect(parse(choice(status), 'planned')).toEqual({ value: 'planned' });
  expect(parse(choice(versions, { numeric: true }), 2)).toEqual({ value: 2 });
  expect(parse(choice(versions, { numeric: true }), '2')).toEqual({ value: 2 });
});

test.each<[Json, string]>([
  ['nope', 'nope is not a valid choice.'],
  [5, '5 is not a valid choice.'],
  [true, 'true is not a valid choice.'],
  ['', 'This field may not be blank.'],
  ['Active', 'Active is not a valid choice.'],
  [['active'], 'Value must be passed directly (e.g. "foo": 123); do not use a dictionary or list.'],
  [{ value: 'active' }, 'Value must be passed directly (e.g. "foo": 123); do not use a dictionary or list.'],
])('%j: %s', (given, message) => {
  expect(parse(choice(status), given)).toEqual({ errors: [message] });
});

test('blank means none where there need not be one', () => {
  expect(parse(choice(status, { optional: true }), '')).toEqual({ value: '' });
  expect(parse(choice(versions, { optional: true, numeric: true }), '')).toEqual({ value: null });
  expect(parse(choice(status, { default: 'active' }), '')).toEqual({ errors: ['This field may not be blank.'] });
});

describe('is read', () => {
  test('with its label', () => {
    expect(choice(status).print!('active')).toBe('{"value":"active","label":"Active"}');
    expect(choice(versions, { numeric: true }).print!('2')).toBe('{"value":2,"label":"v2"}');
    expect(choiceJson(versions[0]!)).toBe('{"value":1,"label":"v1"}');
  });
  test('as null when there is none', () => {
    expect(['', null].map((c) => choice(status, { optional: true }).print!(c))).toEqual(['null', 'null']);
  });
  test('as its value when it is plain', () => {
    expect(choice(versions, { numeric: true, plain: true }).print!('1')).toBe('1');
  });
  test('as stored when it is no longer offered', () => {
    expect(choice(status).print!('"old"')).toBe('{"value":"\\"old\\"","label":"\\"old\\""}');
  });
  test('in snapshots as its value', () => {
    expect(choice(status).printSnapshot!('active')).toBe('"active"');
    expect([
      choice(versions, { numeric: true }).printSnapshot!('1'),
      choice(versions, { numeric: true }).printSnapshot!(null),
    ]).toEqual(['1', 'null']);
  });
});

test('tells what was declared', () => {
  expect(choice(status)).toMatchObject({
    column: { type: 'varchar(50)', nullable: false, default: "''", index: false },
    required: true,
    nullable: false,
    default: '',
    lookups: 'choice',
    choices: status,
  });
  expect(choice(status, { default: 'active', index: true })).toMatchObject({
    column: { default: "'active'", index: 'btree' },
    required: false,
    nullable: false,
    default: 'active',
  });
  expect(choice(versions, { numeric: true, default: 2 })).toMatchObject({
    column: { type: 'smallint', default: '2' },
    default: 2,
  });
  expect(choice(versions, { numeric: true, optional: true })).toMatchObject({
    column: { type: 'smallint', nullable: true },
    nullable: true,
    default: null,
  });
  expect(
    choice(
      choices([
        [1, 'slow'],
        [57_600, 'fast'],
      ]),
      { numeric: true },
    ).column!.type,
  ).toBe('integer');
  expect(choice(status, { optional: true, nullable: true, max: 9 })).toMatchObject({
    column: { type: 'varchar(9)', nullable: true },
    default: null,
  });
  expect(choice(status, { filter: false, hidden: true })).toMatchObject({ lookups: null, hidden: true });
});

test('offers its choices in OPTIONS and OpenAPI', () => {
  expect(choice(status).metadata()).toEqual({
    type: 'field',
    required: true,
    read_only: false,
    choices: [
      { value: 'active', display_name: 'Active' },
      { value: 'planned', display_name: 'Planned' },
    ],
  });
  expect(choice(status, { plain: true }).metadata().type).toBe('choice');
  expect(choice(status, { optional: true }).schema.write).toEqual({
    type: ['string', 'null'],
    enum: ['active', 'planned', null],
  });
  expect(choice(status).schema.read).toMatchObject({
    required: ['value', 'label'],
    properties: { value: { enum: ['active', 'planned'] }, label: { enum: ['Active', 'Planned'] } },
  });
  expect(choice(status, { plain: true }).schema.read).toEqual({ type: 'string', enum: ['active', 'planned'] });
});

import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Json } from '../../types/json.ts';
import type { Field } from '../../types/model.ts';
import { json, MAX_JSON_DEPTH, unstorable } from './json.ts';

const parse = (field: Field, value: Json) => field.parse!(value, { knowsObjectType: () => false });
const nested = (depth: number): Json => (depth === 0 ? 1 : [nested(depth - 1)]);

test.each<[Json]>([[1], ['x'], [true], [[1, [2]]], [{ a: { b: null } }], [''], [{}]])(
  '%j is kept as it is',
  (value) => {
    expect(parse(json(), value)).toEqual({ value });
  },
);

test.each<[Json, string]>([
  [{ a: ['x\0'] }, 'Null characters are not allowed.'],
  [{ 'a\0': 1 }, 'Null characters are not allowed.'],
  [['\udfff'], 'Surrogate characters are not allowed.'],
  [nested(MAX_JSON_DEPTH + 1), `Value must not be nested deeper than ${MAX_JSON_DEPTH} levels.`],
])('what PostgreSQL cannot hold is refused: %#', (value, message) => {
  expect(parse(json(), value)).toEqual({ errors: [message] });
});

test('as deep as it may be is kept', () => {
  expect(unstorable(nested(MAX_JSON_DEPTH))).toBeUndefined();
});

test('a check of its own has the last word', () => {
  const list = json({ check: (value) => (Array.isArray(value) ? [] : ['Give a list.', 'Really.']) });
  expect(parse(list, {})).toEqual({ errors: ['Give a list.', 'Really.'] });
  expect(parse(list, [1])).toEqual({ value: [1] });
});

test('is printed as PostgreSQL wrote it', () => {
  expect(json().print!(null)).toBe('null');
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(json().print!(JSON.stringify(value)))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('tells what was declared', () => {
  expect(json()).toMatchObject({
    column: { type: 'jsonb', nullable: true },
    required: true,
    nullable: true,
    default: null,
    lookups: null,
  });
  expect(json({ default: { a: "it's" }, notNull: true })).toMatchObject({
    column: { nullable: false, default: `'{"a":"it''s"}'` },
    required: false,
    nullable: false,
    default: { a: "it's" },
  });
  expect(json({ optional: true, hidden: true, readOnly: true })).toMatchObject({ required: false, hidden: true });
  expect(json({ optional: true }).metadata()).toEqual({ type: 'field', required: false, read_only: false });
});

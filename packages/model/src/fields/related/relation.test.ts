import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../types/json.ts';
import type { Field } from '../../types/model.ts';
import { count, countBelow, counter, generic, ref, referenceOf, referrers, refs, tags } from './relation.ts';

const parse = (field: Field, value: Json) => field.parse!(value, { knowsObjectType: () => false });
const unknown = (shown: string) =>
  `Related objects must be referenced by numeric ID or by dictionary of attributes. Received an unrecognized value: ${shown}`;

describe('a reference', () => {
  test.each<[Json, unknown]>([
    [5, { id: 5 }],
    ['5', { id: 5 }],
    [' 5 ', { id: 5 }],
    [-1, { id: -1 }],
    [{ slug: 'x' }, { attributes: { slug: 'x' } }],
    [{ id: 5 }, { id: 5, written: { id: 5 } }],
    [{ id: '5' }, { id: 5, written: { id: '5' } }],
    [{ id: 5, slug: 'x' }, { attributes: { id: 5, slug: 'x' } }],
    [{ id: 'x' }, { attributes: { id: 'x' } }],
    [{}, { attributes: {} }],
  ])('%j', (given, reference) => {
    expect(referenceOf(given)).toEqual(reference);
    expect(parse(ref('town.house'), given)).toEqual({ reference });
  });
  test.each<[Json, string]>([
    ['abc', 'abc'],
    ['', ''],
    [1.5, '1.5'],
    [true, 'true'],
    [[1], '[1]'],
    [null, 'null'],
    ['1'.repeat(19), '1'.repeat(19)],
    [1e300, '1e+300'],
  ])('%j is none', (given, shown) => {
    expect(parse(ref('town.house'), given)).toEqual({ errors: [unknown(shown)] });
  });
});

describe('references', () => {
  test('are a list of them', () => {
    expect(parse(refs('town.house'), [1, { slug: 'a' }, '2'])).toEqual({
      references: [{ id: 1 }, { attributes: { slug: 'a' } }, { id: 2 }],
    });
  });
  test('name all that are wrong', () => {
    expect(parse(refs('town.house'), [1, 'a', ['b']])).toEqual({ errors: [unknown('a'), unknown('["b"]')] });
  });
  test.each<[Json, string]>([
    [1, 'int'],
    [{ slug: 'a' }, 'dict'],
    ['a', 'str'],
    [true, 'bool'],
  ])('%j is no list', (given, type) => {
    expect(parse(refs('town.house'), given)).toEqual({ errors: [`Expected a list of items but got type "${type}".`] });
  });
});

test('fields tell what was declared', () => {
  expect(ref('town.house')).toMatchObject({
    column: { type: 'bigint', nullable: false, suffix: '_id', index: 'btree' },
    required: true,
    nullable: false,
    relation: { to: 'town.house', many: false, onDelete: 'protect', form: 'brief' },
    lookups: null,
  });
  expect(
    ref('town.house', { optional: true, onDelete: 'setNull', form: 'nested', column: 'home', unique: true }),
  ).toMatchObject({
    column: { nullable: true, name: 'home', unique: true },
    required: false,
    nullable: true,
    relation: { onDelete: 'setNull', form: 'nested' },
  });
  expect(ref('town.house', { optional: true, mustBeGiven: true }).required).toBe(true);
  expect(refs('town.house')).toMatchObject({
    column: { type: 'bigint[]', nullable: false, default: "'{}'", index: 'gin' },
    required: false,
    default: [],
    relation: { many: true, onDelete: 'setNull' },
  });
  expect(refs('town.house', { mustBeGiven: true }).required).toBe(true);
  expect(tags()).toMatchObject({
    kind: 'tags',
    special: 'tags',
    relation: { to: 'extras.tag', many: true, form: 'nested' },
  });
  expect(ref('town.house', { readOnly: true, hidden: true })).toMatchObject({ required: false, hidden: true });
  expect([ref('town.house').metadata(), refs('town.house').metadata()]).toEqual([
    { type: 'nested object', required: true, read_only: false },
    { type: 'field', required: false, read_only: false },
  ]);
  expect(ref('town.house', { optional: true }).schema.write).toEqual({
    anyOf: [{ type: 'integer' }, { type: 'object' }, { type: 'null' }],
  });
});

test('counts and lists of what points here are only read', () => {
  expect(count('town.room', 'house')).toMatchObject({
    kind: 'count',
    readOnly: true,
    reverse: { from: 'town.room', field: 'house', as: 'count', cumulative: false },
  });
  expect(count('town.room', 'house')).not.toHaveProperty('parse');
  expect(countBelow('town.house', 'district')).toMatchObject({ reverse: { cumulative: true } });
  expect([
    count('a.b', 'c').metadata().type,
    countBelow('a.b', 'c').metadata().type,
    referrers('a.b', 'c').metadata().type,
  ]).toEqual(['field', 'integer', 'field']);
  expect(referrers('town.room', 'house', { form: 'nested' })).toMatchObject({
    readOnly: true,
    reverse: { as: 'list', form: 'nested' },
    schema: { read: { type: 'array' } },
  });
});

test('a counter is filtered by, and shown inside other objects too', () => {
  expect(counter('town.room', 'house')).toMatchObject({
    readOnly: true,
    lookups: 'number',
    reverse: { as: 'count', cumulative: false, inside: true },
  });
  expect(counter('town.room', 'house').metadata()).toEqual({ type: 'integer', required: false, read_only: true });
});

test('the other end of a relation can be written where it is declared so', () => {
  const field = referrers('town.room', 'house', { writable: true });
  expect(field).toMatchObject({ readOnly: false, reverse: { as: 'list' } });
  expect(parse(field, [1])).toEqual({ references: [{ id: 1 }] });
  expect(field.metadata().read_only).toBe(false);
});

test('a generic relation is read from two other fields', () => {
  expect(generic('kind', 'number')).toMatchObject({
    readOnly: true,
    nullable: true,
    generic: { typeField: 'kind', idField: 'number', form: 'brief' },
  });
  expect(generic('kind', 'number').metadata()).toEqual({ type: 'field', required: false, read_only: true });
});

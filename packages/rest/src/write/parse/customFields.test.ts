import { describe, expect, test } from '@jest/globals';
import type { Dict } from '@cadastre/model';
import {
  type CustomField,
  type CustomFieldSurroundings,
  printCustomFields,
  relatedInCustomFields,
} from '../../cache/customFieldDefinitions.ts';
import { house } from '../../testing/town.ts';
import { mergeCustomFields } from './customFields.ts';
import { parseItem } from './parse.ts';

const field = (name: string, type = 'text', more: Partial<CustomField> = {}): CustomField => ({
  name,
  label: '',
  type,
  relatedType: null,
  required: false,
  unique: false,
  default: null,
  filterLogic: 'loose',
  searched: true,
  minimum: null,
  maximum: null,
  regex: '',
  schema: null,
  choiceSet: null,
  ...more,
});

function merge(fields: CustomField[], given: Dict | undefined, before: Dict | null = null) {
  const item = parseItem(house, given ? { custom_fields: given } : {}, 0, 'patch', { knowsObjectType: () => true });
  return { merged: mergeCustomFields(fields, item, before), errors: item.errors };
}

const fields = [
  field('code'),
  field('floors', 'integer', { default: 3, minimum: 0, maximum: 99 }),
  field('tier', 'select', { choiceSet: { name: 'Tiers', values: new Set(['gold']) } }),
];

describe('a new object', () => {
  test('has every field, with its default', () => {
    expect(merge(fields, undefined).merged).toEqual({ code: null, floors: 3, tier: null });
    expect(merge(fields, { code: 'x', floors: null }).merged).toEqual({ code: 'x', floors: null, tier: null });
  });
  test('needs what is required, unless a default is there', () => {
    expect(
      merge(
        [
          field('a', 'text', { required: true }),
          field('b', 'text', { required: true, default: 'x' }),
          field('c', 'text', { required: true }),
        ],
        { c: '' },
      ),
    ).toEqual({
      merged: undefined,
      errors: { __all__: ["Missing required custom field 'a'.", "Missing required custom field 'c'."] },
    });
  });
});

describe('a change', () => {
  test('keeps what was there', () => {
    expect(merge(fields, { code: 'y' }, { code: 'x', floors: 5, tier: 'gold' }).merged).toEqual({
      code: 'y',
      floors: 5,
      tier: 'gold',
    });
    expect(merge(fields, undefined, { code: 'x' }).merged).toEqual({ code: 'x', floors: null, tier: null });
  });
  test('does not ask again whether what stays is right, unless it is required', () => {
    expect(merge(fields, { code: 'y' }, { floors: 1000 }).errors).toEqual({});
    expect(merge([field('a', 'text', { required: true })], undefined, { a: null }).errors).toEqual({
      __all__: ["Missing required custom field 'a'."],
    });
  });
});

test('unknown fields are named before anything else is looked at', () => {
  expect(merge(fields, { nope: 1, floors: 'x', toString: 2 } as Dict).errors).toEqual({
    custom_fields: {
      nope: "Custom field 'nope' does not exist for this object type.",
      toString: "Custom field 'toString' does not exist for this object type.",
    },
  });
});

test('all wrong values are said at once', () => {
  expect(merge(fields, { tier: 'bronze', floors: 1000, code: 5 }).errors).toEqual({
    __all__: [
      "Invalid value for custom field 'code': Value must be a string.",
      "Invalid value for custom field 'floors': Value must not exceed 99.0000",
      "Invalid value for custom field 'tier': Invalid choice (bronze) for choice set Tiers.",
    ],
  });
});

test('values are stored in their own form', () => {
  const typed = [
    field('n', 'integer'),
    field('d', 'decimal'),
    field('b', 'boolean'),
    field('o', 'object'),
    field('m', 'multiobject'),
    field('j', 'json', { schema: { type: 'object', required: ['a'] } }),
  ];
  expect(
    merge(typed, { n: '5', d: '1.50', b: 'yes', o: { id: 7, name: 'x' }, m: [{ id: 1 }, 2], j: { a: 1 } }).merged,
  ).toEqual({ n: 5, d: 1.5, b: true, o: 7, m: [1, 2], j: { a: 1 } });
  expect(
    merge(typed, { n: '5x', d: 'x', b: 'maybe', o: { name: 'x' }, m: [{}], j: { b: 1 } }).errors['__all__'],
  ).toEqual([
    "Invalid value for custom field 'n': Value must be an integer.",
    "Invalid value for custom field 'd': Value must be a decimal.",
    "Invalid value for custom field 'b': Value must be true or false.",
    "Invalid value for custom field 'o': Value must be an object ID, not dict",
    expect.stringContaining("'m': Found invalid object ID"),
    "Invalid value for custom field 'j': Value does not conform to the assigned schema: 'a' is a required property",
  ]);
});

const around: CustomFieldSurroundings = {
  brief: (type, id) => (id === '404' ? 'null' : `"${type} ${id}"`),
  inOrder: (_type, ids) => ids.toSorted(),
};

test('a field may be called constructor', () => {
  const odd = [field('constructor'), field('code')];
  expect(merge(odd, { code: 'x' }).merged).toEqual({ constructor: null, code: 'x' });
  expect(JSON.parse(printCustomFields(odd, '{"code":"x"}', around))).toEqual({ constructor: null, code: 'x' });
});

describe('what is read', () => {
  const related = [
    field('boss', 'object', { relatedType: 'people.person' }),
    field('team', 'multiobject', { relatedType: 'people.person' }),
    field('code'),
  ];
  test('has a member for every field of the type, and no other', () => {
    expect(
      JSON.parse(printCustomFields(related, '{"boss":1,"team":[3,404,2],"code":"x\\"y","gone":1}', around)),
    ).toEqual({ boss: 'people.person 1', team: ['people.person 2', 'people.person 3'], code: 'x"y' });
    expect(JSON.parse(printCustomFields(related, null, around))).toEqual({ boss: null, team: null, code: null });
    expect(printCustomFields([], '{"a":1}', around)).toBe('{}');
  });
  test('tells which objects have to be looked up', () => {
    expect(relatedInCustomFields(related, '{"boss":1,"team":[2,3],"code":"x"}')).toEqual([
      ['people.person', ['1']],
      ['people.person', ['2', '3']],
    ]);
    expect(relatedInCustomFields([field('code')], 'not even JSON')).toEqual([]);
    expect(relatedInCustomFields(related, '{"boss":null}')).toEqual([]);
  });
});

import { type Errors, type Json, type Model, type RuleContext, typeId, type Values } from '@cadastre/model';
import { describe, expect, test } from '@jest/globals';
import { baseChoices } from './customizing/baseChoices.ts';
import { customField } from './customizing/customField.ts';
import { customFieldChoiceSet } from './customizing/customFieldChoiceSet.ts';
import { objectChange } from './objectChange.ts';
import { tag } from './tag.ts';

const context = (o: Partial<RuleContext> = {}): RuleContext => ({
  before: null,
  given: {},
  related: async () => null,
  isBelow: async () => false,
  requester: { userId: 1 },
  among: [],
  found: async () => [],
  displayOf: async () => '',
  held: async () => null,
  current: async () => null,
  labelOf: () => undefined,
  featuresOf: () => undefined,
  service: () => {
    throw new Error('none');
  },
  ...o,
});

async function errorsOf(model: Model, object: Values, given: Partial<RuleContext> = {}): Promise<Errors> {
  return Object.assign({}, ...(await Promise.all(model.rules.map((rule) => rule(object, context(given))))));
}

const aField = (o: Record<string, Json> = {}): Values => ({
  name: 'floors',
  type: 'integer',
  object_types: ['dcim.site'],
  default: null,
  validation_regex: '',
  ...o,
});
const tiers = { related: async () => ({ name: 'Tiers', base_choices: null, extra_choices: [['gold', 'Gold']] }) };

describe('a custom field', () => {
  test.each<[string, Record<string, Json>, Errors]>([
    [
      'with a double underscore',
      { name: 'a__b' },
      { name: ['Double underscores are not permitted in custom field names.'] },
    ],
    [
      'of selection without choices',
      { type: 'select' },
      { choice_set: ['Selection fields must specify a set of choices.'] },
    ],
    [
      'of text with choices',
      { type: 'text', choice_set: 1 },
      { choice_set: ['Choices may be set only on selection fields.'] },
    ],
    [
      'of object without a type',
      { type: 'object' },
      { related_object_type: ['Object fields must define an object type.'] },
    ],
    [
      'of text with an object type',
      { type: 'text', related_object_type: 'dcim.site' },
      { related_object_type: ['text fields may not define an object type.'] },
    ],
    [
      'of text with a limit',
      { type: 'text', validation_minimum: '1' },
      { validation_minimum: ['A minimum value may be set only for numeric fields'] },
    ],
    [
      'of integer with a pattern',
      { validation_regex: '^a' },
      { validation_regex: ['Regular expression validation is supported only for text and URL fields'] },
    ],
    [
      'with a pattern that is none',
      { type: 'text', validation_regex: '[' },
      { validation_regex: ['[ is not a valid regular expression.'] },
    ],
    [
      'of boolean that is unique',
      { type: 'boolean', unique: true },
      { unique: ['Uniqueness cannot be enforced for boolean fields'] },
    ],
    [
      'with a default of another type',
      { default: 'x' },
      { default: ['Invalid default value "x": Value must be an integer.'] },
    ],
    [
      'with a default above the limit',
      { default: 100, validation_maximum: '99.0000' },
      { default: ['Invalid default value "100": Value must not exceed 99.0000'] },
    ],
    [
      'with a JSON schema that is none',
      { type: 'json', validation_schema: { type: 'nothing' } },
      { validation_schema: [expect.stringMatching(/^Invalid JSON schema definition/)] },
    ],
  ])('%s is refused', async (_, o, errors) => {
    expect(await errorsOf(customField, aField(o))).toEqual(errors);
  });

  test.each<[string, Record<string, Json>]>([
    ['integer with limits and a default between', { default: 1, validation_minimum: '0', validation_maximum: '99' }],
    ['selection whose default is one of the choices', { type: 'select', choice_set: 1, default: 'gold' }],
    ['text with a pattern that the default matches', { type: 'text', validation_regex: '^CC', default: 'CC1' }],
    ['object', { type: 'object', related_object_type: 'dcim.site', related_object_filter: { status: 'active' } }],
    ['json with a schema', { type: 'json', validation_schema: { type: 'object' } }],
  ])('%s is accepted', async (_, o) => {
    expect(await errorsOf(customField, aField(o), tiers)).toEqual({});
  });

  test('keeps its type', async () => {
    expect(await errorsOf(customField, aField(), { before: aField({ type: 'text' }) })).toEqual({
      type: ['Changing the type of custom fields is not supported.'],
    });
  });

  test('is called by its label, or by its name in words', () => {
    expect(customField.display.text(['', 'cost_center'])).toBe('Cost center');
    expect(customField.display.text(['Cost centre', 'cost_center'])).toBe('Cost centre');
  });

  test('says the JSON type of its values', () => {
    const { print } = customField.fields['data_type']!.computed!;
    expect(['text', 'integer', 'multiselect', 'object', 'date'].map((type) => print([type]))).toEqual([
      '"string"',
      '"integer"',
      '"array"',
      '"object"',
      '"string"',
    ]);
  });
});

describe('a choice set', () => {
  const parse = (value: Json) =>
    customFieldChoiceSet.fields['extra_choices']!.parse!(value, { knowsObjectType: () => true });

  test('holds pairs', () => {
    expect(
      parse([
        ['gold', 'Gold'],
        [1, 'One'],
      ]),
    ).toEqual({
      value: [
        ['gold', 'Gold'],
        ['1', 'One'],
      ],
    });
    expect(parse([['gold', 'Gold'], ['x']])).toEqual({ errors: { 1: ['Ensure this field has at least 2 elements.'] } });
    expect(parse(['gold'])).toEqual({ errors: { 0: ['Expected a list of items but got type "str".'] } });
  });

  test('must not be empty, name a value twice, or colour what it does not offer', async () => {
    expect(await errorsOf(customFieldChoiceSet, { extra_choices: [] })).toEqual({
      __all__: ['Must define base or extra choices.'],
    });
    expect(
      await errorsOf(customFieldChoiceSet, {
        extra_choices: [
          ['a', 'A'],
          ['a', 'B'],
        ],
      }),
    ).toEqual({ __all__: ["Duplicate value 'a' found in extra choices."] });
    expect(
      await errorsOf(customFieldChoiceSet, {
        extra_choices: [['a', 'A']],
        choice_colors: { c: 'red', a: 'red', b: 'red' },
      }),
    ).toEqual({
      choice_colors: ['Color mappings must reference an existing choice value. Invalid value(s): b, c.'],
    });
  });

  test('may start from the countries', () => {
    expect(baseChoices('ISO_3166')).toHaveLength(249);
    expect(baseChoices('ISO_3166')).toContainEqual(['DE', 'Germany']);
    expect(customFieldChoiceSet.fields['choices_count']!.computed!.print(['ISO_3166', '[["a","A"]]'])).toBe('250');
  });
});

test('tags for a type are those for that type and those for any', () => {
  const filter = tag.filters['for_object_type_id']!;
  const bound: unknown[] = [];
  const bind = (value: unknown) => {
    bound.push(value);
    return `$${bound.length}`;
  };
  const sql =
    filter.kind === 'method' &&
    filter.sql(
      {
        table: 't',
        bind,
        tableOf: (type) => type,
        has: () => true,
        typeId,
        typeById: (id) => (id === typeId('dcim.site') ? 'dcim.site' : undefined),
        requester: 1,
      },
      [String(typeId('dcim.site'))],
    );
  expect(sql).toContain('t.object_types && $1');
  expect(bound).toEqual([['dcim.site']]);
});

test('a change record tells what was done by whom', () => {
  expect(objectChange.display.text(['IPAM | ASN', 'AS64512', 'create', 'admin'])).toBe(
    'IPAM | ASN AS64512 created by admin',
  );
});

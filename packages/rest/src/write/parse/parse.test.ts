import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { integer, type Json, keeps, model, ref, resets, text } from '@cadastre/model';
import { house, note, room } from '../../testing/town.ts';
import { parseItem } from './parse.ts';
import { hasErrors, type Item, type Mode } from '../context/item.ts';
import { ImportRun } from '../context/importRun.ts';
import { mergeTags } from './tags.ts';

const context = { knowsObjectType: (name: string) => name.startsWith('town.') };
const parse = (body: Json, mode: Mode = 'create', model = house) => parseItem(model, body, 0, mode, context);
const REQUIRED = ['This field is required.'];
const NULL = ['This field may not be null.'];

test('says everything that is wrong at once', () => {
  expect(
    parse({
      slug: 'bad slug!',
      status: 'nope',
      height: 99_999,
      floors: 'x',
      listed: null,
      tags: 5,
      custom_fields: 5,
      district: 'abc',
      kinds: ['x'],
      changelog_message: 5,
      add_tags: undefined as never,
    }).errors,
  ).toEqual({
    name: REQUIRED,
    slug: ['Enter a valid "slug" consisting of letters, numbers, underscores or hyphens.'],
    status: ['nope is not a valid choice.'],
    height: ['Ensure that there are no more than 4 digits before the decimal point.'],
    floors: ['A valid integer is required.'],
    listed: NULL,
    tags: ['Expected a list of items but got type "int".'],
    custom_fields: ['Invalid data. Expected a dictionary.'],
    district: [
      'Related objects must be referenced by numeric ID or by dictionary of attributes. Received an unrecognized value: abc',
    ],
    kinds: { 0: ["Invalid value. Specify a content type as '<app_label>.<model_name>'."] },
    changelog_message: ['Not a valid string.'],
  });
});

test.each<[Json, string]>([
  ['x', 'str'],
  [5, 'int'],
  [1.5, 'float'],
  [true, 'bool'],
  [[], 'list'],
  [null, 'NoneType'],
])('%j is no object', (body, type) => {
  expect(parse(body).errors).toEqual({ non_field_errors: [`Invalid data. Expected a dictionary, but got ${type}.`] });
});

describe('values', () => {
  test('that were not given are filled in when an object is created, and only then', () => {
    expect(parse({ name: 'A', slug: 'a' }).values).toMatchObject({
      name: 'A',
      status: 'active',
      grade: null,
      use: '',
      floors: null,
      listed: false,
      ports: [],
      comments: '',
      tags: [],
      custom_fields: {},
      keeper: null,
      guests: [],
    });
    expect(parse({ name: 'A' }, 'patch').values).toEqual({ name: 'A' });
    expect(parse({ name: 'A', slug: 'a' }, 'replace').values).toEqual({ name: 'A', slug: 'a' });
  });
  test('that a replacement leaves out are kept, those of a unique set and those that say so are reset', () => {
    const part = model('town.part', {
      path: 'parts',
      label: 'part',
      brief: [],
      fields: {
        name: text({ max: 9 }),
        house: ref('town.house', { optional: true }),
        spot: integer({ optional: true }),
        kept: keeps(integer({ optional: true })),
        size: resets(integer({ default: 3 })),
        note: text({ optional: true }),
      },
      unique: [{ fields: ['house', 'spot', 'kept'] }, { fields: ['note'] }],
    });
    expect(part.resets).toEqual(['house', 'spot', 'size']);
    expect(parse({ name: 'A' }, 'replace', part)).toMatchObject({
      errors: {},
      values: { name: 'A', house: null, spot: null, size: 3 },
    });
    expect(Object.keys(parse({ name: 'A' }, 'replace', part).values)).not.toContain('note');
    expect(parse({ name: 'A' }, 'patch', part).values).toEqual({ name: 'A' });
    const given = parse({ name: 'A', house: 5, spot: 1, size: 2 }, 'replace', part);
    expect([given.values, [...given.references.keys()]]).toEqual([{ name: 'A', spot: 1, size: 2 }, ['house']]);
  });
  test('that must be given must be given by a replacement too, not by a change', () => {
    expect([parse({}).errors, parse({}, 'replace').errors, parse({}, 'patch').errors]).toEqual([
      { name: REQUIRED, slug: REQUIRED },
      { name: REQUIRED, slug: REQUIRED },
      {},
    ]);
  });
  test('may be null where there may be none', () => {
    expect(parse({ floors: null, use: null, grade: null, keeper: null, notes: null }, 'patch')).toMatchObject({
      errors: {},
      values: { floors: null, use: '', grade: null, keeper: null, notes: null },
    });
    expect(parse({ name: null, tags: null, status: null, comments: null }, 'patch').errors).toEqual({
      name: NULL,
      tags: NULL,
      status: NULL,
      comments: NULL,
    });
    expect(parse({ house: null }, 'patch', room).errors).toEqual({ house: NULL });
  });
  test('nobody asked for are left alone', () => {
    expect(
      parse(
        {
          id: 5,
          created: 'x',
          room_count: 9,
          rooms: [1],
          stranger: 7,
          bogus: 1,
          display: 'x',
          __proto__x: 1,
          constructor: 1,
          about: { a: 1 },
        },
        'patch',
      ),
    ).toMatchObject({ errors: {}, values: {} });
    expect(Object.keys(parse({ stranger: 7, created: '2026-01-01' }, 'patch').values)).toEqual([]);
  });
  test('called like what every object inherits are no values', () => {
    expect(parse(JSON.parse('{"__proto__":{"name":"A","slug":"a"}}') as Json).errors).toEqual({
      name: REQUIRED,
      slug: REQUIRED,
    });
  });
});

test('references are left to be resolved', () => {
  const item = parse({ keeper: { slug: 'ann' }, guests: [1, { name: 'Bob' }], tags: [{ slug: 'alpha' }] }, 'patch');
  expect([...item.references]).toEqual([
    ['keeper', [{ attributes: { slug: 'ann' } }]],
    ['guests', [{ id: 1 }, { attributes: { name: 'Bob' } }]],
    ['tags', [{ attributes: { slug: 'alpha' } }]],
  ]);
  expect(item.values).toEqual({});
});

describe('tags', () => {
  test('are either replaced or added to', () => {
    const merged = (item: Item) => {
      mergeTags(item, {});
      return item.errors;
    };
    const both = { tags: [{ slug: 'alpha' }], add_tags: [{ slug: 'bravo' }] };
    expect(merged(parse(both, 'patch'))).toEqual({
      tags: ['Cannot specify "tags" together with "add_tags" or "remove_tags".'],
    });
    expect(merged(parse({ tags: [], remove_tags: [] }, 'patch'))).toHaveProperty('tags');
    // Tags that are wrong by themselves are spoken of first.
    expect(merged({ ...parse(both, 'patch'), errors: { tags: ['not found'] } })).toEqual({ tags: ['not found'] });
  });
  test('of a new object cannot be removed', () => {
    expect(parse({ name: 'A', slug: 'a', remove_tags: [{ slug: 'bravo' }] }).errors).toEqual({
      remove_tags: ['Cannot use "remove_tags" when creating a new object.'],
    });
  });
  test('are added and removed by id or attributes', () => {
    expect(parse({ add_tags: [1, { name: 'A' }], remove_tags: [2] }, 'patch')).toMatchObject({
      errors: {},
      addTags: [{ id: 1 }, { attributes: { name: 'A' } }],
      removeTags: [{ id: 2 }],
    });
    expect(parse({ add_tags: [1] }).addTags).toEqual([{ id: 1 }]);
  });
  test('that are none are named', () => {
    const unknown = (shown: string) =>
      `Related objects must be referenced by numeric ID or by dictionary of attributes. Received an unrecognized value: ${shown}`;
    expect(parse({ add_tags: ['alpha', 1.5], remove_tags: 'x' }, 'patch').errors).toEqual({
      add_tags: [unknown('alpha'), unknown('1.5')],
      remove_tags: ['Expected a list of items but got type "str".'],
    });
    expect(parse({ tags: ['alpha'] }, 'patch').errors).toEqual({ tags: [unknown('alpha')] });
  });
  test('mean nothing to objects without tags', () => {
    expect(parse({ text: 'x', add_tags: 5 }, 'create', note).errors).toEqual({});
  });
});

describe('changelog_message', () => {
  test.each<[Json, unknown]>([
    ['x'.repeat(201), ['Ensure this field has no more than 200 characters.']],
    [5, ['Not a valid string.']],
    [['x'], ['Not a valid string.']],
    ['a\0', ['Null characters are not allowed.']],
    ['\ud800', ['Surrogate characters are not allowed.']],
  ])('%# is refused', (given, errors) => {
    expect(parse({ changelog_message: given }, 'patch').errors).toEqual({ changelog_message: errors });
  });
  test('is kept for the record', () => {
    expect([
      parse({ changelog_message: ' moved ' }, 'patch').readMessage,
      parse({ changelog_message: '😀'.repeat(200) }, 'patch').readMessage.length,
      parse({ changelog_message: null }, 'patch').readMessage,
    ]).toEqual(['moved', 400, '']);
  });
});

test('custom field values are set aside, as long as they can be stored', () => {
  expect(parse({ custom_fields: { a: 1 } }, 'patch')).toMatchObject({ errors: {}, customFields: { a: 1 } });
  expect(parse({ custom_fields: { a: ['\0'] } }, 'patch').errors).toEqual({
    custom_fields: ['Null characters are not allowed.'],
  });
  expect(parse({ custom_fields: null }, 'patch')).toMatchObject({ errors: {}, customFields: undefined });
});

test('nothing is thrown, whatever the client sends for whatever field', () => {
  const names = fc.constantFrom(
    ...Object.keys(house.fields),
    'add_tags',
    'remove_tags',
    'changelog_message',
    'id',
    '__proto__',
  );
  fc.assert(
    fc.property(
      fc.oneof(fc.dictionary(names, fc.jsonValue()), fc.jsonValue()),
      fc.constantFrom<Mode>('create', 'replace', 'patch'),
      (body, mode) => {
        const item = parse(JSON.parse(JSON.stringify(body)) as Json, mode);
        expect(hasErrors(item)).toBe(Object.keys(item.errors).length > 0);
        for (const value of Object.values(item.values)) expect(value).not.toBeUndefined();
        expect(() => JSON.stringify(item.errors)).not.toThrow();
      },
    ),
    { numRuns: 300 },
  );
});

test('an import may come without what nobody is shown', () => {
  const person = model('town.person', {
    path: 'persons',
    label: 'person',
    brief: [],
    fields: { name: text({ max: 9 }), password: text({ max: 9, writeOnly: true }) },
  });
  const read = (importing?: ImportRun) => parseItem(person, {}, 0, 'create', context, importing).errors;
  expect(read()).toEqual({ name: REQUIRED, password: REQUIRED });
  expect(read(new ImportRun(false))).toEqual({ name: REQUIRED });
});

import { describe, expect, test } from '@jest/globals';
import {
  arrayItems,
  Catalogue,
  computed,
  firstOf,
  generic,
  integer,
  model,
  type Model,
  objectType,
  onceShown,
  ref,
  refs,
  text,
} from '@cadastre/model';
import { catalogue, district, house, note, room } from '../testing/town.ts';
import { compileForm, compileMembers, type Related } from './writer.ts';

const related: Related = {
  base: 'http://h',
  sortedIds: (_type, list) => arrayItems(list ?? '{}').toSorted(),
  brief: (type, form, id) => (id === '404' ? 'null' : `{"${form}":"${type} ${id}"}`),
  reverse: (key, id) => `"${key} of ${id}"`,
  batched: (key, _batch, id) => `${key} ${id}`,
  display: (key, id) => `${key} ${id}`,
  isHidden: (_type, id) => id === '403',
  customFields: (type, cell) => `{"${type}":${JSON.stringify(cell)}}`,
};
/** The JSON of a row that is given by column name. */
function printed(of: Model, names: string[], row: Record<string, string | null>, all = catalogue): unknown {
  const writer = compileMembers(all, of, names);
  return JSON.parse(
    writer.print(
      writer.columns.map((c) => row[c] ?? null),
      related,
    ),
  );
}

describe('members', () => {
  test('of the head are made of the id, the path and the display columns', () => {
    expect(printed(house, ['id', 'url', 'display_url', 'display'], { id: '5', name: 'A"B', slug: 'ab' })).toEqual({
      id: 5,
      url: 'http://h/api/town/houses/5/',
      display_url: 'http://h/town/houses/5/',
      display: 'A"B [ab]',
    });
    expect(printed({ ...house, displayPath: 'map/homes' }, ['display_url'], { id: '5' })).toEqual({
      display_url: 'http://h/map/homes/5/',
    });
    expect(
      printed({ ...room, display: { columns: ['id'], text: ([id]) => `#${id}` } }, ['display'], { id: '5' }),
    ).toEqual({ display: '#5' });
  });
  test('are printed by their field types', () => {
    expect(
      printed(house, ['name', 'status', 'grade', 'floors', 'height', 'listed', 'notes', 'ports'], {
        id: '5',
        name: 'A',
        status: 'active',
        floors: null,
        height: '1.50',
        listed: 't',
        notes: '{"a": 1}',
        ports: '{80}',
      }),
    ).toEqual({
      name: 'A',
      status: { value: 'active', label: 'Active' },
      grade: null,
      floors: null,
      height: 1.5,
      listed: true,
      notes: { a: 1 },
      ports: [80],
    });
  });
  test('none at all make an empty object', () => {
    expect(printed(house, [], { id: '5' })).toEqual({});
  });
  test('select a column once, the id first', () => {
    expect(compileMembers(catalogue, house, ['display', 'name', 'url', 'slug', 'keeper']).columns).toEqual([
      'id',
      'name',
      'slug',
      'keeper_id',
    ]);
  });
});

describe('relations', () => {
  test('show one object in its form, or null', () => {
    expect(printed(house, ['keeper'], { id: '5', keeper_id: '7' })).toEqual({ keeper: { brief: 'people.person 7' } });
    expect(printed(district, ['parent'], { id: '5', parent_id: '7' })).toEqual({
      parent: { nested: 'town.district 7' },
    });
    expect(printed(house, ['keeper'], { id: '5' })).toEqual({ keeper: null });
  });
  test('show many, without those that are gone', () => {
    expect(printed(house, ['guests'], { id: '5', guests: '{1,404,2}' })).toEqual({
      guests: [{ brief: 'people.person 1' }, { brief: 'people.person 2' }],
    });
    expect([printed(house, ['guests'], { id: '5', guests: '{}' }), printed(house, ['guests'], { id: '5' })]).toEqual([
      { guests: [] },
      { guests: [] },
    ]);
    expect(printed(house, ['tags'], { id: '5', tags: '{1}' })).toEqual({ tags: [{ nested: 'extras.tag 1' }] });
  });
  test('show the first of several that is set', () => {
    const line = model('a.line', {
      path: 'x',
      label: 'x',
      ordering: [],
      brief: [],
      fields: {
        new: ref('a.line', { optional: true }),
        old: ref('a.line', { optional: true }),
        best: firstOf('new', 'old'),
      },
    });
    const all = new Catalogue([{ service: 'a', models: [line] }]);
    expect(
      ([{ new_id: '2', old_id: '3' }, { old_id: '3' }, {}] as Record<string, string>[]).map((row) =>
        printed(line, ['best'], { id: '1', ...row }, all),
      ),
    ).toEqual([{ best: { brief: 'a.line 2' } }, { best: { brief: 'a.line 3' } }, { best: null }]);
  });
  test('show ids where that is their form, and need nothing for it', () => {
    const plain = model('a.b', {
      path: 'x',
      label: 'x',
      ordering: [],
      brief: [],
      fields: { one: ref('a.b', { form: 'id' }), many: refs('a.b', { form: 'id' }) },
    });
    const all = new Catalogue([{ service: 'a', models: [plain] }]);
    expect(printed(plain, ['one', 'many'], { id: '1', one_id: '2', many: '{3,4}' }, all)).toEqual({
      one: 2,
      many: [3, 4],
    });
    expect(printed(plain, ['one', 'many'], { id: '1' }, all)).toEqual({ one: null, many: [] });
    expect(compileMembers(all, plain, ['one', 'many']).needs).toEqual([]);
  });
  test('to anything need both their columns', () => {
    expect(printed(note, ['about'], { id: '1', about_type: 'town.house', about_id: '5' })).toEqual({
      about: { brief: 'town.house 5' },
    });
    expect([
      printed(note, ['about'], { id: '1', about_id: '5' }),
      printed(note, ['about'], { id: '1', about_type: 'town.house' }),
    ]).toEqual([{ about: null }, { about: null }]);
  });
});

test('what is counted, listed or defined elsewhere is asked for', () => {
  expect(printed(house, ['room_count', 'rooms', 'custom_fields'], { id: '5', custom_fields: '{}' })).toEqual({
    room_count: 'town.house.room_count of 5',
    rooms: 'town.house.rooms of 5',
    custom_fields: { 'town.house': '{}' },
  });
  expect(printed(district, ['_depth'], { id: '5', _path: '{1,5}' })).toEqual({ _depth: 1 });
});

test('needs say what has to be looked up, and in which cell its id stands', () => {
  const { needs, columns } = compileMembers(catalogue, house, [
    'keeper',
    'guests',
    'room_count',
    'custom_fields',
    'name',
    'status',
  ]);
  expect(columns).toEqual(['id', 'keeper_id', 'guests', 'custom_fields', 'name', 'status']);
  expect(needs).toMatchObject([
    { kind: 'one', type: 'people.person', form: 'brief', at: 1 },
    { kind: 'many', type: 'people.person', form: 'brief', at: 2 },
    { kind: 'reverse', key: 'town.house.room_count', at: 0 },
    { kind: 'customFields', at: 3 },
  ]);
  expect(compileMembers(catalogue, note, ['about']).needs).toEqual([
    { kind: 'generic', form: 'brief', typeAt: 1, at: 2, about: true },
    { kind: 'about', typeAt: 1, at: 2 },
  ]);
});

test('forms have their members', () => {
  expect(compileForm(catalogue, room, 'brief').columns).toEqual(['id', 'name', 'house_id']);
  expect(compileForm(catalogue, room, 'id').columns).toEqual(['id']);
  expect(
    Object.keys(
      JSON.parse(compileForm(catalogue, district, 'nested').print(['1', 'N', 'n', '{1}'], related)) as object,
    ),
  ).toEqual(['id', 'url', 'display_url', 'display', 'name', 'slug', '_depth']);
});

test('computed values come from their columns; what is shown once is null', () => {
  const box = model('a.box', {
    path: 'x',
    label: 'x',
    ordering: [],
    brief: [],
    fields: {
      w: integer(),
      h: integer(),
      area: computed(['w', 'h'], ([w, h]) => String(Number(w) * Number(h))),
      key: onceShown({ max: 9 }),
      kind: objectType(),
      what: generic('kind', 'w'),
      name: text(),
    },
    about: { type: 'kind', id: 'w' },
  });
  expect(
    printed(box, ['area', 'key'], { id: '1', w: '2', h: '3' }, new Catalogue([{ service: 'a', models: [box] }])),
  ).toEqual({ area: 6, key: null });
});

import { describe, expect, test } from '@jest/globals';
import { labels, primary } from '../definition/features.ts';
import { choice, choices } from '../fields/plain/choice.ts';
import { objectType } from '../fields/plain/list.ts';
import { integer } from '../fields/plain/number.ts';
import { slug, text } from '../fields/plain/text.ts';
import { count, generic, ref, referrers, refs } from '../fields/related/relation.ts';
import { column, path, through, tree } from '../filters/filter.ts';
import { model } from '../model.ts';
import type { Definition, Model } from '../types/model.ts';
import { Catalogue } from './catalogue.ts';
import { typeId } from './typeId.ts';

const simple = (name: string, more: Partial<Definition> = {}): Model =>
  model(name, {
    path: 'x',
    label: 'thing',
    ordering: [],
    brief: [],
    ...more,
    fields: { name: text({ max: 50 }), ...more.fields },
  });

const area = simple('town.area', {
  tree: true,
  key: 'name',
  fields: { parent: ref('town.area', { optional: true }), house_count: count('town.house', 'area') },
});
const house = simple('town.house', {
  brief: ['name', 'keeper', 'area'],
  features: primary,
  fields: {
    keeper: ref('people.person'),
    area: ref('town.area', { optional: true, onDelete: 'setNull' }),
    guests: refs('people.person'),
    landlord: ref('firms.firm', { optional: true }),
    secret: ref('people.person', { optional: true, hidden: true }),
    ...labels(),
  },
  filters: {
    keeper_city: path('keeper.city', 'name'),
    note: path('<town.note.about'),
    car: through('<people.car.parked', 'plate', 'string'),
    keeper_id: path('area'),
  },
});
const note = simple('town.note', {
  fields: {
    about_type: objectType(),
    about_id: integer({ size: 'bigint' }),
    about: generic('about_type', 'about_id'),
    house: ref('town.house', { onDelete: 'cascade' }),
  },
  about: { type: 'about_type', id: 'about_id' },
});
const city = simple('people.city', {
  tree: true,
  fields: { parent: ref('people.city', { optional: true }), long: text() },
});
const person = simple('people.person', {
  key: 'name',
  brief: ['name', 'city'],
  fields: {
    city: ref('people.city', { optional: true, form: 'nested' }),
    pin: text({ max: 4, secret: true }),
    life: text(),
    age: integer(),
  },
});
const car = simple('people.car', {
  fields: { parked: ref('town.house', { optional: true, column: 'lot' }), plate: text({ max: 9 }) },
});
const tag = simple('extras.tag');
const field = simple('extras.customfield', { fields: { kind: choice(choices([['a', 'A']])) } });

const all = new Catalogue([
  { service: 'town', models: [area, house, note] },
  { service: 'people', models: [person, car, city] },
  { service: 'extras', models: [tag, field] },
]);

describe('typeId', () => {
  test('never changes: databases hold it', () => {
    // Published values of FNV-1a, less the sign bit.
    expect(['', 'a', 'foobar'].map(typeId)).toEqual(
      [0x811c9dc5, 0xe40c292c, 0xbf9cf968].map((hash) => hash & 0x7fffffff),
    );
  });
  test('leads back to the name', () => {
    expect([typeId('town.house'), 5].map((id) => all.typeById(id))).toEqual(['town.house', undefined]);
  });
});

test('knows who owns what', () => {
  expect([all.serviceOf('people.car'), all.serviceOf('firms.firm')]).toEqual(['people', undefined]);
  expect(all.ownedBy('town')).toEqual([area, house, note]);
  expect(all.services()).toEqual(['town', 'people', 'extras']);
  expect(all.get('town.house')).toBe(house);
  expect(() => all.get('town.tree')).toThrow('no model town.tree');
  expect([
    all.has('firms.firm'),
    all.knows('firms.firm'),
    all.knows('town.house'),
    all.knows('firms.boss'),
    all.knows('*'),
  ]).toEqual([false, true, true, false, false]);
});

test('knows every field that refers to a type', () => {
  expect(
    all
      .incoming('people.person')
      .slice(0, 3)
      .map((i) => [i.model.name, i.field, i.onDelete, i.many]),
  ).toEqual([
    ['town.house', 'keeper', 'protect', false],
    ['town.house', 'guests', 'setNull', true],
    ['town.house', 'secret', 'protect', false],
  ]);
  expect(all.incoming('firms.firm')).toHaveLength(2);
  // A note may be about anything, another note included. It is deleted with that, as it must be about something.
  for (const type of ['people.person', 'town.note'])
    expect(all.incoming(type).at(-1)).toEqual({
      model: note,
      field: 'about',
      onDelete: 'cascade',
      many: false,
      generic: true,
    });
});

describe('filters of relations', () => {
  const filters = all.filtersOf(house);
  test('go by id and by the key of the other model; trees include what is below', () => {
    expect(filters['area_id']).toEqual({ kind: 'related', path: ['area'], tree: true });
    expect(filters['area']).toEqual({ kind: 'related', path: ['area'], by: 'name', tree: true });
  });
  test('are in the singular for many', () => {
    expect(filters['guest']).toEqual({ kind: 'related', path: ['guests'], by: 'name', tree: false });
    expect(filters).not.toHaveProperty('guests');
  });
  test('exist by id before the other model does', () => {
    expect(filters['landlord_id']).toEqual({ kind: 'related', path: ['landlord'], tree: false });
    expect(filters).not.toHaveProperty('landlord');
  });
  test('go by a slug, a name of one object alone, or a key that is said, and by no other name', () => {
    const brand = simple('town.brand', { fields: { slug: slug() } });
    const club = simple('town.club', { fields: { name: text({ max: 9, unique: true }) } });
    const cart = simple('town.cart');
    const ship = simple('town.ship', { key: 'name' });
    const yard = simple('town.yard', {
      fields: Object.fromEntries(['brand', 'club', 'cart', 'ship'].map((name) => [name, ref(`town.${name}`)])),
    });
    const made = new Catalogue([{ service: 'town', models: [brand, club, cart, ship, yard] }]).filtersOf(yard);
    expect(Object.keys(made).sort()).toEqual([
      'brand',
      'brand_id',
      'cart_id',
      'club',
      'club_id',
      'id',
      'name',
      'ship',
      'ship_id',
    ]);
    expect(made).toMatchObject({ brand: { by: 'slug' }, club: { by: 'name' }, ship: { by: 'name' } });
  });
  test('are left out where the declaration says so; what would not come cannot be left out', () => {
    const lot = (name: string) =>
      new Catalogue([
        {
          service: 'town',
          models: [area, simple('town.lot', { fields: { area: ref('town.area') }, filters: { [name]: false } })],
        },
      ]).filtersOf(simple('town.lot'));
    expect(Object.keys(lot('area')).sort()).toEqual(['area_id', 'id', 'name']);
    expect(Object.keys(lot('name')).sort()).toEqual(['area', 'area_id', 'id']);
    expect(() => lot('zone')).toThrow('town.lot: there is no filter zone to go without');
  });
  test('are not made of hidden fields and tags', () => {
    for (const name of ['secret', 'secret_id', 'tags', 'tags_id']) expect(filters).not.toHaveProperty(name);
    expect(filters['tag']).toEqual({ kind: 'tag', by: 'slug' });
  });
  test('give way to declared ones', () => {
    expect(filters['keeper_id']).toEqual(path('area'));
  });
  test('of a parent mean the parent itself; ancestors are another word', () => {
    expect(all.filtersOf(area)).toMatchObject({
      parent_id: { path: ['parent'], tree: false },
      parent: { by: 'name', tree: false },
      ancestor_id: { path: ['parent'], tree: true },
      ancestor: { by: 'name', tree: true },
    });
  });
});

describe('steps of a path', () => {
  test('go forwards', () => {
    expect(all.steps(house, ['keeper', 'city'])).toEqual([
      { from: 'town.house', to: 'people.person', column: 'keeper_id', many: false, backwards: false },
      { from: 'people.person', to: 'people.city', column: 'city_id', many: false, backwards: false },
    ]);
    expect(all.steps(house, ['guests'])).toMatchObject([{ column: 'guests', many: true }]);
  });
  test('go backwards, by the column that the field has', () => {
    expect(all.steps(house, ['<people.car.parked'])).toEqual([
      { from: 'town.house', to: 'people.car', column: 'lot', many: false, backwards: true },
    ]);
  });
  test('go backwards over a relation to any type', () => {
    expect(all.steps(house, ['<town.note.about'])).toEqual([
      {
        from: 'town.house',
        to: 'town.note',
        column: 'about_id',
        many: false,
        backwards: true,
        generic: { typeColumn: 'about_type' },
      },
    ]);
  });
  test('go to what a generic field points at, where it is of a type', () => {
    expect(all.steps(note, ['about:town.house', 'keeper'])).toEqual([
      {
        from: 'town.note',
        to: 'town.house',
        column: 'about_id',
        many: false,
        backwards: false,
        generic: { typeColumn: 'about_type' },
      },
      { from: 'town.house', to: 'people.person', column: 'keeper_id', many: false, backwards: false },
    ]);
    expect(all.steps(note, ['about:firms.firm'])).toHaveLength(1);
    expect(() => all.steps(note, ['name:town.house'])).toThrow(
      'town.note: name does not point at objects of town.house',
    );
    expect(() => all.steps(note, ['about'])).toThrow('no relation');
  });
  test('may end at a model that does not exist yet, and not lead over it', () => {
    expect(all.steps(house, ['landlord'])).toHaveLength(1);
    expect(all.steps(house, ['landlord', 'boss'])).toBeUndefined();
    expect(all.steps(house, ['<firms.contract.house'])).toBeUndefined();
  });
  test('over what is no relation are refused', () => {
    expect(() => all.steps(house, ['name'])).toThrow('town.house: name is no relation');
    expect(() => all.steps(house, ['constructor'])).toThrow('no relation');
    expect(() => all.steps(house, ['<people.car.plate'])).toThrow('town.house: <people.car.plate is no relation');
  });
});

describe('replicas', () => {
  const kept = all.replicas('town');
  test('hold what is shown and walked over, nothing else', () => {
    expect([...kept.keys()].sort()).toEqual([
      'extras.customfield',
      'extras.tag',
      'people.car',
      'people.city',
      'people.person',
    ]);
  });
  test('hold bounded columns that are no secrets', () => {
    expect([...kept.get('people.person')!].sort()).toEqual(['_version', 'age', 'city_id', 'id', 'name']);
  });
  test('hold what their own briefs show, over as many steps as that takes', () => {
    expect([...kept.get('people.city')!].sort()).toEqual(['_path', '_sort', '_version', 'id', 'name', 'parent_id']);
  });
  test('of what points here hold the pointer', () => {
    expect(kept.get('people.car')).toContain('lot');
  });
  test('of custom fields hold everything', () => {
    expect([...kept.get('extras.customfield')!].sort()).toEqual(['_version', 'id', 'kind', 'name']);
  });
  test('hold nothing of the own service', () => {
    expect([...all.replicas('people').keys()].sort()).toEqual(['town.area', 'town.house']);
  });
});

test('knows whose counts a representation shows', () => {
  expect(all.countedIn('town.area', 'complete')).toEqual(['town.house']);
  expect(all.countedIn('town.area', 'brief')).toEqual([]);
  expect(all.countedIn('firms.firm', 'brief')).toEqual([]);
});

describe('wrong declarations are refused', () => {
  const of =
    (...models: Model[]) =>
    () =>
      new Catalogue([{ service: 'x', models }]);
  test.each<[string, () => unknown]>([
    ['model a.b is declared twice', of(simple('a.b'), simple('a.b'))],
    ['a.b: there is no field nothing', of(simple('a.b', { brief: ['nothing'] }))],
    ['a.b: there is no field nothing', of(simple('a.b', { nested: ['nothing'] }))],
    ['a.b: there is no field nothing', of(simple('a.b', { ordering: ['-nothing'] }))],
    ['a.b: search names nothing, which is no column', of(simple('a.b', { search: ['nothing'] }))],
    [
      'a.b: search names c.nothing, which is no column',
      of(simple('a.b', { search: ['c.nothing'], fields: { c: ref('a.c') } }), simple('a.c')),
    ],
    [
      'a.b: search names houses, which is no column',
      of(simple('a.b', { search: ['houses'], fields: { houses: referrers('a.c', 'd') } })),
    ],
    ['a.b: unique names nothing, which is no column', of(simple('a.b', { unique: [{ fields: ['name', 'nothing'] }] }))],
    [
      'a.b: display names nothing, which is no column',
      of(simple('a.b', { display: { columns: ['nothing'], text: () => '' } })),
    ],
    [
      'a.b: filter far names nothing, which is no column',
      of(simple('a.b', { filters: { far: column('nothing', 'string') } })),
    ],
    ['a.b: name is no relation', of(simple('a.b', { filters: { far: path('name') } }))],
    [
      'a.b: filter far names nothing of a.b, which is no column',
      of(simple('a.b', { fields: { up: ref('a.b') }, filters: { far: through('up', 'nothing', 'string') } })),
    ],
    [
      'a.b: filter far names nothing of a.b, which is no column',
      of(simple('a.b', { fields: { up: ref('a.b') }, filters: { far: path('up', 'nothing') } })),
    ],
    [
      'a.b: houses counts a.b by nothing, which is no relation',
      of(simple('a.b', { fields: { houses: count('a.b', 'nothing') } })),
    ],
    ['a.b: what names of, which is no column', of(simple('a.b', { fields: { what: generic('of', 'id') } }))],
    [
      'a.b: what cannot become empty, as kind must be given',
      of(
        simple('a.b', {
          fields: { kind: objectType(), number: integer(), what: generic('kind', 'number', { onDelete: 'setNull' }) },
        }),
      ),
    ],
    [
      'a.b: what may point at an object of any type, and about does not say so',
      of(simple('a.b', { fields: { kind: objectType(), number: integer(), what: generic('kind', 'number') } })),
    ],
    [
      'a.b: about names nothing, which is no column',
      of(
        simple('a.b', {
          fields: { kind: objectType(), number: integer() },
          about: { type: 'kind', id: 'number', tells: ['nothing'] },
        }),
      ),
    ],
    [
      'a.b: what does not point at objects of a.c',
      of(
        simple('a.b', {
          fields: { kind: objectType(), number: integer(), what: generic('kind', 'number', { to: ['a.b'] }) },
          filters: { far: path('what:a.c') },
        }),
      ),
    ],
    ['a.b: a tree needs a field parent that refers to itself', of(simple('a.b', { tree: true }))],
    [
      'a.b: a tree needs a field parent that refers to itself',
      of(simple('a.b', { tree: true, fields: { parent: ref('a.c') } })),
    ],
  ])('%s', (message, make) => {
    expect(make).toThrow(message);
  });

  test('orders by id and by own columns are right', () => {
    expect(
      of(
        simple('a.b', {
          ordering: ['-id', 'name'],
          search: ['name'],
          display: { columns: ['id'], text: ([id]) => id! },
        }),
      ),
    ).not.toThrow();
  });
  test('trees may be found by what lies above', () => {
    expect(tree('area', 'slug')).toEqual({ kind: 'related', path: ['area'], tree: true, by: 'slug' });
  });
});

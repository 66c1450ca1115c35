import { describe, expect, test } from '@jest/globals';
import { Catalogue, count, datetime, depth, model, ref, refs, text, uniqueWithin } from '@cadastre/model';
import { entitiesFor } from './entities.ts';
import { indexesOf, replicaIndexesOf, uniqueNames } from './indexes.ts';
import { migrationText } from './migration-text.ts';
import { indexName, uniqueSetName } from './names.ts';

const house = model('town.house', {
  path: 'houses',
  label: 'house',
  ordering: ['-built', 'name'],
  brief: ['name'],
  fields: {
    name: text({ max: 50, unique: true, natural: true }),
    built: datetime(),
    street: ref('town.street', { optional: true }),
    keeper: ref('people.person'),
    tenants: refs('people.person'),
  },
  unique: [
    { fields: ['street', 'name'] },
    { fields: ['keeper', 'name'], ignoreCase: ['name'], where: 'keeper_id is not null' },
  ],
});
const street = model('town.street', {
  path: 'streets',
  label: 'street',
  ordering: ['name'],
  brief: ['name'],
  tree: true,
  fields: {
    name: text({ max: 50, natural: true }),
    parent: ref('town.street', { optional: true }),
    house_count: count('town.house', 'street'),
    _depth: depth(),
  },
  unique: uniqueWithin('parent', ['name']),
});
const record = model('town.record', {
  path: 'records',
  label: 'record',
  ordering: ['-id'],
  brief: [],
  readOnly: true,
  fields: { who: ref('people.person', { optional: true }), what: ref('town.house') },
});
const queue = model('town.queue', {
  path: 'queue',
  label: 'queue',
  ordering: [],
  brief: [],
  readOnly: true,
  table: 'queue',
  fields: { name: text() },
});
const person = model('people.person', {
  path: 'people',
  label: 'person',
  ordering: ['name'],
  brief: ['name'],
  fields: { name: text({ max: 50, unique: true }), secret: text({ secret: true }) },
});

const catalogue = new Catalogue([
  { service: 'town', models: [house, street, record, queue] },
  { service: 'people', models: [person] },
]);
const sql = (name: string) => indexesOf(house).find((index) => index.name === name)?.sql;

describe('indexes', () => {
  test('serve the order of lists with its directions, names sorted naturally', () => {
    expect(sql('town_house_order_idx')).toBe(
      'create index "town_house_order_idx" on "town_house" ("built" desc, "name" collate "natural", "id")',
    );
  });

  test('compare fields that are unique together, missing ones too', () => {
    expect(sql('town_house_street_name_uniq')).toBe(
      'create unique index "town_house_street_name_uniq" on "town_house" ("street_id", "name") nulls not distinct',
    );
    expect(sql('town_house_keeper_name_uniq')).toBe(
      'create unique index "town_house_keeper_name_uniq" on "town_house" ("keeper_id", lower("name")) where keeper_id is not null',
    );
    expect(indexesOf(street).map((index) => index.sql)).toContain(
      'create unique index "town_street_name_uniq" on "town_street" ("name") where parent_id is null',
    );
  });

  test('serve references and lists of them', () => {
    expect(sql('town_house_keeper_id_idx')).toContain('using btree ("keeper_id")');
    expect(sql('town_house_tenants_idx')).toContain('using gin ("tenants")');
  });

  test('hold no lists of texts, which may be too long for one', () => {
    expect(indexesOf(street).map((index) => index.name)).not.toContain('town_street__sort_idx');
  });

  test('of replicas find objects by the name that filters use', () => {
    expect(replicaIndexesOf(person, new Set(['id', 'name', '_version'])).map((index) => index.sql)).toEqual([
      'create index "people_person_name_idx" on "replica"."people_person" using btree ("name")',
    ]);
  });
});

describe('entities', () => {
  const entities = entitiesFor(catalogue, 'town').map((entity) => entity.meta);
  const named = (table: string) => entities.find((meta) => meta.tableName === table)!;

  test('are the tables of the service and the replicas that it needs, less what it makes by itself', () => {
    expect(entities.map((meta) => `${meta.schema ?? 'public'}.${meta.tableName}`).sort()).toEqual([
      'public.town_house',
      'public.town_record',
      'public.town_street',
      'replica.people_person',
    ]);
  });

  test('keep no secrets of other services', () => {
    expect(Object.keys(named('people_person').properties)).toEqual(['id', 'name', '_version']);
  });

  test('refer to own tables and to replicas; what is made of events to nothing, as it outlives what it tells of', () => {
    const kinds = (table: string) =>
      Object.entries(named(table).properties)
        .filter(([, property]) => property.kind === 'm:1')
        .map(([name]) => name);
    expect(kinds('town_house')).toEqual(['street_id', 'keeper_id']);
    expect(kinds('town_record')).toEqual([]);
  });
});

test('a violated constraint tells its fields by its name', () => {
  expect(uniqueNames(house)).toEqual(
    new Map([
      ['town_house_name_key', ['name']],
      ['town_house_street_name_uniq', ['street', 'name']],
      ['town_house_keeper_name_uniq', ['keeper', 'name']],
    ]),
  );
});

test('names that PostgreSQL would cut are cut so that they stay different', () => {
  const long = (end: string) =>
    uniqueSetName('dcim_interfacetemplate', ['device_type_of_the_module', 'module_type_of_the_device', end]);
  expect(long('name')).toHaveLength(63);
  expect(long('name')).toMatch(/_[0-9a-f]{8}_uniq$/);
  expect(long('name')).not.toBe(long('label'));
  expect(indexName('dcim_site', ['name'])).toBe('dcim_site_name_idx');
});

test('a migration is source with a column per line, whatever is in its statements', () => {
  const text = migrationText('Migration1_x', [
    'create table "a" ("b" numeric(8,6) not null, "c" text default \'x, (y\')',
    `select \`1\`, '\${2}'`,
  ]);
  expect(text).toContain('"b" numeric(8,6) not null,\n      "c" text default \'x, (y\'\n');
  expect(text).toContain(`select \\\`1\\\`, '\\\${2}'`);
});

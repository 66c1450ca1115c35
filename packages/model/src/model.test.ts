import { describe, expect, test } from '@jest/globals';
import {
  comments,
  description,
  labels,
  owner,
  primary,
  tenantGroupFilters,
  timestamps,
  uniqueWithin,
  withContacts,
} from './definition/features.ts';
import { depth, members } from './definition/representation.ts';
import { integer } from './fields/plain/number.ts';
import { text } from './fields/plain/text.ts';
import { count, countBelow, ref } from './fields/related/relation.ts';
import { computed } from './fields/special.ts';
import { column, compared, method, path, through, tree, typeIdOf } from './filters/filter.ts';
import { lookups, splitLookup } from './filters/lookups.ts';
import { model } from './model.ts';
import { columnName, columnOf, columnsOf, isReplicated, quote } from './sql/columns.ts';
import { typeName } from './types/json.ts';
import type { RuleContext } from './types/rule.ts';

const area = model('town.area', {
  path: 'areas',
  label: 'area',
  ordering: [],
  brief: ['name', 'house_count', 'tree_count'],
  nested: ['name', '_depth'],
  tree: true,
  features: primary,
  fields: {
    name: text({ max: 50 }),
    notes: text({ filter: false }),
    pin: text({ max: 4, secret: true }),
    parent: ref('town.area', { optional: true }),
    keeper: ref('people.person', { column: 'kept_by' }),
    ...labels(),
    ...timestamps(),
    house_count: count('town.house', 'area'),
    tree_count: countBelow('town.tree', 'area'),
    _depth: depth(),
    inside: integer({ hidden: true }),
    password: text({ writeOnly: true }),
  },
});

describe('a model', () => {
  test('has names made of its own', () => {
    expect(area).toMatchObject({
      name: 'town.area',
      app: 'town',
      className: 'Area',
      plural: 'areas',
      table: 'town_area',
      migrated: true,
      key: 'name',
    });
    const named = (label: string) =>
      model('a.b', { path: 'x', label, plural: 'others', ordering: [], brief: [], fields: {}, table: 'own' });
    expect(['site group', 'IP address', 'virtual-machine type'].map((l) => named(l).className)).toEqual([
      'SiteGroup',
      'IPAddress',
      'VirtualMachineType',
    ]);
    expect(named('x')).toMatchObject({ plural: 'others', table: 'own', migrated: false, key: undefined });
  });

  test('is found by slug before name, or as declared', () => {
    const fields = { name: text(), slug: text() };
    expect(model('a.b', { path: 'x', label: 'x', ordering: [], brief: [], fields }).key).toBe('slug');
    expect(model('a.b', { path: 'x', label: 'x', ordering: [], brief: [], fields, key: 'name' }).key).toBe('name');
  });

  test('is searched where there is something to look into', () => {
    const searched = (more: object) =>
      model('a.b', { path: 'x', label: 'x', brief: [], fields: { name: text() }, ...more }).filters['q'];
    expect([searched({}), searched({ search: ['name'] }), searched({ searchBy: () => undefined })]).toEqual([
      undefined,
      { kind: 'search' },
      { kind: 'search' },
    ]);
  });

  test('is shown by its first short text, or by its id', () => {
    expect(area.display.columns).toEqual(['name']);
    expect([area.display.text(['x']), area.display.text([null])]).toEqual(['x', '']);
    expect(
      model('a.b', { path: 'x', label: 'x', ordering: [], brief: [], fields: { note: text() } }).display.columns,
    ).toEqual(['id']);
  });

  test('has a filter for every field that has lookups and is no secret', () => {
    expect(Object.keys(area.filters).sort()).toEqual(
      [
        'created',
        'created_by_request',
        'id',
        'inside',
        'last_updated',
        'modified_by_request',
        'name',
        'password',
        'tag',
        'tag_id',
        'updated_by_request',
      ].sort(),
    );
    expect(area.filters['modified_by_request']).toEqual({ kind: 'request', actions: ['created', 'updated'] });
  });

  test('with contacts, owner or declared filters has those', () => {
    const one = model('a.b', {
      path: 'x',
      label: 'x',
      ordering: [],
      brief: [],
      features: withContacts,
      fields: { name: text(), ...owner() },
      filters: { name: { kind: 'search' }, ...tenantGroupFilters() },
    });
    expect(one.filters).toMatchObject({
      name: { kind: 'search' },
      owner_group: { path: ['owner', 'group'], by: 'name' },
      contact: { path: ['<tenancy.contactassignment.object', 'contact'] },
      contact_group: { path: ['<tenancy.contactassignment.object', 'contact', 'groups'], tree: true },
      tenant_group: { path: ['tenant', 'group'], by: 'slug', tree: true },
    });
  });

  test('that is a tree never hangs below itself', async () => {
    const asked: unknown[] = [];
    const context = (before: object | null) =>
      ({
        before,
        isBelow: async (...given: unknown[]) => {
          asked.push(given);
          return true;
        },
      }) as unknown as RuleContext;
    expect(await area.rules[0]!({ id: 1, parent: 2 }, context({}))).toEqual({
      parent: ['Cannot assign self or child area as parent.'],
    });
    expect(asked).toEqual([['town.area', 2, 1]]);
    expect(await area.rules[0]!({ id: 1, parent: null }, context({}))).toBeUndefined();
    expect(await area.rules[0]!({ parent: 2 }, context(null))).toBeUndefined();
  });
});

describe('columns', () => {
  test('stand in the order of the declaration, between id and version', () => {
    expect(columnsOf(area).map((c) => c.name)).toEqual([
      'id',
      'name',
      'notes',
      'pin',
      'parent_id',
      'kept_by',
      'tags',
      'custom_fields',
      'created',
      'last_updated',
      'inside',
      'password',
      '_path',
      '_sort',
      '_version',
    ]);
  });
  test('are named after their fields', () => {
    expect(columnName('site', ref('a.b'))).toBe('site_id');
    expect(columnName('site', ref('a.b', { column: 'place' }))).toBe('place');
    expect(columnName('count', count('a.b', 'c'))).toBe('count');
    expect(columnOf('site', ref('a.b', { optional: true }))).toEqual({
      name: 'site_id',
      type: 'bigint',
      nullable: true,
      index: 'btree',
    });
    expect(columnOf('count', count('a.b', 'c'))).toBeUndefined();
  });
  test('go into replicas when they are bounded and no secrets', () => {
    expect(
      Object.entries(area.fields)
        .filter(([name, f]) => isReplicated(name, f))
        .map(([name]) => name),
    ).toEqual(['name', 'parent', 'keeper', 'tags', 'inside']);
  });
  test('are quoted so that no name can end the quotation', () => {
    expect(quote('a"; drop table b; --')).toBe('"a""; drop table b; --"');
  });
});

describe('members', () => {
  test('of the forms', () => {
    expect(members(area, 'id')).toEqual(['id']);
    expect(members(area, 'brief')).toEqual(['id', 'url', 'display', 'name', 'tree_count']);
    expect(members(area, 'summary')).toEqual(['id', 'url', 'display', 'name', 'house_count', 'tree_count']);
    expect(members(area, 'nested')).toEqual(['id', 'url', 'display_url', 'display', 'name', '_depth']);
    expect(members({ ...area, nested: undefined } as unknown as typeof area, 'nested')).toEqual([
      'id',
      'url',
      'display_url',
      'display',
      'name',
      'house_count',
      'tree_count',
    ]);
  });
  test('without a page leave its address out', () => {
    const plain = { ...area, displayPath: false as const };
    expect([members(plain, 'complete'), members(plain, 'nested')].map((names) => names.slice(0, 4))).toEqual([
      ['id', 'url', 'display', 'name'],
      ['id', 'url', 'display', 'name'],
    ]);
  });
  test('of the complete form are all that is neither hidden nor only written', () => {
    const all = members(area, 'complete');
    expect(all.slice(0, 5)).toEqual(['id', 'url', 'display_url', 'display', 'name']);
    expect(all).not.toContain('inside');
    expect(all).not.toContain('password');
    expect(all).toContain('_depth');
  });
  test('depth counts from the root', () => {
    expect(['{1}', '{1,2,3}'].map((path) => depth().computed!.print([path]))).toEqual(['0', '2']);
  });
});

test('names are unique among those with one parent, and among those without', () => {
  expect(uniqueWithin('parent', ['name'])).toEqual([
    { fields: ['parent', 'name'], where: 'parent_id is not null' },
    { fields: ['name'], where: 'parent_id is null' },
  ]);
  expect(
    uniqueWithin('parent', ['name'], { inside: (f) => `in ${f}`, outside: (f) => `out ${f}` }).map((u) => u.message),
  ).toEqual(['in name', 'out name']);
});

test('what many models have is declared once', () => {
  expect([
    description()['description']!.column!.type,
    comments()['comments']!.lookups,
    timestamps()['created']!.readOnly,
    owner()['owner']!.relation!.to,
  ]).toEqual(['varchar(200)', null, true, 'users.owner']);
  expect(computed(['a'], () => '').nullable).toBe(true);
});

describe('filters', () => {
  test('are declared by paths', () => {
    expect(path('a.b.c')).toEqual({ kind: 'related', path: ['a', 'b', 'c'] });
    expect(path('<x.y.z/a.b', 'slug')).toEqual({ kind: 'related', path: ['<x.y.z', 'a', 'b'], by: 'slug' });
    expect(tree('a')).toEqual({ kind: 'related', path: ['a'], tree: true });
    expect(through('<x.y.z', 'number', 'number')).toEqual({
      kind: 'through',
      path: ['<x.y.z'],
      field: 'number',
      family: 'number',
    });
  });
  test('or by columns, types, or SQL', () => {
    expect(column('a', 'date')).toEqual({ kind: 'column', field: 'a', family: 'date' });
    expect(compared('a', 'datetime', 'gte')).toEqual({
      kind: 'column',
      field: 'a',
      family: 'datetime',
      compare: 'gte',
    });
    expect(typeIdOf('kinds')).toEqual({ kind: 'typeId', field: 'kinds' });
    expect(method('boolean', () => 'true')).toMatchObject({ kind: 'method', value: 'boolean', many: false });
  });
  test('have the lookups of their family', () => {
    const suffixes = (family: keyof typeof lookups) => Object.keys(lookups[family]).filter(Boolean).sort().join(' ');
    expect(suffixes('string')).toBe('empty ic ie iew iregex isw n nic nie niew nisw regex');
    expect(suffixes('choice')).toBe(suffixes('string'));
    expect(suffixes('number')).toBe('empty gt gte lt lte n');
    for (const family of ['decimal', 'date', 'datetime', 'numbers'] as const)
      expect(suffixes(family)).toBe(suffixes('number'));
    expect([
      suffixes('boolean'),
      suffixes('uuid'),
      suffixes('strings'),
      suffixes('objectType'),
      suffixes('instant'),
    ]).toEqual(['', '', 'n', 'n', 'gte lte']);
    expect(lookups.string['nic']).toEqual({ compare: 'contains', negated: true });
  });
  test('are told from their lookup by the last two underscores', () => {
    expect([splitLookup('name__ic'), splitLookup('name'), splitLookup('a__b__n'), splitLookup('__n')]).toEqual([
      ['name', 'ic'],
      ['name', ''],
      ['a__b', 'n'],
      ['__n', ''],
    ]);
  });
});

test('JSON types have the names that messages use', () => {
  expect([null, [], {}, 'x', true, 1, 1.5].map(typeName)).toEqual([
    'NoneType',
    'list',
    'dict',
    'str',
    'bool',
    'int',
    'float',
  ]);
});

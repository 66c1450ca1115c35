import { Catalogue, lookups, members, type RuleContext } from '@cadastre/model';
import { expect, test } from '@jest/globals';
import { region } from './places/region.ts';
import { site } from './places/site.ts';
import { siteGroup } from './places/siteGroup.ts';

const catalogue = new Catalogue([{ service: 'dcim', models: [region, siteGroup, site] }]);

const context = (below: boolean): RuleContext => ({
  before: {},
  given: {},
  related: async () => null,
  isBelow: async () => below,
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
});

test('sites are filtered by region with everything below, by AS number, and by the group of their tenant', () => {
  const filters = catalogue.filtersOf(site);
  expect(filters['region']).toMatchObject({ kind: 'related', path: ['region'], by: 'slug', tree: true });
  expect(filters['region_id']).toMatchObject({ tree: true });
  expect(filters['tenant_group']).toMatchObject({ path: ['tenant', 'group'], by: 'slug', tree: true });
  expect(filters['status']).toMatchObject({ family: 'choice' });
  expect(Object.keys(lookups.string)).toEqual(expect.arrayContaining(['ic', 'niew', 'iregex', 'empty']));
  for (const name of ['comments', 'physical_address', 'custom_fields', 'asns'])
    expect(filters).not.toHaveProperty(name);
});

test('the parent of a region is one region, its ancestor any region above', () => {
  const filters = catalogue.filtersOf(region);
  expect(filters['parent_id']).toMatchObject({ tree: false });
  expect(filters['ancestor_id']).toMatchObject({ tree: true, path: ['parent'] });
});

test('a region inside a site is shown with the sites below it and its depth', () => {
  expect(members(region, 'brief')).toEqual([
    'id',
    'url',
    'display',
    'name',
    'slug',
    'description',
    'site_count',
    '_depth',
  ]);
  expect(members(region, 'nested')).toEqual(['id', 'url', 'display_url', 'display', 'name', 'slug', '_depth']);
  expect(region.fields['_depth']!.computed!.print(['{1,5,9}'])).toBe('2');
});

test('a tree refuses a parent that lies below', async () => {
  const [loop] = siteGroup.rules;
  expect(await loop!({ id: 1, parent: 2 }, context(true))).toEqual({
    parent: ['Cannot assign self or child site group as parent.'],
  });
  expect(await loop!({ id: 1, parent: 2 }, context(false))).toBeUndefined();
  expect(await loop!({ id: 1, parent: null }, context(true))).toBeUndefined();
});

test('names are unique per parent, and among those at the top', () => {
  expect(region.unique.map(({ fields, where }) => [fields.join(), where])).toEqual([
    ['parent,name', 'parent_id is not null'],
    ['name', 'parent_id is null'],
    ['parent,slug', 'parent_id is not null'],
    ['slug', 'parent_id is null'],
  ]);
  expect(region.unique[1]!.message).toBe('A top-level region with this name already exists.');
});

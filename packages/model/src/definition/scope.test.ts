import { expect, test } from '@jest/globals';
import { Catalogue } from '../catalogue/catalogue.ts';
import { slug } from '../fields/plain/text.ts';
import { ref } from '../fields/related/relation.ts';
import { model } from '../model.ts';
import { scopeComplete, scoped, scopeFilters } from './scope.ts';

const named = { path: 'x', label: 'x', brief: ['slug'] };
const region = model('dcim.region', {
  ...named,
  tree: true,
  fields: { slug: slug(), parent: ref('dcim.region', { optional: true }) },
});
const site = model('dcim.site', {
  ...named,
  fields: {
    slug: slug(),
    region: ref('dcim.region', { optional: true }),
    group: ref('dcim.sitegroup', { optional: true }),
  },
});
const location = model('dcim.location', {
  ...named,
  tree: true,
  fields: { slug: slug(), site: ref('dcim.site'), parent: ref('dcim.location', { optional: true }) },
});
const thing = model('far.thing', { ...named, fields: { slug: slug(), ...scoped() }, filters: scopeFilters() });

test('a scope leads to its place and those around it, also in a service that has none of them', () => {
  const catalogue = new Catalogue([
    { service: 'dcim', models: [region, site, location] },
    { service: 'far', models: [thing] },
  ]);
  expect(Object.keys(catalogue.filtersOf(thing))).toEqual(
    expect.arrayContaining([
      'region',
      'region_id',
      'site_group',
      'site_group_id',
      'site',
      'site_id',
      'location',
      'location_id',
      'scope_type',
      'scope_id',
    ]),
  );
  expect(catalogue.steps(thing, ['scope:dcim.location', 'site', 'region'])!.map((step) => step.to)).toEqual([
    'dcim.location',
    'dcim.site',
    'dcim.region',
  ]);
  expect([...catalogue.replicas('far').get('dcim.site')!]).toEqual(
    expect.arrayContaining(['region_id', 'group_id', 'slug']),
  );
});

test('is named as a whole', () => {
  const said = (scope_type: string | null, scope_id: number | null) =>
    scopeComplete({ scope_type, scope_id }, {} as never);
  expect(said('dcim.sitegroup', null)).toEqual({ __all__: ['Please select a sitegroup.'] });
  expect([said(null, 5), said(null, null), said('dcim.site', 5)]).toEqual([undefined, undefined, undefined]);
});

import { expect, test } from '@jest/globals';
import { Catalogue, members } from '@cadastre/model';
import { region } from '../../dcim/models/places/region.ts';
import { site } from '../../dcim/models/places/site.ts';
import { siteGroup } from '../../dcim/models/places/siteGroup.ts';
import { asn } from './routing/asn.ts';
import { rir } from './routing/rir.ts';
import { role } from './role.ts';

const catalogue = new Catalogue([
  { service: 'ipam', models: [asn, rir, role] },
  { service: 'dcim', models: [region, site, siteGroup] },
]);

test('counts of a registry are shown with it, and left out where it stands inside another object', () => {
  expect(members(rir, 'summary')).toContain('aggregate_count');
  expect(members(rir, 'brief')).not.toContain('aggregate_count');
});

test('AS numbers are found by the group of their sites, over the border of the service', () => {
  const steps = catalogue.steps(asn, ['<dcim.site.asns', 'group'])!;
  expect(steps.map(({ to, column, many, backwards }) => ({ to, column, many, backwards }))).toEqual([
    { to: 'dcim.site', column: 'asns', many: true, backwards: true },
    { to: 'dcim.sitegroup', column: 'group_id', many: false, backwards: false },
  ]);
  expect([...catalogue.replicas('ipam').get('dcim.site')!]).toEqual(
    expect.arrayContaining(['id', 'asns', 'group_id', 'slug']),
  );
  expect([...catalogue.replicas('ipam').get('dcim.sitegroup')!]).toContain('_path');
});

test('an AS number belongs to a registry', async () => {
  const wrong = await Promise.all(asn.rules.map((rule) => rule({ asn: 1, rir: null }, {} as never)));
  expect(wrong).toContainEqual({ rir: ['This field cannot be null.'] });
});

test('is called AS and its number, and other models name it by the number', () => {
  expect(asn.display.text(['65001'])).toBe('AS65001');
  expect(catalogue.filtersOf(site)['asn']).toMatchObject({ path: ['asns'], by: 'asn' });
});

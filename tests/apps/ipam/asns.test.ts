import { expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { useSystem } from '../../support/system.ts';
import { nextAsn, unique } from '../../support/unique.ts';

const used = useSystem();
const asns = '/api/ipam/asns/';
const named = () => {
  const name = unique('asn');
  return { name, slug: name };
};

test('the sites of an AS number are shown, and set at the sites', async () => {
  const rir = await used.admin.make('/api/ipam/rirs/', named());
  const asn = await used.admin.make(asns, { asn: nextAsn(), rir: rir.id, sites: [] });
  const site = await used.admin.make('/api/dcim/sites/', { ...named(), asns: [asn.id] });
  await eventually(async () => {
    expect((await used.admin.read(`${asns}${asn.id}/`)).sites).toMatchObject([{ id: site.id, name: site.name }]);
  });

  expect((await used.admin.patch(`${asns}${asn.id}/`, { sites: [site.id], description: 'as it is' })).status).toBe(200);
  const { status, body } = await used.admin.patch(`${asns}${asn.id}/`, { sites: [], description: 'half' });
  expect([status, body]).toEqual([
    400,
    { sites: ['This list is changed from the other side: set "asns" of each site.'] },
  ]);
  expect((await used.admin.read(`${asns}${asn.id}/`)).description).toBe('as it is');
});

test('an AS number of more than 16 bits is also told in two parts', async () => {
  const rir = await used.admin.make('/api/ipam/rirs/', named());
  const number = 4_200_000_000 + (nextAsn() % 1_000_000);
  const [high, low] = [Math.floor(number / 65_536), number % 65_536];
  expect((await used.admin.make(asns, { asn: number, rir: rir.id })).display).toBe(`AS${number} (${high}.${low})`);
});

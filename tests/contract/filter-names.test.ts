import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadCatalogue } from '@cadastre/model';
import { useSystem } from '../support/system.ts';
import { unique } from '../support/unique.ts';

// The filters of every list are recorded in tests/contract/filter-names.json. Clients send names that NetBox ignores,
// so each further filter may have a client refused: a change of a declaration or of the automatic filters that adds or
// removes one fails here, so that it is made on purpose.

const used = useSystem();

test('lists have the filters that they had, and no others', async () => {
  const catalogue = await loadCatalogue(resolve(import.meta.dirname, '..', '..', 'services'));
  const models = [...catalogue.models.values()]
    .filter((model) => model.part !== 'hidden')
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const names = Object.fromEntries(
    models.map((model) => [model.name, Object.keys(catalogue.filtersOf(model)).sort().join(' ')]),
  );
  expect(names).toEqual(JSON.parse(readFileSync(resolve(import.meta.dirname, 'filter-names.json'), 'utf8')));
});

test('names of related objects that are no filters narrow nothing, unless the client wants to be told', async () => {
  const mark = unique('names');
  const region = await used.admin.make('/api/dcim/regions/', { name: mark, slug: mark });
  const maker = await used.admin.make('/api/dcim/manufacturers/', { name: mark, slug: mark });
  const type = await used.admin.make('/api/dcim/device-types/', { manufacturer: maker.id, model: mark, slug: mark });
  const role = await used.admin.make('/api/dcim/device-roles/', { name: mark, slug: mark });
  const site = await used.admin.make('/api/dcim/sites/', { name: mark, slug: mark, region: region.id });
  const device = await used.admin.make('/api/dcim/devices/', {
    name: mark,
    device_type: type.id,
    role: role.id,
    site: site.id,
  });
  const parts = await used.admin.make('/api/dcim/interface-templates/', {
    device_type: type.id,
    name: mark,
    type: 'virtual',
  });
  const panel = await used.admin.make('/api/dcim/power-panels/', { site: site.id, name: mark });
  const vlan = await used.admin.make('/api/ipam/vlans/', { vid: 5, name: mark });
  for (const [path, made, name] of [
    ['dcim/devices', device, 'rack'],
    ['dcim/devices', device, 'virtual_chassis'],
    ['dcim/devices', device, 'config_template'],
    ['dcim/interface-templates', parts, 'device_type'],
    ['dcim/power-panels', panel, 'location'],
    ['ipam/vlans', vlan, 'qinq_svlan'],
  ] as const) {
    const list = `/api/${path}/?id=${made.id}&${name}=1`;
    expect([list, await used.admin.column(list, 'id')]).toEqual([list, [made.id]]);
    expect(await used.admin.get(list, { Prefer: 'handling=strict' })).toMatchObject({
      status: 400,
      body: { [name]: [expect.any(String)] },
    });
    // The parameter with the id is a filter, so its object has to exist.
    expect(await used.admin.get(`/api/${path}/?${name}_id=2147483647`)).toMatchObject({
      status: 400,
      body: { [`${name}_id`]: [expect.any(String)] },
    });
  }
  expect(await used.admin.column(`/api/dcim/devices/?device_type=${mark}&site=${mark}&role=${mark}`, 'id')).toEqual([
    device.id,
  ]);
  expect(
    await used.admin.get(`/api/dcim/devices/?device_type=${mark}&rack_id=null&q=${mark}`, {
      Prefer: 'handling=strict',
    }),
  ).toMatchObject({ status: 200 });
});

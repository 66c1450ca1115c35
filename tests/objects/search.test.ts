import { describe, expect, test } from '@jest/globals';
import type { Body } from '../support/client.ts';
import { openBench } from '../support/objects/plant.ts';
import { useSystem } from '../support/system.ts';
import { unique } from '../support/unique.ts';

const used = useSystem();
const named = (path: string, more: object = {}): Promise<Body> => {
  const slug = unique('q');
  return used.admin.make(`/api/${path}/`, { name: slug, slug, ...more });
};
/** Whether `?q=` finds an object, and no other. */
const finds = async (path: string, object: Body, text: string | number): Promise<boolean> =>
  (await used.admin.column(`/api/${path}/?id=${object.id}&q=${encodeURIComponent(String(text))}`, 'id')).includes(
    object.id,
  );

describe('?q=', () => {
  test.each([
    'dcim/regions',
    'dcim/site-groups',
    'dcim/device-roles',
    'dcim/platforms',
    'tenancy/tenant-groups',
    'tenancy/contact-groups',
  ])('looks into the comments of what lies in each other: %s', async (path) => {
    const made = await named(path, { comments: 'Somewhere THERE is a word' });
    expect([await finds(path, made, 'there is'), await finds(path, made, 'nowhere')]).toEqual([true, false]);
  });

  test('looks at what stands beside a place', async () => {
    const asn = 4_200_000_000 + Math.floor(Math.random() * 90_000_000);
    const registry = await named('ipam/rirs');
    const system = await used.admin.make('/api/ipam/asns/', { asn, rir: registry.id });
    const site = await named('dcim/sites', { asns: [system.id] });
    const location = await named('dcim/locations', { site: site.id, comments: 'behind the door' });
    expect([await finds('dcim/sites', site, asn), await finds('dcim/sites', site, String(asn).slice(0, 5))]).toEqual([
      true,
      false,
    ]);
    expect([await finds('ipam/asns', system, asn), await finds('ipam/asns', system, String(asn).slice(0, 5))]).toEqual([
      true,
      false,
    ]);
    expect([
      await finds('dcim/locations', location, 'the door'),
      await finds('dcim/locations', location, location.slug),
    ]).toEqual([true, true]);
    const panel = await used.admin.make('/api/dcim/power-panels/', { site: site.id, name: unique('Panel') });
    const feed = await used.admin.make('/api/dcim/power-feeds/', { power_panel: panel.id, name: 'f' });
    expect(await finds('dcim/power-feeds', feed, panel.name)).toBe(true);
  });

  test('looks at numbers and addresses as a whole', async () => {
    const bench = await openBench(used.admin);
    const device = await bench.device();
    const port = await bench.part(device, 'interfaces');
    const address = await used.admin.make('/api/ipam/ip-addresses/', {
      address: '10.213.7.1/24',
      assigned_object_type: 'dcim.interface',
      assigned_object_id: port.id,
    });
    await used.admin.patch(device.url, { primary_ip4: address.id });
    for (const [text, found] of [
      ['10.213.7.1', true],
      ['10.213.7.1/32', true],
      ['10.213.7', false],
      ['10.213.7.11', false],
    ] as const)
      expect([text, await finds('dcim/devices', device, text)]).toEqual([text, found]);
    const context = await used.admin.make('/api/dcim/virtual-device-contexts/', {
      name: unique('vdc'),
      device: device.id,
      identifier: 31_207,
      status: 'active',
      description: 'For guests',
    });
    expect([
      await finds('dcim/virtual-device-contexts', context, 31_207),
      await finds('dcim/virtual-device-contexts', context, 312),
      await finds('dcim/virtual-device-contexts', context, 'GUESTS'),
    ]).toEqual([true, false, true]);
    const policy = await named('ipam/vlan-translation-policies');
    const rule = await used.admin.make('/api/ipam/vlan-translation-rules/', {
      policy: policy.id,
      local_vid: 1234,
      remote_vid: 2345,
    });
    expect([
      await finds('ipam/vlan-translation-rules', rule, 2345),
      await finds('ipam/vlan-translation-rules', rule, 234),
      await finds('ipam/vlan-translation-rules', rule, policy.name),
    ]).toEqual([true, false, true]);
    const vlan = await used.admin.make('/api/ipam/vlans/', { vid: 1234, name: unique('v') });
    expect([
      await finds('ipam/vlans', vlan, 1234),
      await finds('ipam/vlans', vlan, '123'),
      await finds('ipam/vlans', vlan, '99999999999999999999'),
    ]).toEqual([true, false, false]);
  });

  test('looks at what describes other objects', async () => {
    const provider = await named('circuits/providers');
    const cloud = await used.admin.make('/api/circuits/provider-networks/', {
      provider: provider.id,
      name: 'n',
      service_id: unique('SVC'),
    });
    expect(await finds('circuits/provider-networks', cloud, cloud.service_id)).toBe(true);
    const machine = await used.admin.make('/api/virtualization/virtual-machines/', {
      name: unique('vm'),
      site: (await named('dcim/sites')).id,
      serial: unique('SN'),
    });
    expect(await finds('virtualization/virtual-machines', machine, machine.serial)).toBe(true);
    const chassis = await used.admin.make('/api/dcim/virtual-chassis/', {
      name: unique('vc'),
      description: 'Core of the floor',
    });
    expect(await finds('dcim/virtual-chassis', chassis, 'of the floor')).toBe(true);
    const template = await used.admin.make('/api/extras/export-templates/', {
      name: unique('t'),
      object_types: ['dcim.site'],
      template_code: 'x',
      file_name: 'inventory_of_sites',
    });
    expect(await finds('extras/export-templates', template, 'INVENTORY_OF')).toBe(true);
  });
});

describe('the order', () => {
  test.each(['tenancy/tenant-groups', 'tenancy/contact-groups'])('of %s is that of the tree', async (path) => {
    const mark = unique('tree');
    const make = (name: string, parent?: Body) =>
      used.admin.make(`/api/${path}/`, {
        name: `${mark} ${name}`,
        slug: `${mark}-${name}`,
        ...(parent ? { parent: parent.id } : {}),
      });
    const b = await make('b');
    const a = await make('a');
    await make('c', b);
    await make('z', a);
    expect(await used.admin.column(`/api/${path}/?slug__isw=${mark}-`, 'slug')).toEqual(
      ['a', 'z', 'b', 'c'].map((name) => `${mark}-${name}`),
    );
  });

  test('of the tags of an object is by name, whatever the order in which it got them', async () => {
    const mark = unique('tag');
    const tags = ['port 10', 'Alpha', 'port 9'].map((name, i) => ({ name: `${mark} ${name}`, slug: `${mark}-${i}` }));
    await used.admin.make('/api/extras/tags/', tags);
    const names = (object: Body) => object.tags.map(({ name }: Body) => name.slice(mark.length + 1));
    const given = tags.map(({ slug }) => ({ slug }));
    const site = await named('dcim/sites', { tags: given });
    expect(names(site)).toEqual(['Alpha', 'port 9', 'port 10']);
    expect(names(await used.admin.read(site.url))).toEqual(['Alpha', 'port 9', 'port 10']);
  });
});

import { describe, expect, test } from '@jest/globals';
import { Equipment } from '../../support/objects/equipment.ts';
import { eventually } from '../../support/eventually.ts';
import { useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';

const used = useSystem();
const kit = new Equipment(() => used.admin);

describe('the name of a device', () => {
  test('is used once in a site for each tenant, whatever its case', async () => {
    const site = (await kit.site()).id;
    const type = (await kit.deviceType()).id;
    const tenant = (await kit.make('tenancy/tenants', kit.named('tenant'))).id;
    const name = unique('sw');
    await kit.device({ site, device_type: type, name });
    await kit.device({ site, device_type: type, name, tenant });
    const again = (more: object) =>
      kit
        .deviceBody({ site, device_type: type, name: name.toUpperCase(), ...more })
        .then((body) => kit.refused('post', 'dcim/devices', body));
    expect(await again({})).toEqual([400, { __all__: ['Device name must be unique per site.'] }]);
    expect(await again({ tenant })).toEqual([
      400,
      { __all__: ['Constraint “dcim_device_unique_name_site_tenant” is violated.'] },
    ]);
    const [status, body] = await kit.refused(
      'post',
      'dcim/devices',
      await Promise.all([1, 2].map(() => kit.deviceBody({ site, device_type: type, name: `${name}-2` }))),
    );
    expect([status, body]).toEqual([400, [{}, { __all__: ['Device name must be unique per site.'] }]]);
    expect((await kit.device({ site, device_type: type, name: null })).name).toBeNull();
  });

  test('stands for it with the asset tag; without one its type does, or its place in a chassis', async () => {
    const type = await kit.deviceType();
    const tag = unique('tag');
    const name = unique('r');
    const maker = await kit.manufacturer();
    expect((await kit.device({ device_type: type.id, name, asset_tag: tag })).display).toBe(`${name} (${tag})`);
    const unnamed = await kit.device({ device_type: type.id, name: null });
    expect(unnamed.display).toBe(`${maker.name} ${type.model} (${unnamed.id})`);
    const chassis = await kit.make('dcim/virtual-chassis', { name: unique('vc') });
    expect(
      await kit.patch(`dcim/devices/${unnamed.id}`, { virtual_chassis: chassis.id, vc_position: 3 }),
    ).toMatchObject({ display: `${chassis.name}:3` });
    const other = unique('tag');
    expect(await kit.patch(`dcim/devices/${unnamed.id}`, { asset_tag: other })).toMatchObject({
      display: `${chassis.name}:3 (${other})`,
    });
    expect(await kit.refused('post', 'dcim/devices', await kit.deviceBody({ asset_tag: tag }))).toEqual([
      400,
      { asset_tag: ['device with this asset tag already exists.'] },
    ]);
  });
});

describe('the place of a device', () => {
  test('lies in its site', async () => {
    const [here, there] = [await kit.site(), await kit.site()];
    const rack = await kit.rack(here);
    const location = await kit.make('dcim/locations', kit.named('hall', { site: here.id }));
    const at = async (more: object) =>
      kit.refused('post', 'dcim/devices', await kit.deviceBody({ site: there.id, ...more }));
    expect(await at({ rack: rack.id })).toEqual([
      400,
      { rack: [`Rack ${rack.name} does not belong to site ${there.name}.`] },
    ]);
    expect(await at({ location: location.id })).toEqual([
      400,
      { location: [`Location ${location.name} does not belong to site ${there.name}.`] },
    ]);
    expect(
      await kit.refused(
        'post',
        'dcim/devices',
        await kit.deviceBody({ site: here.id, rack: rack.id, location: location.id }),
      ),
    ).toEqual([400, { rack: [`Rack ${rack.name} does not belong to location ${location.name}.`] }]);
    const inHall = await kit.rack(here, { location: location.id });
    expect(await kit.device({ site: here.id, rack: inHall.id })).toMatchObject({
      location: { id: location.id },
      position: null,
      face: null,
    });
  });

  test('is a face and a position of a rack', async () => {
    const site = (await kit.site()).id;
    const rack = (await kit.rack({ id: site })).id;
    const flat = await kit.deviceType({ u_height: 0 });
    const at = async (more: object) =>
      (await kit.refused('post', 'dcim/devices', await kit.deviceBody({ site, ...more })))[1];
    expect(await at({ face: 'front' })).toEqual({ face: ['Cannot select a rack face without assigning a rack.'] });
    expect(await at({ position: 3 })).toEqual({
      position: ['Cannot select a rack position without assigning a rack.'],
    });
    expect(await at({ rack, position: 3 })).toEqual({ face: ['Must specify rack face when defining rack position.'] });
    expect(await at({ rack, face: 'front', position: 1.3 })).toEqual({
      position: ['Position must be in increments of 0.5 rack units.'],
    });
    expect(await at({ rack, face: 'front', position: 0.1 })).toEqual({
      position: ['Ensure this value is greater than or equal to 0.5.'],
    });
    expect(await at({ rack, face: 'front', position: 0.5 })).toEqual({
      position: ['Ensure this value is greater than or equal to 1.'],
    });
    expect(await at({ rack, face: 'front', position: 3, device_type: flat.id })).toEqual({
      position: [`A 0U device type (${flat.model}) cannot be assigned to a rack position.`],
    });
  });

  test('is free: units, halves of units, faces and depth', async () => {
    const site = (await kit.site()).id;
    const rack = (await kit.rack({ id: site }, { u_height: 10 })).id;
    const [deep, shallow] = [await kit.deviceType({ u_height: 1.5 }), await kit.deviceType({ is_full_depth: false })];
    const body = (type: { id: number }, position: number, face = 'front') =>
      kit.deviceBody({ site, rack, device_type: type.id, position, face });
    const taken = (type: { model: string }, position: string, height: string) => ({
      position: [
        `U${position} is already occupied or does not have sufficient space to accommodate this device type: ${type.model} (${height}U)`,
      ],
    });
    const first = await kit.make('dcim/devices', await body(deep, 3));
    expect((await kit.refused('post', 'dcim/devices', await body(deep, 2)))[1]).toEqual(taken(deep, '2.0', '1.5'));
    expect((await kit.refused('post', 'dcim/devices', await body(shallow, 4, 'rear')))[1]).toEqual(
      taken(shallow, '4.0', '1.0'),
    );
    expect((await kit.refused('post', 'dcim/devices', await body(deep, 10)))[1]).toEqual(taken(deep, '10.0', '1.5'));
    await kit.make('dcim/devices', await body(shallow, 4.5));
    await kit.make('dcim/devices', await body(shallow, 4.5, 'rear'));
    expect((await kit.refused('post', 'dcim/devices', [await body(shallow, 7), await body(shallow, 7.5)]))[1]).toEqual([
      {},
      taken(shallow, '7.5', '1.0'),
    ]);
    // A device does not stand in its own way, nor do those of one request that move away.
    expect((await kit.patch(`dcim/devices/${first.id}`, { position: 2.5 })).position).toBe(2.5);
    const [low, high] = await kit.make('dcim/devices', [await body(shallow, 7), await body(shallow, 8)]);
    const moved = await used.admin.patch('/api/dcim/devices/', [
      { id: high.id, position: 9 },
      { id: low.id, position: 7.5 },
    ]);
    expect([moved.status, moved.body.map((d: { position: number }) => d.position)]).toEqual([200, [9, 7.5]]);
  });
});

describe('a device', () => {
  test('has what its type says', async () => {
    const type = await kit.deviceType({ airflow: 'passive' });
    const of = { device_type: type.id };
    const power = await kit.make('dcim/power-port-templates', { ...of, name: 'PSU', maximum_draw: 100 });
    await kit.make('dcim/power-outlet-templates', { ...of, name: 'Out', power_port: power.id, feed_leg: 'B' });
    const [bridge] = await kit.make('dcim/interface-templates', [
      { ...of, name: 'br0', type: 'bridge' },
      { ...of, name: 'eth10', type: '1000base-t' },
    ]);
    await kit.make('dcim/interface-templates', {
      ...of,
      name: 'eth2',
      type: '1000base-t',
      bridge: bridge.id,
      mgmt_only: true,
      poe_mode: 'pse',
      label: 'up',
    });
    const rear = await kit.make('dcim/rear-port-templates', { ...of, name: 'R', type: 'mpo', positions: 2 });
    await kit.make('dcim/front-port-templates', {
      ...of,
      name: 'F',
      type: 'lc',
      rear_ports: [{ position: 1, rear_port: rear.id, rear_port_position: 2 }],
    });
    await kit.make('dcim/module-bay-templates', { ...of, name: 'Slot', position: '1' });
    const case_ = await kit.make('dcim/inventory-item-templates', { ...of, name: 'Case', part_id: 'C1' });
    await kit.make('dcim/inventory-item-templates', {
      ...of,
      name: 'Supply',
      parent: case_.id,
      component_type: 'dcim.powerporttemplate',
      component_id: power.id,
    });
    const device = await kit.device(of);
    const at = `device_id=${device.id}`;
    expect(device).toMatchObject({
      airflow: { value: 'passive' },
      interface_count: 3,
      power_port_count: 1,
      power_outlet_count: 1,
      rear_port_count: 1,
      front_port_count: 1,
      module_bay_count: 1,
      inventory_item_count: 2,
      console_port_count: 0,
    });
    const { results: ports } = await used.admin.read(`/api/dcim/interfaces/?${at}`);
    expect(
      ports.map((p: { name: string; bridge: unknown; label: string; mgmt_only: boolean }) => [
        p.name,
        p.label,
        p.mgmt_only,
        (p.bridge as { name: string } | null)?.name,
      ]),
    ).toEqual([
      ['br0', '', false, undefined],
      ['eth2', 'up', true, 'br0'],
      ['eth10', '', false, undefined],
    ]);
    const [outlet] = (await used.admin.read(`/api/dcim/power-outlets/?${at}`)).results;
    expect(outlet).toMatchObject({
      name: 'Out',
      feed_leg: { value: 'B' },
      power_port: { name: 'PSU', device: { id: device.id } },
    });
    const [front] = (await used.admin.read(`/api/dcim/front-ports/?${at}`)).results;
    const [back] = (await used.admin.read(`/api/dcim/rear-ports/?${at}`)).results;
    expect([front.rear_ports, back.front_ports]).toEqual([
      [{ position: 1, rear_port: back.id, rear_port_position: 2 }],
      [{ position: 2, front_port: front.id, front_port_position: 1 }],
    ]);
    const items = (await used.admin.read(`/api/dcim/inventory-items/?${at}`)).results;
    expect(
      items.map((i: { name: string; _depth: number; part_id: string; component: unknown; parent: number | null }) => [
        i.name,
        i._depth,
        i.part_id,
        (i.component as { name: string } | null)?.name,
        i.parent,
      ]),
    ).toEqual([
      ['Case', 0, 'C1', undefined, null],
      ['Supply', 1, '', 'PSU', items[0].id],
    ]);
    await eventually(async () =>
      expect(
        await used.admin.column(
          `/api/extras/object-changes/?changed_object_type=dcim.interface&changed_object_id=${ports[1].id}`,
          'prechange_data',
        ),
      ).toEqual([null]),
    );
    expect((await used.admin.delete(`/api/dcim/devices/${device.id}/`)).status).toBe(204);
    expect(await kit.ids(`dcim/interfaces/?id=${ports[0].id}`)).toEqual([]);
  });

  test('is limited to platforms of its maker, and takes that of its type', async () => {
    const other = await kit.make('dcim/manufacturers', kit.named('maker'));
    const maker = await kit.manufacturer();
    const [theirs, ours] = [
      await kit.make('dcim/platforms', kit.named('os', { manufacturer: other.id })),
      await kit.make('dcim/platforms', kit.named('os', { manufacturer: maker.id })),
    ];
    const type = await kit.deviceType({ default_platform: ours.id });
    expect(
      await kit.refused('post', 'dcim/devices', await kit.deviceBody({ device_type: type.id, platform: theirs.id })),
    ).toEqual([
      400,
      {
        platform: [
          `The assigned platform is limited to ${other.name} device types, but this device's type belongs to ${maker.name}.`,
        ],
      },
    ]);
    expect((await kit.device({ device_type: type.id })).platform).toMatchObject({ id: ours.id });
  });

  test('runs in a cluster at its own place', async () => {
    const [here, there] = [await kit.site(), await kit.site()];
    const type = await kit.make('virtualization/cluster-types', kit.named('kind'));
    const cluster = await kit.make('virtualization/clusters', {
      name: unique('cluster'),
      type: type.id,
      scope_type: 'dcim.site',
      scope_id: there.id,
    });
    expect(
      await kit.refused('post', 'dcim/devices', await kit.deviceBody({ site: here.id, cluster: cluster.id })),
    ).toEqual([400, { cluster: [`The assigned cluster belongs to a different site (${there.name})`] }]);
    const device = await kit.device({ site: there.id, cluster: cluster.id });
    expect(await kit.ids(`dcim/devices/?cluster_id=${cluster.id}`)).toEqual([device.id]);
  });

  test('keeps local data as an object', async () => {
    expect(await kit.refused('post', 'dcim/devices', await kit.deviceBody({ local_context_data: [1] }))).toEqual([
      400,
      { local_context_data: ['JSON data must be in object form. Example: {"foo": 123}'] },
    ]);
    const device = await kit.device({ local_context_data: { a: 1 } });
    expect(await kit.ids(`dcim/devices/?local_context_data=true&id=${device.id}`)).toEqual([device.id]);
  });

  test('is found by what it has and where it is', async () => {
    const region = await kit.make('dcim/regions', kit.named('region'));
    const below = await kit.make('dcim/regions', kit.named('region', { parent: region.id }));
    const site = await kit.site({ region: below.id });
    const type = await kit.deviceType({ is_full_depth: false });
    const device = await kit.device({ site: site.id, device_type: type.id, serial: unique('SN') });
    const port = await kit.interface(device);
    const mac = `02:${device.id.toString(16).padStart(8, '0').match(/../g)!.join(':')}:01`.toUpperCase();
    await kit.make('dcim/mac-addresses', {
      mac_address: mac,
      assigned_object_type: 'dcim.interface',
      assigned_object_id: port.id,
    });
    const found = (query: string) => kit.ids(`dcim/devices/?id=${device.id}&${query}`);
    for (const query of [
      `region=${region.slug}`,
      `site_id=${site.id}`,
      `mac_address=${mac.toLowerCase().replaceAll(':', '-')}`,
      `mac_address__isw=${mac.slice(0, 8)}`,
      'interfaces=true',
      'console_ports=false',
      'interface_count=1',
      'interface_count__gte=1',
      'is_full_depth=false',
      `name=${device.name.toUpperCase()}`,
      `serial=${device.serial.toLowerCase()}`,
      `model=${type.slug}`,
      `manufacturer=${(await kit.manufacturer()).slug}`,
      'virtual_chassis_member=false',
      'has_virtual_device_context=false',
      'status=active',
      'tenant=null',
    ])
      expect([query, await found(query)]).toEqual([query, [device.id]]);
    for (const query of [
      'interfaces=false',
      'module_bays=true',
      'interface_count__gt=1',
      'is_full_depth=true',
      'face=front',
      'has_primary_ip=true',
      'mac_address=zz',
      `name=${device.name}x`,
    ])
      expect([query, await found(query)]).toEqual([query, []]);
    expect((await used.admin.get('/api/dcim/devices/?site=nowhere-at-all')).status).toBe(400);
  });

  test('is listed by its name as people count', async () => {
    const prefix = unique('n');
    const site = (await kit.site()).id;
    const device_type = (await kit.deviceType()).id;
    await kit.make(
      'dcim/devices',
      await Promise.all(['10', '2', '1'].map((n) => kit.deviceBody({ site, device_type, name: `${prefix}-${n}` }))),
    );
    expect(await used.admin.column(`/api/dcim/devices/?site_id=${site}`)).toEqual(
      ['1', '2', '10'].map((n) => `${prefix}-${n}`),
    );
  });
});

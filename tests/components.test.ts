import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Body } from './support/client.ts';
import { Equipment } from './support/equipment.ts';
import { useSystem } from './support/system.ts';
import { nextMac, nextVid, unique } from './support/unique.ts';

const used = useSystem();
const kit = new Equipment(() => used.admin);
const interfaces = (body: unknown) => kit.refused('post', 'dcim/interfaces', body);

let device: Body, other: Body;
beforeAll(async () => {
  [device, other] = [await kit.device(), await kit.device()];
});

test.each(['console-ports', 'console-server-ports'])('%s are as fast as any that is offered', async (path) => {
  for (const value of [1200, 57_600, 115_200]) {
    const made = await kit.make(`dcim/${path}`, { device: device.id, name: unique('line'), speed: value });
    expect([made.speed.value, await kit.ids(`dcim/${path}/?id=${made.id}&speed=${value}`)]).toEqual([value, [made.id]]);
  }
  expect((await used.admin.get(`/api/dcim/${path}/?speed=99999999999`)).body).toEqual({
    speed: ['Select a valid choice. 99999999999 is not one of the available choices.'],
  });
});

describe('every component', () => {
  const kinds: [path: string, more: object, label: string][] = [
    ['console-ports', { type: 'rj-45', speed: 9600 }, 'Console port'],
    ['console-server-ports', {}, 'Console server port'],
    ['power-ports', { maximum_draw: 10 }, 'Power port'],
    ['power-outlets', { status: 'faulty' }, 'Power outlet'],
    ['interfaces', { type: 'virtual' }, 'Interface'],
    ['front-ports', { type: 'lc' }, 'Front port'],
    ['rear-ports', { type: 'lc', positions: 2 }, 'Rear port'],
  ];
  test.each(kinds)('%s: one of each name in a device, which it does not leave', async (path, more, label) => {
    const name = unique('c'),
      made = await kit.make(`dcim/${path}`, { device: device.id, name, ...more });
    expect(made).toMatchObject({
      device: { id: device.id, name: device.name },
      module: null,
      name,
      display: name,
      mark_connected: false,
      cable: null,
      _occupied: false,
    });
    expect(await kit.refused('post', `dcim/${path}`, { device: device.id, name, ...more })).toEqual([
      400,
      { __all__: [`${label} with this Device and Name already exists.`] },
    ]);
    expect(await kit.refused('patch', `dcim/${path}/${made.id}`, { device: other.id })).toEqual([
      400,
      { device: ['Components cannot be moved to a different device.'] },
    ]);
    expect(
      await kit.patch(`dcim/${path}/${made.id}`, { mark_connected: path !== 'interfaces', label: 'x' }),
    ).toMatchObject({ _occupied: path !== 'interfaces', label: 'x', display: `${name} (x)` });
    const found = (query: string) => kit.ids(`dcim/${path}/?id=${made.id}&${query}`);
    const type = await kit.read(`dcim/device-types/${device.device_type.id}`);
    for (const query of [
      `device=${device.name}`,
      `device_id=${device.id}`,
      `site=${device.site.slug}`,
      `device_type=${type.model}`,
      `device_role_id=${device.role.id}`,
      'device_status=active',
      'cabled=false',
      'q=X',
      'label=x',
    ])
      expect([query, await found(query)]).toEqual([query, [made.id]]);
    for (const query of [`device_id=${other.id}`, 'device_status=failed', 'cabled=true', 'label__n=x'])
      expect([query, await found(query)]).toEqual([query, []]);
    expect((await used.admin.delete(`/api/dcim/${path}/${made.id}/`)).status).toBe(204);
  });

  test('goes with its device', async () => {
    const gone = await kit.device(),
      port = await kit.interface(gone),
      mac = await kit.make('dcim/mac-addresses', {
        mac_address: '0200.5e00.5301',
        assigned_object_type: 'dcim.interface',
        assigned_object_id: port.id,
      });
    await kit.interface(gone, { type: 'virtual', parent: port.id });
    expect((await used.admin.delete(`/api/dcim/devices/${gone.id}/`)).status).toBe(204);
    expect([
      (await used.admin.get(`/api/dcim/interfaces/${port.id}/`)).status,
      (await used.admin.get(`/api/dcim/mac-addresses/${mac.id}/`)).status,
    ]).toEqual([404, 404]);
  });
});

describe('an interface', () => {
  test('that is shown inside another one has the number of its cable', async () => {
    const [lag, far] = [
        await kit.interface(device, { type: '1000base-t' }),
        await kit.interface(other, { type: '1000base-t' }),
      ],
      child = await kit.interface(device, { type: 'virtual', parent: lag.id });
    const cable = await kit.make('dcim/cables', {
      a_terminations: [{ object_type: 'dcim.interface', object_id: lag.id }],
      b_terminations: [{ object_type: 'dcim.interface', object_id: far.id }],
    });
    expect((await kit.read(`dcim/interfaces/${child.id}`)).parent).toEqual({
      id: lag.id,
      url: lag.url,
      display_url: lag.display_url,
      display: lag.name,
      name: lag.name,
      cable: cable.id,
      _occupied: true,
      device: {
        id: device.id,
        url: device.url,
        display_url: device.display_url,
        display: device.display,
        name: device.name,
      },
    });
  });

  test('is sorted by slot and port', async () => {
    const own = await kit.device();
    await kit.make(
      'dcim/interfaces',
      ['ae0', 'xe-0/0/10', 'xe-0/0/2', 'xe-0/1/0', 'lo0'].map((name) => ({ device: own.id, name, type: 'virtual' })),
    );
    expect(await used.admin.column(`/api/dcim/interfaces/?device_id=${own.id}`)).toEqual([
      'xe-0/0/2',
      'xe-0/0/10',
      'xe-0/1/0',
      'ae0',
      'lo0',
    ]);
  });

  test('belongs together with others of its device or chassis', async () => {
    const [lag, far, port] = [
      await kit.interface(device, { type: 'lag' }),
      await kit.interface(other, { type: 'lag' }),
      await kit.interface(device),
    ];
    const base = { device: device.id, name: unique('i') };
    expect(await interfaces({ ...base, type: '1000base-t', lag: far.id })).toEqual([
      400,
      { lag: [`The selected LAG interface (${far.name}) belongs to a different device (${other.name}).`] },
    ]);
    expect(await interfaces({ ...base, type: 'virtual', parent: far.id })).toEqual([
      400,
      { parent: [`The selected parent interface (${far.name}) belongs to a different device (${other.name})`] },
    ]);
    expect(await interfaces({ ...base, type: 'virtual', bridge: far.id })).toEqual([
      400,
      { bridge: [`The selected bridge interface (${far.name}) belongs to a different device (${other.name}).`] },
    ]);
    expect(await interfaces({ ...base, type: '1000base-t', parent: lag.id })).toEqual([
      400,
      { parent: ['Only virtual interfaces may be assigned to a parent interface.'] },
    ]);
    expect(await interfaces({ ...base, type: 'virtual', lag: lag.id })).toEqual([
      400,
      { lag: ['Virtual interfaces cannot have a parent LAG interface.'] },
    ]);
    expect(await kit.refused('patch', `dcim/interfaces/${lag.id}`, { lag: lag.id })).toEqual([
      400,
      { lag: ['A LAG interface cannot be its own parent.'] },
    ]);
    expect(await kit.refused('patch', `dcim/interfaces/${port.id}`, { bridge: port.id })).toEqual([
      400,
      { bridge: ['An interface cannot be bridged to itself.'] },
    ]);
    const child = await kit.interface(device, { type: 'virtual', parent: port.id });
    expect(child.parent).toMatchObject({
      id: port.id,
      display_url: expect.any(String),
      device: { id: device.id, display_url: expect.any(String) },
      cable: null,
      _occupied: false,
    });
    expect(await kit.patch(`dcim/interfaces/${port.id}`, { lag: lag.id, bridge: lag.id })).toMatchObject({
      lag: { id: lag.id },
      bridge: { id: lag.id },
    });
    expect((await kit.read(`dcim/interfaces/${lag.id}`)).bridge_interfaces).toEqual([
      expect.objectContaining({ id: port.id, name: port.name }),
    ]);
    const [status, { detail }] = await kit.refused('delete', `dcim/interfaces/${port.id}`);
    expect([status, detail]).toEqual([409, expect.stringContaining(child.name)]);
    expect((await used.admin.delete(`/api/dcim/interfaces/${lag.id}/`)).status).toBe(204);
    expect(await kit.read(`dcim/interfaces/${port.id}`)).toMatchObject({ lag: null, bridge: null });
  });

  test('has what fits its type', async () => {
    const refusal = async (more: object) => (await interfaces({ device: device.id, name: unique('i'), ...more }))[1];
    expect(await refusal({ type: 'virtual', mark_connected: true })).toEqual({
      mark_connected: ['Virtual interfaces cannot be marked as connected.'],
    });
    expect(await refusal({ type: 'virtual', poe_mode: 'pd' })).toEqual({
      poe_mode: ['Virtual interfaces cannot have a PoE mode.'],
    });
    expect(await refusal({ type: '1000base-t', poe_type: 'type1-ieee802.3af' })).toEqual({
      poe_type: ['Must specify PoE mode when designating a PoE type.'],
    });
    expect(await refusal({ type: '1000base-t', rf_role: 'ap' })).toEqual({
      rf_role: ['Wireless role may be set only on wireless interfaces.'],
    });
    expect(await refusal({ type: '1000base-t', rf_channel: '5g-36-5180-20' })).toEqual({
      rf_channel: ['Channel may be set only on wireless interfaces.'],
    });
    expect(await refusal({ type: '1000base-t', rf_channel_width: 20 })).toEqual({
      rf_channel_width: ['Channel width may be set only on wireless interfaces.'],
    });
    expect(await refusal({ type: 'ieee802.11ac', rf_channel: '5g-36-5180-20', rf_channel_frequency: 5000 })).toEqual({
      rf_channel_frequency: ['Cannot specify custom frequency with channel selected.'],
    });
    expect(
      await kit.interface(device, { type: 'ieee802.11ac', rf_channel: '5g-36-5180-20', tx_power: -3 }),
    ).toMatchObject({ rf_channel_frequency: 5180, rf_channel_width: 20, tx_power: -3 });
    expect(await refusal({ type: '1000base-t', wwn: 'x' })).toEqual({ wwn: ['Invalid WWN format: x'] });
    expect(
      await kit.interface(device, { wwn: '2001000a64000001', speed: 9_000_000_000, duplex: 'full' }),
    ).toMatchObject({ wwn: '20:01:00:0A:64:00:00:01', speed: 9_000_000_000, duplex: { value: 'full' } });
  });

  test('carries VLANs of its site, or of none, as its mode says', async () => {
    const vlan = (more: object = {}) => kit.make('ipam/vlans', { vid: nextVid(), name: unique('vlan'), ...more });
    const [global, here, there] = [
      await vlan(),
      await vlan({ site: device.site.id }),
      await vlan({ site: other.site.id }),
    ];
    const port = await kit.interface(device, {
      mode: 'tagged',
      untagged_vlan: here.id,
      tagged_vlans: [global.id, here.id],
    });
    expect([port.untagged_vlan.id, port.tagged_vlans.map((v: Body) => v.id)]).toEqual([here.id, [global.id, here.id]]);
    const setting = async (body: object) => (await kit.refused('patch', `dcim/interfaces/${port.id}`, body))[1];
    expect(await setting({ untagged_vlan: there.id })).toEqual({
      untagged_vlan: [
        expect.stringMatching(
          /^The untagged VLAN \(.*\) must belong to the same site as the interface's parent device, or it must be global\.$/,
        ),
      ],
    });
    expect(await setting({ tagged_vlans: [there.id] })).toHaveProperty('tagged_vlans');
    expect(await setting({ qinq_svlan: here.id })).toEqual({
      qinq_svlan: ['Interface mode does not support q-in-q service vlan'],
    });
    // What does not fit the mode is told alone: whether the name is taken, too, is not asked.
    expect(
      await kit.refused('post', 'dcim/interfaces', {
        device: device.id,
        name: port.name,
        type: 'virtual',
        untagged_vlan: here.id,
      }),
    ).toEqual([400, { untagged_vlan: ['Interface mode does not support untagged vlan'] }]);
    for (const query of [`vlan_id=${here.id}`, `vlan=${global.vid}`])
      expect(await kit.ids(`dcim/interfaces/?id=${port.id}&${query}`)).toEqual([port.id]);
    expect(
      await kit.patch(`dcim/interfaces/${port.id}`, { mode: null, untagged_vlan: null, tagged_vlans: [] }),
    ).toMatchObject({ mode: null, untagged_vlan: null, tagged_vlans: [] });
  });

  test('is of a kind', async () => {
    const own = await kit.device(),
      [port, loop, radio] = [
        await kit.interface(own),
        await kit.interface(own, { type: 'virtual' }),
        await kit.interface(own, { type: 'ieee802.11ax' }),
      ];
    const of = (kind: string) => kit.ids(`dcim/interfaces/?device_id=${own.id}&kind=${kind}`);
    expect(await Promise.all(['physical', 'virtual', 'wireless', 'other'].map(of))).toEqual([
      [port.id],
      [loop.id],
      [radio.id],
      [],
    ]);
  });

  test('may be part of contexts of its device', async () => {
    const context = await kit.make('dcim/virtual-device-contexts', {
      name: unique('vdc'),
      device: device.id,
      status: 'active',
      identifier: device.id % 30_000,
    });
    const foreign = await kit.make('dcim/virtual-device-contexts', {
      name: unique('vdc'),
      device: other.id,
      status: 'planned',
    });
    const port = await kit.interface(device, { vdcs: [context.id] });
    expect(port.vdcs).toEqual([expect.objectContaining({ id: context.id, name: context.name })]);
    expect(
      (await interfaces({ device: device.id, name: unique('i'), type: 'virtual', vdcs: [foreign.id] }))[1],
    ).toHaveProperty('vdcs');
    expect(await kit.ids(`dcim/interfaces/?vdc_identifier=${context.identifier}&vdc_id=${context.id}`)).toEqual([
      port.id,
    ]);
    expect(await kit.read(`dcim/virtual-device-contexts/${context.id}`)).toMatchObject({ interface_count: 1 });
    expect(await kit.ids(`dcim/virtual-device-contexts/?interface_id=${port.id}`)).toEqual([context.id]);
    expect(
      await kit.refused('post', 'dcim/virtual-device-contexts', {
        name: unique('vdc'),
        device: device.id,
        status: 'active',
        identifier: context.identifier,
      }),
    ).toEqual([400, { __all__: ['Virtual device context with this Device and Identifier already exists.'] }]);
  });

  test('is made five hundred at a time', async () => {
    const own = await kit.device(),
      made = await kit.make(
        'dcim/interfaces',
        Array.from({ length: 500 }, (_, i) => ({ device: own.id, name: `eth${i}`, type: '1000base-t' })),
      );
    expect(made).toHaveLength(500);
    expect((await kit.read(`dcim/devices/${own.id}`)).interface_count).toBe(500);
  });
});

describe('a MAC address', () => {
  const at = (port: Body) => ({ assigned_object_type: 'dcim.interface', assigned_object_id: port.id });

  test('may stand for the interface that it is assigned to', async () => {
    const [port, far] = [await kit.interface(device), await kit.interface(other)],
      mac = nextMac();
    const made = await kit.make('dcim/mac-addresses', { mac_address: mac.toLowerCase(), ...at(port) });
    expect(made).toMatchObject({
      display: mac,
      mac_address: mac,
      assigned_object: { id: port.id, device: { id: device.id } },
    });
    expect((await kit.refused('patch', `dcim/interfaces/${far.id}`, { primary_mac_address: made.id }))[1]).toEqual({
      primary_mac_address: [expect.stringContaining('is assigned to a different interface')],
    });
    expect(await kit.patch(`dcim/interfaces/${port.id}`, { primary_mac_address: made.id })).toMatchObject({
      mac_address: mac,
      primary_mac_address: { mac_address: mac },
      mac_addresses: [{ id: made.id }],
    });
    expect(await kit.refused('patch', `dcim/mac-addresses/${made.id}`, { assigned_object_id: far.id })).toEqual([
      400,
      { __all__: ['Cannot reassign MAC Address while it is designated as the primary MAC for an object'] },
    ]);
    expect(
      await kit.refused('patch', `dcim/mac-addresses/${made.id}`, {
        assigned_object_type: null,
        assigned_object_id: null,
      }),
    ).toEqual([
      400,
      { __all__: ['Cannot unassign MAC Address while it is designated as the primary MAC for an object'] },
    ]);
    const found = (query: string) => kit.ids(`dcim/mac-addresses/?id=${made.id}&${query}`);
    for (const query of [
      `device=${device.name}`,
      `device_id=${device.id}`,
      `interface=${port.name}`,
      `interface_id=${port.id}`,
      'assigned=true',
      'primary=true',
      `mac_address=${mac.replaceAll(':', '')}`,
      `mac_address__ic=${mac.slice(6)}`,
      `q=${mac.slice(3)}`,
    ])
      expect([query, await found(query)]).toEqual([query, [made.id]]);
    for (const query of [`device_id=${other.id}`, 'assigned=false', 'primary=false', 'virtual_machine=none'])
      expect([query, await found(query)]).toEqual([query, []]);
    for (const query of [`mac_address=${mac}`, `primary_mac_address=${mac}`])
      expect(await kit.ids(`dcim/interfaces/?id=${port.id}&${query}`)).toEqual([port.id]);
    expect((await used.admin.delete(`/api/dcim/mac-addresses/${made.id}/`)).status).toBe(204);
    expect(await kit.read(`dcim/interfaces/${port.id}`)).toMatchObject({
      mac_address: null,
      primary_mac_address: null,
      mac_addresses: [],
    });
  });

  test('is one', async () => {
    expect(await kit.refused('post', 'dcim/mac-addresses', { mac_address: '00:11:22:33' })).toEqual([
      400,
      { mac_address: ['Invalid MAC address format: 00:11:22:33'] },
    ]);
  });
});

describe('ports', () => {
  test('are mapped within a device, at positions that both have', async () => {
    const rear = await kit.make('dcim/rear-ports', { device: device.id, name: unique('r'), type: 'mpo', positions: 2 }),
      far = await kit.make('dcim/rear-ports', { device: other.id, name: unique('r'), type: 'mpo' });
    const front = (rear_port: Body, position: number) => ({
      device: device.id,
      name: unique('f'),
      type: 'lc',
      rear_ports: [{ position: 1, rear_port: rear_port.id, rear_port_position: position }],
    });
    const made = await kit.make('dcim/front-ports', front(rear, 2));
    expect((await kit.read(`dcim/rear-ports/${rear.id}`)).front_ports).toEqual([
      { position: 2, front_port: made.id, front_port_position: 1 },
    ]);
    expect((await kit.refused('post', 'dcim/front-ports', front(far, 1)))[1]).toEqual({
      rear_ports: [`Rear port (${far.name}) must belong to the same device`],
    });
    expect((await kit.refused('post', 'dcim/front-ports', front(rear, 3)))[1]).toEqual({
      rear_ports: [`Invalid rear port position (3): Rear port ${rear.name} has only 2 positions.`],
    });
    expect((await kit.refused('post', 'dcim/front-ports', front(rear, 2)))[0]).toBe(400);
    expect(await kit.ids(`dcim/front-ports/?rear_port_id=${rear.id}`)).toEqual([made.id]);
    expect((await used.admin.delete(`/api/dcim/front-ports/${made.id}/`)).status).toBe(204);
    expect((await kit.read(`dcim/rear-ports/${rear.id}`)).front_ports).toEqual([]);
  });

  test('of power: outlets are fed by a port of their device', async () => {
    const [inlet, far] = [
      await kit.make('dcim/power-ports', { device: device.id, name: unique('p') }),
      await kit.make('dcim/power-ports', { device: other.id, name: unique('p') }),
    ];
    expect(
      await kit.refused('post', 'dcim/power-outlets', { device: device.id, name: unique('o'), power_port: far.id }),
    ).toEqual([400, { __all__: [`Parent power port (${far.name}) must belong to the same device`] }]);
    const outlet = await kit.make('dcim/power-outlets', { device: device.id, name: unique('o'), power_port: inlet.id });
    expect(await kit.ids(`dcim/power-outlets/?power_port_id=${inlet.id}`)).toEqual([outlet.id]);
    expect(
      (
        await kit.refused('post', 'dcim/power-ports', {
          device: device.id,
          name: unique('p'),
          maximum_draw: 1,
          allocated_draw: 2,
        })
      )[1],
    ).toHaveProperty('allocated_draw');
  });
});

describe('an inventory item', () => {
  const item = (more: object) => kit.make('dcim/inventory-items', { device: device.id, name: unique('item'), ...more });
  test('lies in others of its device, and may be part of a component', async () => {
    const [board, port, far] = [
      await item({ asset_tag: unique('tag') }),
      await kit.interface(device),
      await kit.interface(other),
    ];
    const optic = await item({
      parent: board.id,
      component_type: 'dcim.interface',
      component_id: port.id,
      serial: 'Abc',
    });
    expect(optic).toMatchObject({ parent: board.id, _depth: 1, component: { id: port.id, name: port.name } });
    expect(
      await kit.refused('post', 'dcim/inventory-items', {
        device: device.id,
        name: unique('item'),
        component_type: 'dcim.interface',
        component_id: far.id,
      }),
    ).toEqual([400, { device: ['Cannot assign inventory item to component on another device'] }]);
    expect((await kit.refused('patch', `dcim/inventory-items/${optic.id}`, { device: other.id }))[1]).toEqual({
      parent: ['Parent inventory item does not belong to the same device.'],
    });
    expect((await kit.refused('patch', `dcim/inventory-items/${board.id}`, { device: other.id }))[1]).toEqual({
      __all__: ['Cannot move an inventory item with dependent children'],
    });
    expect((await kit.refused('patch', `dcim/inventory-items/${board.id}`, { parent: optic.id }))[1]).toHaveProperty(
      'parent',
    );
    expect(
      (await kit.refused('post', 'dcim/inventory-items', { device: device.id, name: optic.name, parent: board.id }))[1],
    ).toEqual({ __all__: ['Inventory item with this Device, Parent and Name already exists.'] });
    expect(
      await kit.ids(`dcim/inventory-items/?parent_id=${board.id}&serial=aBC&component_type=dcim.interface`),
    ).toEqual([optic.id]);
    expect((await used.admin.delete(`/api/dcim/interfaces/${port.id}/`)).status).toBe(204);
    expect((await used.admin.get(`/api/dcim/inventory-items/${optic.id}/`)).status).toBe(404);
    const moved = await item({});
    expect(await kit.patch(`dcim/inventory-items/${moved.id}`, { device: other.id })).toMatchObject({
      device: { id: other.id },
    });
  });
});

import { describe, expect, test } from '@jest/globals';
import type { Body } from '../../../support/client.ts';
import { nextMac, nextVid, unique } from '../../../support/unique.ts';
import { used, kit, interfaces, device, other } from '../../../support/objects/components.ts';

describe('an interface', () => {
  test('that is shown inside another one has the number of its cable', async () => {
    const [lag, far] = [
      await kit.interface(device, { type: '1000base-t' }),
      await kit.interface(other, { type: '1000base-t' }),
    ];
    const child = await kit.interface(device, { type: 'virtual', parent: lag.id });
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
    expect([port.untagged_vlan.id, port.tagged_vlans.map((v: Body) => v.id)]).toEqual([here.id, [here.id, global.id]]);
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
    // A conflict with the mode is reported alone: whether the name is taken as well is not checked.
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
    const own = await kit.device();
    const [port, loop, radio] = [
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
    const own = await kit.device();
    const made = await kit.make(
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
    const [port, far] = [await kit.interface(device), await kit.interface(other)];
    const mac = nextMac();
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

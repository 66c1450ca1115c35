import { expect, test } from '@jest/globals';
import type { Body } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { nextMac, nextNetwork, nextVid, unique } from '../../support/unique.ts';
import { used, at, site, machine, refused, patched } from '../../support/objects/virtualization.ts';

test('interfaces are counted in their order, and build on others of the same virtual machine', async () => {
  const vm = await machine();
  const other = await machine();
  const make = (name: string, more = {}): Promise<Body> =>
    used.admin.make(at('interfaces'), { virtual_machine: vm.id, name, ...more });
  const ten = await make('eth10');
  const two = await make('eth2');
  const child = await make('eth2.100', { parent: two.id, mtu: 1500, bridge: ten.id });
  expect(child).toMatchObject({
    parent: { id: two.id, display: 'eth2', name: 'eth2', virtual_machine: { id: vm.id } },
    bridge: { id: ten.id },
    mode: null,
    mac_address: null,
    mac_addresses: [],
    tagged_vlans: [],
    l2vpn_termination: null,
    enabled: true,
  });
  expect(child.parent).toEqual({
    id: two.id,
    url: two.url,
    display_url: two.display_url,
    display: 'eth2',
    name: 'eth2',
    virtual_machine: { id: vm.id, url: vm.url, display_url: vm.display_url, display: vm.display, name: vm.name },
  });
  expect((await used.admin.get(`${at('interfaces')}999999999/`)).body).toEqual({
    detail: 'No VMInterface matches the given query.',
  });
  expect(await used.admin.column(`${at('interfaces')}?virtual_machine_id=${vm.id}`)).toEqual([
    'eth2',
    'eth2.100',
    'eth10',
  ]);
  const foreign = await used.admin.make(at('interfaces'), { virtual_machine: other.id, name: 'eth0' });
  const body = { virtual_machine: vm.id, name: 'x' };
  expect(await refused('interfaces', { ...body, parent: foreign.id })).toEqual([
    400,
    { parent: [`The selected parent interface (eth0) belongs to a different virtual machine (${other.name}).`] },
  ]);
  expect(await refused('interfaces', { ...body, bridge: foreign.id })).toEqual([
    400,
    { bridge: [`The selected bridge interface (eth0) belongs to a different virtual machine (${other.name}).`] },
  ]);
  expect(await refused('interfaces', { ...body, mtu: 65_537 })).toEqual([
    400,
    { mtu: ['Ensure this value is less than or equal to 65536.'] },
  ]);
  expect(await refused('interfaces', { ...body, name: 'eth2' })).toEqual([
    400,
    { __all__: ['Interface with this Virtual machine and Name already exists.'] },
  ]);
  expect(await patched(`${at('interfaces')}${two.id}/`, { parent: two.id })).toEqual([
    400,
    { parent: ['An interface cannot be its own parent.'] },
  ]);
  expect(await patched(`${at('interfaces')}${two.id}/`, { bridge: two.id })).toEqual([
    400,
    { bridge: ['An interface cannot be bridged to itself.'] },
  ]);
  expect((await used.admin.delete(`${at('interfaces')}${two.id}/`)).status).toBe(409);
  expect((await used.admin.delete(`${at('interfaces')}${ten.id}/`)).status).toBe(204);
  expect(await used.admin.read(`${at('interfaces')}${child.id}/`)).toMatchObject({ bridge: null });
  expect(await used.admin.read(`${at('virtual-machines')}${vm.id}/`)).toMatchObject({ interface_count: 2 });
});

test('interfaces have hardware addresses, one of which stands for them', async () => {
  const vm = await machine();
  const make = (more = {}): Promise<Body> =>
    used.admin.make('/api/dcim/mac-addresses/', { mac_address: nextMac(), ...more });
  const eth0 = await used.admin.make(at('interfaces'), { virtual_machine: vm.id, name: 'eth0' });
  const eth1 = await used.admin.make(at('interfaces'), { virtual_machine: vm.id, name: 'eth1' });
  const [mine, second] = [
    await make({ assigned_object_type: 'virtualization.vminterface', assigned_object_id: eth0.id }),
    await make({ assigned_object_type: 'virtualization.vminterface', assigned_object_id: eth0.id }),
  ];
  expect(await patched(`${at('interfaces')}${eth0.id}/`, { primary_mac_address: mine.id })).toEqual([200, undefined]);
  await eventually(async () => {
    const shown = await used.admin.read(`${at('interfaces')}${eth0.id}/`);
    expect(shown).toMatchObject({ mac_address: mine.mac_address, primary_mac_address: { id: mine.id } });
    expect(shown.mac_addresses.map((mac: Body) => mac.id).sort()).toEqual([mine.id, second.id].sort());
  });
  expect(await patched(`${at('interfaces')}${eth1.id}/`, { primary_mac_address: second.id })).toEqual([
    400,
    { primary_mac_address: [`MAC address ${second.mac_address} is assigned to a different interface (eth0).`] },
  ]);
  expect(await used.admin.column(`${at('interfaces')}?mac_address=${mine.mac_address.toLowerCase()}`)).toEqual([
    'eth0',
  ]);
  expect(await used.admin.column(`${at('virtual-machines')}?mac_address=${mine.mac_address}`)).toEqual([vm.name]);

  const free = await make();
  const eth2 = await used.admin.make(at('interfaces'), {
    virtual_machine: vm.id,
    name: 'eth2',
    primary_mac_address: free.id,
  });
  await eventually(async () => {
    expect(await used.admin.read(`/api/dcim/mac-addresses/${free.id}/`)).toMatchObject({
      assigned_object_type: 'virtualization.vminterface',
      assigned_object_id: eth2.id,
      assigned_object: { name: 'eth2' },
    });
  });
});

test('interfaces carry VLANs of their site, as their mode says', async () => {
  const [here, there] = [await site(), await site()];
  const vm = await machine({ site: here.id });
  const vlan = (more: Record<string, unknown>): Promise<Body> =>
    used.admin.make('/api/ipam/vlans/', { name: unique('vlan'), vid: nextVid(), ...more });
  const [own, global, foreign] = [await vlan({ site: here.id }), await vlan({}), await vlan({ site: there.id })];
  const eth0 = await used.admin.make(at('interfaces'), {
    virtual_machine: vm.id,
    name: 'eth0',
    mode: 'tagged',
    untagged_vlan: own.id,
    tagged_vlans: [global.id],
  });
  const path = `${at('interfaces')}${eth0.id}/`;
  expect(eth0).toMatchObject({
    mode: { value: 'tagged', label: 'Tagged' },
    untagged_vlan: { id: own.id },
    tagged_vlans: [{ id: global.id }],
    qinq_svlan: null,
  });
  for (const [filter, found] of [
    [`vlan_id=${own.id}`, ['eth0']],
    [`vlan_id=${global.id}`, ['eth0']],
    [`vlan_id=${foreign.id}`, []],
    [`vlan=${own.vid}`, ['eth0']],
  ] as const) {
    expect([filter, await used.admin.column(`${at('interfaces')}?virtual_machine_id=${vm.id}&${filter}`)]).toEqual([
      filter,
      found,
    ]);
  }
  expect(await patched(path, { untagged_vlan: foreign.id })).toEqual([
    400,
    {
      untagged_vlan: [
        `The untagged VLAN (${foreign.display}) must belong to the same site as the interface's parent virtual machine, or it must be global.`,
      ],
    },
  ]);
  expect(await patched(path, { tagged_vlans: [foreign.id] })).toEqual([
    400,
    {
      tagged_vlans: [
        `VLAN ${foreign.display} must belong to the same site as the interface's parent virtual machine, or it must be global.`,
      ],
    },
  ]);
  expect(await patched(path, { qinq_svlan: global.id })).toEqual([
    400,
    { qinq_svlan: ['Only Q-in-Q interfaces may specify a service VLAN.'] },
  ]);
  expect(await patched(path, { mode: null })).toEqual([200, undefined]);
  expect(await used.admin.read(path)).toMatchObject({ mode: null, untagged_vlan: null, tagged_vlans: [] });
});

test('the primary address of a virtual machine is one of its interfaces’', async () => {
  const vm = await machine();
  const other = await machine();
  const path = `${at('virtual-machines')}${vm.id}/`;
  const [eth0, foreign] = [
    await used.admin.make(at('interfaces'), { virtual_machine: vm.id, name: 'eth0' }),
    await used.admin.make(at('interfaces'), { virtual_machine: other.id, name: 'eth0' }),
  ];
  const v4 = () => `${nextNetwork().four}.1/24`;
  const address = (text: string, holder?: Body, more = {}): Promise<Body> =>
    used.admin.make('/api/ipam/ip-addresses/', {
      address: text,
      ...(holder ? { assigned_object_type: 'virtualization.vminterface', assigned_object_id: holder.id } : {}),
      ...more,
    });
  const [mine, six, theirs, nobodys] = [
    await address(v4(), eth0),
    await address(`${nextNetwork().six}::1/64`, eth0),
    await address(v4(), foreign),
    await address(v4()),
  ];
  expect(await patched(path, { primary_ip4: mine.id, primary_ip6: six.id })).toEqual([200, undefined]);
  expect(await used.admin.read(path)).toMatchObject({
    primary_ip: { id: six.id, family: { value: 6 } },
    primary_ip4: { id: mine.id, address: mine.address },
    primary_ip6: { id: six.id, nat_inside: null, nat_outside: [], dns_name: '' },
  });
  for (const wrong of [theirs, nobodys])
    expect(await patched(path, { primary_ip4: wrong.id })).toEqual([
      400,
      { primary_ip4: [`The specified IP address (${wrong.address}) is not assigned to this VM.`] },
    ]);
  expect(await patched(path, { primary_ip4: six.id })).toEqual([
    400,
    { primary_ip4: [`Must be an IPv4 address. (${six.address} is an IPv6 address.)`] },
  ]);
  expect(Object.keys((await patched(`${at('virtual-machines')}${other.id}/`, { primary_ip4: mine.id }))[1])).toEqual([
    'primary_ip4',
  ]);
  const outside = await address(v4(), undefined, { nat_inside: mine.id });
  expect(await patched(path, { primary_ip4: outside.id })).toEqual([200, undefined]);
  expect(
    await used.admin.column(`${at('virtual-machines')}?primary_ip4=${encodeURIComponent(outside.address)}`),
  ).toEqual([vm.name]);
  expect(await used.admin.column(`${at('virtual-machines')}?has_primary_ip=true&cluster_id=${vm.cluster.id}`)).toEqual([
    vm.name,
  ]);
  await eventually(async () => {
    expect(await used.admin.read(`${at('interfaces')}${eth0.id}/`)).toMatchObject({ count_ipaddresses: 2 });
  });
  expect((await used.admin.delete(`/api/ipam/ip-addresses/${six.id}/`)).status).toBe(204);
  await eventually(async () => {
    expect(await used.admin.read(path)).toMatchObject({ primary_ip: { id: outside.id }, primary_ip6: null });
  });
});

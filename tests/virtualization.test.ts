import { expect, test } from '@jest/globals';
import type { Body } from './support/client.ts';
import { eventually } from './support/eventually.ts';
import { useSystem } from './support/system.ts';
import { nextMac, nextNetwork, nextVid, unique } from './support/unique.ts';

const used = useSystem();
const at = (path: string) => `/api/virtualization/${path}/`;
const named = (kind: string) => {
  const name = unique(kind);
  return { name, slug: name };
};

const site = (more: Record<string, unknown> = {}): Promise<Body> =>
  used.admin.make('/api/dcim/sites/', { ...named('site'), ...more });
const clusterType = (): Promise<Body> => used.admin.make(at('cluster-types'), named('type'));
const cluster = async (more: Record<string, unknown> = {}): Promise<Body> =>
  used.admin.make(at('clusters'), { name: unique('cluster'), type: (await clusterType()).id, ...more });
const machine = async (more: Record<string, unknown> = {}): Promise<Body> =>
  used.admin.make(at('virtual-machines'), {
    name: unique('vm'),
    ...('site' in more || 'cluster' in more || 'device' in more ? {} : { cluster: (await cluster()).id }),
    ...more,
  });
const refused = async (path: string, body: unknown) => {
  const answer = await used.admin.post(at(path), body);
  return [answer.status, answer.body];
};
const patched = async (path: string, body: unknown) => {
  const answer = await used.admin.patch(path, body);
  return [answer.status, answer.status === 200 ? undefined : answer.body];
};

test('a cluster and its machines go along with their location', async () => {
  const room = await used.admin.make('/api/dcim/locations/', { ...named('room'), site: (await site()).id }),
    made = await machine({ cluster: (await cluster({ scope_type: 'dcim.location', scope_id: room.id })).id });
  expect(made.site.id).toBe(room.site.id);
  const there = await site();
  expect((await used.admin.patch(`/api/dcim/locations/${room.id}/`, { site: there.id })).status).toBe(200);
  await eventually(async () =>
    expect((await used.admin.read(`${at('virtual-machines')}${made.id}/`)).site.id).toBe(there.id),
  );
});

test('a cluster is at a place, and found by those around it', async () => {
  const region = await used.admin.make('/api/dcim/regions/', named('region')),
    here = await site({ region: region.id });
  const room = await used.admin.make('/api/dcim/locations/', { ...named('room'), site: here.id });
  const inRoom = await cluster({ scope_type: 'dcim.location', scope_id: room.id }),
    inRegion = await cluster({ scope_type: 'dcim.region', scope_id: region.id });
  expect(inRoom).toMatchObject({
    scope_type: 'dcim.location',
    scope_id: room.id,
    scope: { id: room.id, name: room.name },
    device_count: 0,
    virtualmachine_count: 0,
    allocated_vcpus: null,
    allocated_memory: null,
    allocated_disk: null,
  });
  await eventually(async () =>
    expect(await used.admin.column(`${at('clusters')}?site=${here.slug}`)).toEqual([inRoom.name]),
  );
  await eventually(async () =>
    expect(new Set(await used.admin.column(`${at('clusters')}?region_id=${region.id}`))).toEqual(
      new Set([inRoom.name, inRegion.name]),
    ),
  );
  expect(await used.admin.column(`${at('clusters')}?location_id=${room.id}&scope_type=dcim.location`)).toEqual([
    inRoom.name,
  ]);
  expect(await refused('clusters', { name: unique(), type: inRoom.type.id, scope_type: 'dcim.site' })).toEqual([
    400,
    { __all__: ['Please select a site.'] },
  ]);
});

test('names of clusters are told apart within a group and within a site', async () => {
  const group = await used.admin.make(at('cluster-groups'), named('group')),
    here = await site();
  const first = await cluster({ group: group.id, scope_type: 'dcim.site', scope_id: here.id }),
    body = { name: first.name, type: first.type.id };
  expect(await refused('clusters', { ...body, group: group.id })).toEqual([
    400,
    { __all__: ['Cluster with this Group and Name already exists.'] },
  ]);
  expect((await refused('clusters', { ...body, scope_type: 'dcim.site', scope_id: here.id }))[0]).toBe(400);
  expect((await refused('clusters', body))[0]).toBe(201);
});

test('a cluster tells what its virtual machines have together, and stays while there are any', async () => {
  const home = await cluster();
  const small = await machine({ cluster: home.id, vcpus: 1.5, memory: 2048, disk: 10 });
  await machine({ cluster: home.id, vcpus: 2, memory: 1024 });
  expect(await used.admin.read(`${at('clusters')}${home.id}/`)).toMatchObject({
    virtualmachine_count: 2,
    allocated_vcpus: 3.5,
    allocated_memory: 3072,
    allocated_disk: 10,
  });
  await used.admin.patch(`${at('virtual-machines')}${small.id}/`, { vcpus: 4 });
  expect(await used.admin.read(`${at('clusters')}${home.id}/`)).toMatchObject({ allocated_vcpus: 6 });
  expect((await used.admin.delete(`${at('clusters')}${home.id}/`)).status).toBe(409);
});

test('virtual machines are where their cluster is, and follow it', async () => {
  const [here, there] = [await site(), await site()],
    home = await cluster({ scope_type: 'dcim.site', scope_id: here.id });
  const vm = await machine({ cluster: home.id });
  expect(vm).toMatchObject({
    site: { id: here.id },
    cluster: { id: home.id, name: home.name },
    status: { value: 'active', label: 'Active' },
    start_on_boot: { value: 'off', label: 'Off' },
    primary_ip: null,
    interface_count: 0,
  });
  expect(await refused('virtual-machines', { name: unique(), cluster: home.id, site: there.id })).toEqual([
    400,
    { cluster: [`The selected cluster (${home.name}) is not assigned to this site (${there.name}).`] },
  ]);
  await used.admin.patch(`${at('clusters')}${home.id}/`, { scope_type: 'dcim.site', scope_id: there.id });
  expect(await used.admin.read(`${at('virtual-machines')}${vm.id}/`)).toMatchObject({ site: { id: there.id } });
  expect(await refused('virtual-machines', { name: unique() })).toEqual([
    400,
    { cluster: ['A virtual machine must be assigned to a site, cluster, or device.'] },
  ]);
  expect(await used.admin.column(`${at('virtual-machines')}?site=${there.slug}&cluster_id=${home.id}`)).toEqual([
    vm.name,
  ]);
});

test('virtual machines run on devices, alone or as hosts of a cluster', async () => {
  const here = await site(),
    other = await site();
  const manufacturer = await used.admin.make('/api/dcim/manufacturers/', named('maker')),
    role = await used.admin.make('/api/dcim/device-roles/', named('role'));
  const type = await used.admin.make('/api/dcim/device-types/', {
    manufacturer: manufacturer.id,
    model: unique('model'),
    slug: unique('model'),
  });
  const device = (more = {}): Promise<Body> =>
    used.admin.make('/api/dcim/devices/', {
      name: unique('host'),
      device_type: type.id,
      role: role.id,
      site: here.id,
      ...more,
    });
  const alone = await device(),
    home = await cluster({ scope_type: 'dcim.site', scope_id: here.id }),
    host = await device({ cluster: home.id });
  expect(await machine({ device: alone.id })).toMatchObject({
    device: { id: alone.id },
    site: { id: here.id },
    cluster: null,
  });
  expect(await machine({ device: host.id, cluster: home.id })).toMatchObject({
    device: { id: host.id },
    cluster: { id: home.id },
  });
  expect(await refused('virtual-machines', { name: unique(), device: alone.id, cluster: home.id })).toEqual([
    400,
    { device: [`The selected device (${alone.name}) is not assigned to this cluster (${home.name}).`] },
  ]);
  expect(Object.keys((await refused('virtual-machines', { name: unique(), device: host.id }))[1])).toEqual(['device']);
  expect(
    Object.keys((await refused('virtual-machines', { name: unique(), device: alone.id, site: other.id }))[1]),
  ).toEqual(['device']);
  await eventually(async () => {
    expect(await used.admin.read(`${at('clusters')}${home.id}/`)).toMatchObject({ device_count: 1 });
  });
  expect(await patched(`${at('clusters')}${home.id}/`, { scope_type: 'dcim.site', scope_id: other.id })).toEqual([
    400,
    { scope: [`1 devices are assigned as hosts for this cluster but are not in site ${other.name}`] },
  ]);
  expect(await used.admin.column(`${at('virtual-machines')}?device=${alone.name}`)).toHaveLength(1);
});

test('a virtual machine may have a role that is not offered for virtual machines', async () => {
  const role = await used.admin.make('/api/dcim/device-roles/', { ...named('role'), vm_role: false });
  expect(await machine({ role: role.id })).toMatchObject({ role: { id: role.id } });
});

test('names of virtual machines are told apart within a cluster and a tenant, without regard to case', async () => {
  const home = await cluster(),
    tenant = await used.admin.make('/api/tenancy/tenants/', named('tenant')),
    name = unique('Web');
  await machine({ cluster: home.id, name });
  expect(await refused('virtual-machines', { name: name.toUpperCase(), cluster: home.id })).toEqual([
    400,
    { __all__: ['Virtual machine name must be unique per cluster.'] },
  ]);
  await machine({ cluster: home.id, name, tenant: tenant.id });
  expect(
    (await refused('virtual-machines', { name: name.toLowerCase(), cluster: home.id, tenant: tenant.id }))[0],
  ).toBe(400);
  await machine({ name });
  for (const [lookup, value, count] of [
    ['', name.toUpperCase(), 3],
    ['__ie', name.toLowerCase(), 3],
    ['__n', name, 0],
  ] as const)
    expect([
      lookup,
      (await used.admin.column(`${at('virtual-machines')}?name__ic=${name}&name${lookup}=${value}`, 'id')).length,
    ]).toEqual([lookup, count]);
  const twice = await used.admin.post(at('virtual-machines'), [
    { name: 'Twin', cluster: home.id },
    { name: 'twin', cluster: home.id },
  ]);
  expect([twice.status, twice.body]).toEqual([
    400,
    [{}, { __all__: ['Virtual machine name must be unique per cluster.'] }],
  ]);
});

test('a type gives its virtual machines what they do not say themselves', async () => {
  const platform = await used.admin.make('/api/dcim/platforms/', named('platform')),
    name = unique('Small');
  const type = await used.admin.make(at('virtual-machine-types'), {
    name,
    slug: unique('small'),
    default_platform: platform.id,
    default_vcpus: 2,
    default_memory: 4096,
  });
  expect(await machine({ virtual_machine_type: type.id, memory: 512 })).toMatchObject({
    platform: { id: platform.id },
    vcpus: 2,
    memory: 512,
  });
  expect(await used.admin.read(`${at('virtual-machine-types')}${type.id}/`)).toMatchObject({
    virtual_machine_count: 1,
  });
  expect(await used.admin.column(`${at('virtual-machine-types')}?virtual_machine_count__gte=1&name=${name}`)).toEqual([
    name,
  ]);
  expect((await refused('virtual-machine-types', { name: name.toUpperCase(), slug: unique() }))[0]).toBe(400);
});

test('a virtual machine has as much disk space as its disks together', async () => {
  const vm = await machine({ disk: 5 }),
    path = `${at('virtual-machines')}${vm.id}/`;
  const [one, two] = [
    await used.admin.make(at('virtual-disks'), { virtual_machine: vm.id, name: 'sda', size: 20 }),
    await used.admin.make(at('virtual-disks'), { virtual_machine: vm.id, name: 'sdb', size: 30 }),
  ];
  expect(await used.admin.read(path)).toMatchObject({ disk: 50, virtual_disk_count: 2 });
  expect(await patched(path, { disk: 60 })).toEqual([
    400,
    { disk: ['The specified disk size (60) must match the aggregate size of assigned virtual disks (50).'] },
  ]);
  await used.admin.patch(`${at('virtual-disks')}${one.id}/`, { size: 25 });
  expect(await used.admin.read(path)).toMatchObject({ disk: 55 });
  expect(await refused('virtual-disks', { virtual_machine: vm.id, name: 'sda', size: 1 })).toEqual([
    400,
    { __all__: ['Virtual disk with this Virtual machine and Name already exists.'] },
  ]);
  await used.admin.delete(at('virtual-disks'), [{ id: one.id }, { id: two.id }]);
  expect(await used.admin.read(path)).toMatchObject({ disk: null, virtual_disk_count: 0 });
});

test('interfaces are counted in their order, and build on others of the same virtual machine', async () => {
  const vm = await machine(),
    other = await machine();
  const make = (name: string, more = {}): Promise<Body> =>
    used.admin.make(at('interfaces'), { virtual_machine: vm.id, name, ...more });
  const ten = await make('eth10'),
    two = await make('eth2'),
    child = await make('eth2.100', { parent: two.id, mtu: 1500, bridge: ten.id });
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
  const foreign = await used.admin.make(at('interfaces'), { virtual_machine: other.id, name: 'eth0' }),
    body = { virtual_machine: vm.id, name: 'x' };
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

test('a virtual machine takes its interfaces and disks along', async () => {
  const vm = await machine(),
    parent = await used.admin.make(at('interfaces'), { virtual_machine: vm.id, name: 'eth0' });
  await used.admin.make(at('interfaces'), { virtual_machine: vm.id, name: 'eth0.1', parent: parent.id });
  await used.admin.make(at('virtual-disks'), { virtual_machine: vm.id, name: 'sda', size: 1 });
  expect((await used.admin.delete(`${at('virtual-machines')}${vm.id}/`)).status).toBe(204);
  expect((await used.admin.get(`${at('interfaces')}${parent.id}/`)).status).toBe(404);
});

test('interfaces have hardware addresses, one of which stands for them', async () => {
  const vm = await machine(),
    make = (more = {}): Promise<Body> =>
      used.admin.make('/api/dcim/mac-addresses/', { mac_address: nextMac(), ...more });
  const eth0 = await used.admin.make(at('interfaces'), { virtual_machine: vm.id, name: 'eth0' }),
    eth1 = await used.admin.make(at('interfaces'), { virtual_machine: vm.id, name: 'eth1' });
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

  const free = await make(),
    eth2 = await used.admin.make(at('interfaces'), {
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
  const [here, there] = [await site(), await site()],
    vm = await machine({ site: here.id });
  const vlan = (more: Record<string, unknown>): Promise<Body> =>
    used.admin.make('/api/ipam/vlans/', { name: unique('vlan'), vid: nextVid(), ...more });
  const [own, global, foreign] = [await vlan({ site: here.id }), await vlan({}), await vlan({ site: there.id })];
  const eth0 = await used.admin.make(at('interfaces'), {
      virtual_machine: vm.id,
      name: 'eth0',
      mode: 'tagged',
      untagged_vlan: own.id,
      tagged_vlans: [global.id],
    }),
    path = `${at('interfaces')}${eth0.id}/`;
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
  const vm = await machine(),
    other = await machine(),
    path = `${at('virtual-machines')}${vm.id}/`;
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

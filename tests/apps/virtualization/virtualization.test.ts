import { expect, test } from '@jest/globals';
import type { Body } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { unique } from '../../support/unique.ts';
import { used, at, named, site, cluster, machine, refused, patched } from '../../support/objects/virtualization.ts';

test('a cluster and its machines go along with their location', async () => {
  const room = await used.admin.make('/api/dcim/locations/', { ...named('room'), site: (await site()).id });
  const made = await machine({ cluster: (await cluster({ scope_type: 'dcim.location', scope_id: room.id })).id });
  expect(made.site.id).toBe(room.site.id);
  const there = await site();
  expect((await used.admin.patch(`/api/dcim/locations/${room.id}/`, { site: there.id })).status).toBe(200);
  await eventually(async () =>
    expect((await used.admin.read(`${at('virtual-machines')}${made.id}/`)).site.id).toBe(there.id),
  );
});

test('a cluster is at a place, and found by those around it', async () => {
  const region = await used.admin.make('/api/dcim/regions/', named('region'));
  const here = await site({ region: region.id });
  const room = await used.admin.make('/api/dcim/locations/', { ...named('room'), site: here.id });
  const inRoom = await cluster({ scope_type: 'dcim.location', scope_id: room.id });
  const inRegion = await cluster({ scope_type: 'dcim.region', scope_id: region.id });
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
  const group = await used.admin.make(at('cluster-groups'), named('group'));
  const here = await site();
  const first = await cluster({ group: group.id, scope_type: 'dcim.site', scope_id: here.id });
  const body = { name: first.name, type: first.type.id };
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
  const [here, there] = [await site(), await site()];
  const home = await cluster({ scope_type: 'dcim.site', scope_id: here.id });
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
  const here = await site();
  const other = await site();
  const manufacturer = await used.admin.make('/api/dcim/manufacturers/', named('maker'));
  const role = await used.admin.make('/api/dcim/device-roles/', named('role'));
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
  const alone = await device();
  const home = await cluster({ scope_type: 'dcim.site', scope_id: here.id });
  const host = await device({ cluster: home.id });
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
  const home = await cluster();
  const tenant = await used.admin.make('/api/tenancy/tenants/', named('tenant'));
  const name = unique('Web');
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
  const platform = await used.admin.make('/api/dcim/platforms/', named('platform'));
  const name = unique('Small');
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
  const vm = await machine({ disk: 5 });
  const path = `${at('virtual-machines')}${vm.id}/`;
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

test('a virtual machine takes its interfaces and disks along', async () => {
  const vm = await machine();
  const parent = await used.admin.make(at('interfaces'), { virtual_machine: vm.id, name: 'eth0' });
  await used.admin.make(at('interfaces'), { virtual_machine: vm.id, name: 'eth0.1', parent: parent.id });
  await used.admin.make(at('virtual-disks'), { virtual_machine: vm.id, name: 'sda', size: 1 });
  expect((await used.admin.delete(`${at('virtual-machines')}${vm.id}/`)).status).toBe(204);
  expect((await used.admin.get(`${at('interfaces')}${parent.id}/`)).status).toBe(404);
});

import { expect, test } from '@jest/globals';
import type { Body } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { find, kit, rebuild, sql, tenants, used, verify } from '../support/consistency/replicas.ts';
import { nextNetwork, unique } from '../support/unique.ts';

// Services keep copies of only a part of all addresses: those that are related to their own objects.

const addresses = '/api/ipam/ip-addresses/';
const devices = '/api/dcim/devices/';
const TYPE = 'ipam.ipaddress';
const copies = async (service: string, ...all: Body[]) =>
  (
    await sql(service, 'select id::int from replica.ipam_ipaddress where id = any($1) order by id', [
      all.map(({ id }) => id),
    ])
  ).map(({ id }) => id);
const make = (more: object = {}) => used.admin.make(addresses, { address: `${nextNetwork().four}.1/32`, ...more });
/** Resolves when a service has followed what was written before. */
const followed = async (service: string): Promise<void> => {
  await eventually(async () => {
    expect(await verify(service, TYPE)).toMatchObject({ matches: true, partial: false });
  });
};

test('a service keeps those that have to do with its own objects', async () => {
  const device = await kit.device();
  const port = await kit.interface(device);
  const [loose, assigned, rented] = [
    await make(),
    await make({ assigned_object_type: 'dcim.interface', assigned_object_id: port.id }),
    await make({ tenant: (await used.admin.make(tenants, kit.named('rents'))).id }),
  ];
  await eventually(async () => {
    expect(await copies('dcim', loose, assigned, rented)).toEqual([assigned.id]);
  });
  await eventually(async () => {
    expect(await copies('tenancy', loose, assigned, rented)).toEqual([rented.id]);
  });
  for (const service of ['dcim', 'tenancy', 'virtualization']) await followed(service);
  expect([await copies('virtualization', loose, assigned, rented), await copies('dcim', loose, rented)]).toEqual([
    [],
    [],
  ]);
  expect([await find('dcim', TYPE), await find('dcim', 'ipam.vlan')]).toEqual([
    expect.objectContaining({ in_part: true }),
    expect.objectContaining({ in_part: false }),
  ]);
  // Once an address is related, the service has it, and follows it from then on.
  await used.admin.patch(`${addresses}${loose.id}/`, {
    assigned_object_type: 'dcim.interface',
    assigned_object_id: port.id,
  });
  await eventually(async () => {
    expect((await used.admin.read(`/api/dcim/interfaces/${port.id}/`)).count_ipaddresses).toBe(2);
  });
  await used.admin.patch(`${addresses}${loose.id}/`, { assigned_object_type: null, assigned_object_id: null });
  await eventually(async () => {
    expect((await used.admin.read(`/api/dcim/interfaces/${port.id}/`)).count_ipaddresses).toBe(1);
  });
  await followed('dcim');
  expect(await copies('dcim', loose)).toEqual([loose.id]);
});

test('an address that it shows is shown as it is, with those that it translates', async () => {
  const device = await kit.device();
  const port = await kit.interface(device);
  const far = await make({ description: 'of nobody' });
  const inside = await make({
    assigned_object_type: 'dcim.interface',
    assigned_object_id: port.id,
    nat_inside: far.id,
  });
  const outside = await make({ nat_inside: inside.id });
  expect((await used.admin.patch(`${devices}${device.id}/`, { primary_ip4: outside.id })).status).toBe(200);
  expect((await used.admin.read(`${devices}${device.id}/`)).primary_ip4).toMatchObject({
    id: outside.id,
    nat_inside: { id: inside.id, address: inside.address },
  });
  expect(await used.admin.column(`${devices}?primary_ip4=${encodeURIComponent(outside.address)}`, 'id')).toEqual([
    device.id,
  ]);
  await used.admin.patch(`${devices}${device.id}/`, { primary_ip4: inside.id });
  expect((await used.admin.read(`${devices}${device.id}/`)).primary_ip4).toMatchObject({
    id: inside.id,
    nat_inside: { id: far.id, address: far.address },
    nat_outside: [{ id: outside.id }],
  });
  // That belongs to nothing of the service's, and is shown all the same.
  const moved = `${nextNetwork().four}.1/32`;
  await used.admin.patch(`${addresses}${far.id}/`, { address: moved });
  await eventually(async () => {
    expect((await used.admin.read(`${devices}${device.id}/`)).primary_ip4.nat_inside.address).toBe(moved);
  });
  await followed('dcim');
});

test('an address that it has nothing of is found, chosen and refused like any other', async () => {
  const loose = await make();
  const device = await kit.device();
  await followed('dcim');
  expect(await copies('dcim', loose)).toEqual([]);
  expect(await used.admin.column(`${devices}?primary_ip4_id=${loose.id}`, 'id')).toEqual([]);
  expect((await used.admin.get(`${devices}?primary_ip4_id=987654321`)).status).toBe(400);
  expect((await used.admin.patch(`${devices}${device.id}/`, { primary_ip4: loose.id })).body).toEqual({
    primary_ip4: [`The specified IP address (${loose.address}) is not assigned to this device.`],
  });
  const field = await used.admin.make('/api/extras/custom-fields/', {
    name: unique('field').replaceAll('-', '_'),
    type: 'object',
    related_object_type: TYPE,
    object_types: ['dcim.device'],
  });
  expect(
    (await used.admin.patch(`${devices}${device.id}/`, { custom_fields: { [field.name]: loose.id } })).body
      .custom_fields[field.name],
  ).toMatchObject({ id: loose.id, address: loose.address });
  await used.admin.patch(`${addresses}${loose.id}/`, { description: 'changed since' });
  await eventually(async () => {
    expect((await used.admin.read(`${devices}${device.id}/`)).custom_fields[field.name].description).toBe(
      'changed since',
    );
  });
  await used.admin.delete(`/api/extras/custom-fields/${field.id}/`);
});

test("a permission may go by what its own objects' addresses say, and by which others have", async () => {
  const permit = async (type: string, constraints: object) => {
    const { status, body } = await used.admin.post('/api/users/permissions/', {
      name: unique('may'),
      object_types: [type],
      actions: ['view'],
      constraints,
    });
    return status === 201 ? 201 : body;
  };
  expect(
    await permit('virtualization.virtualmachine', {
      primary_ip4__dns_name: 'a',
      device__primary_ip4__isnull: true,
      device__primary_ip4_id: 1,
    }),
  ).toBe(201);
  expect(await permit('dcim.device', { primary_ip4__nat_inside__dns_name: 'a' })).toBe(201);
  // The virtualization service keeps no addresses of devices.
  expect(
    JSON.stringify(await permit('virtualization.virtualmachine', { device__primary_ip4__dns_name: 'a' })),
  ).toContain("Unsupported lookup 'dns_name' for primary_ip4.");
});

test('a copy that has lost some is found out and mended', async () => {
  const device = await kit.device();
  const port = await kit.interface(device);
  const far = await make();
  const inside = await make({
    assigned_object_type: 'dcim.interface',
    assigned_object_id: port.id,
    nat_inside: far.id,
  });
  const [loose, chosen] = [await make(), await make()];
  const field = await used.admin.make('/api/extras/custom-fields/', {
    name: unique('field').replaceAll('-', '_'),
    type: 'multiobject',
    related_object_type: TYPE,
    object_types: ['dcim.device'],
  });
  await used.admin.patch(`${devices}${device.id}/`, { custom_fields: { [field.name]: [chosen.id] } });
  const all = [far.id, inside.id, chosen.id].sort((a, b) => a - b);
  await eventually(async () => {
    expect(await copies('dcim', inside, far, loose, chosen)).toEqual(all);
  });
  // The field and the object that names them are two events: the second to be followed may bring them here again.
  await eventually(async () => {
    await sql('dcim', 'delete from replica.ipam_ipaddress where id = any($1)', [all]);
    expect((await verify('dcim', TYPE)).examples).toEqual(
      expect.arrayContaining([inside, chosen].map(({ id }) => expect.objectContaining({ id, problem: 'missing' }))),
    );
  });
  await rebuild('dcim', TYPE);
  await followed('dcim');
  expect(await copies('dcim', inside, far, loose, chosen)).toEqual(all);
  await used.admin.delete(`/api/extras/custom-fields/${field.id}/`);
});

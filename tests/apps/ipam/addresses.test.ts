import { beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';

const used = useSystem();
const ADDRESSES = '/api/ipam/ip-addresses/';
const RANGES = '/api/ipam/ip-ranges/';

const makeVrf = (attributes: Record<string, unknown> = {}) =>
  used.admin.make('/api/ipam/vrfs/', { name: unique('vrf'), rd: unique('rd'), ...attributes });

interface Machine {
  id: number;
  name: string;
  interfaces: { id: number; name: string }[];
}
let machine: Machine;

beforeAll(async () => {
  const slug = unique('cluster');
  const type = await used.admin.make('/api/virtualization/cluster-types/', { name: slug, slug });
  const cluster = await used.admin.make('/api/virtualization/clusters/', { name: slug, type: type.id });
  const { id, name } = await used.admin.make('/api/virtualization/virtual-machines/', {
    name: slug,
    cluster: cluster.id,
  });
  machine = {
    id,
    name,
    interfaces: await used.admin.make(
      '/api/virtualization/interfaces/',
      ['eth0', 'eth1'].map((one) => ({ virtual_machine: id, name: `${one}-${slug}` })),
    ),
  };
});

const onInterface = (i: number) => ({
  assigned_object_type: 'virtualization.vminterface',
  assigned_object_id: machine.interfaces[i]!.id,
});

test('an address is a host with a mask, in the order of addresses', async () => {
  const vrf = await makeVrf();
  const made = await used.admin.make(
    ADDRESSES,
    ['10.1.1.10/24', '10.1.1.2', '10.1.1.9/8', '2001:DB8::1/64'].map((address) => ({
      address,
      vrf: vrf.id,
      dns_name: 'Host.Example.com',
    })),
  );
  expect(made[1]).toMatchObject({
    address: '10.1.1.2/32',
    display: '10.1.1.2/32',
    family: { value: 4, label: 'IPv4' },
    dns_name: 'host.example.com',
    assigned_object: null,
    nat_inside: null,
    nat_outside: [],
    role: null,
  });
  expect(await used.admin.column(`${ADDRESSES}?vrf_id=${vrf.id}`, 'address')).toEqual([
    '10.1.1.2/32',
    '10.1.1.9/8',
    '10.1.1.10/24',
    '2001:db8::1/64',
  ]);
});

test.each([
  [{ address: 'bad' }, { address: ['Invalid IP address format: bad'] }],
  [{ address: '10.1.1.1/0' }, { address: ['Cannot create IP address with /0 mask.'] }],
  [{ address: '10.1.1.1/24', status: 'slaac' }, { status: ['Only IPv6 addresses can be assigned SLAAC status'] }],
  [
    { address: '10.1.1.1/24', assigned_object_type: 'dcim.interface' },
    { assigned_object_id: ['This field cannot be null.'] },
  ],
  [{ address: '10.1.1.1/24', assigned_object_id: 1 }, { assigned_object_type: ['This field cannot be null.'] }],
  [{ address: '10.1.1.1/24', role: 'x' }, { role: ['x is not a valid choice.'] }],
  [
    { address: '10.1.1.1/24', dns_name: 'bad name!' },
    {
      dns_name: ['Only alphanumeric characters, asterisks, hyphens, periods, and underscores are allowed in DNS names'],
    },
  ],
])('%j is refused', async (body, errors) => {
  const answer = await used.admin.post(ADDRESSES, body);
  expect([answer.status, answer.body]).toEqual([400, errors]);
});

test('an address is there once in a routing table, unless its role is shared', async () => {
  const vrf = await makeVrf();
  const loose = await makeVrf({ enforce_unique: false });
  const message = (address: string) => ({
    address: [`Duplicate IP address found in VRF ${vrf.name} (${vrf.rd}): ${address}`],
  });
  await used.admin.make(ADDRESSES, { address: '10.1.1.1/24', vrf: vrf.id });
  const { body } = await used.admin.post(ADDRESSES, [
    { address: '10.1.1.1/32', vrf: vrf.id },
    { address: '10.1.1.1/32', vrf: vrf.id, role: 'vip' },
    { address: '10.1.1.1/24', vrf: loose.id },
    { address: '10.1.1.1/24', vrf: loose.id },
    { address: '10.1.1.7/24', vrf: vrf.id, role: 'anycast' },
    { address: '10.1.1.7/24', vrf: vrf.id, role: 'vrrp' },
    { address: '10.1.1.7/24', vrf: vrf.id, role: 'loopback' },
  ]);
  expect(body).toEqual([message('10.1.1.1/24'), message('10.1.1.1/24'), {}, {}, {}, {}, message('10.1.1.7/24')]);
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => used.admin.post(ADDRESSES, { address: '10.1.1.8/24', vrf: vrf.id })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(400)]);
});

test('the addresses of one request can change places', async () => {
  const vrf = await makeVrf();
  const [a, b] = await used.admin.make(
    ADDRESSES,
    ['10.1.1.1/24', '10.1.1.2/24'].map((address) => ({ address, vrf: vrf.id })),
  );
  expect(
    (
      await used.admin.patch(ADDRESSES, [
        { id: a.id, address: b.address },
        { id: b.id, address: a.address },
      ])
    ).status,
  ).toBe(200);
});

test('addresses are found by network, mask, and with or without mask', async () => {
  const vrf = await makeVrf();
  await used.admin.make(
    ADDRESSES,
    ['10.1.1.1/24', '10.1.1.2/32', '10.1.2.1/24', '2001:db8::1/64'].map((address) => ({ address, vrf: vrf.id })),
  );
  const found = (search: string) => used.admin.column(`${ADDRESSES}?vrf_id=${vrf.id}&${search}`, 'address');
  expect(await found('parent=10.1.1.0/24')).toEqual(['10.1.1.1/24', '10.1.1.2/32']);
  expect(await found('parent=10.1.2.0/24&parent=2001:db8::/32')).toEqual(['10.1.2.1/24', '2001:db8::1/64']);
  expect(await found('parent=bad')).toEqual([]);
  expect(await found('address=10.1.1.1&address=10.1.1.2/24&address=10.1.2.1/24')).toEqual([
    '10.1.1.1/24',
    '10.1.2.1/24',
  ]);
  expect(await found('address=bad')).toEqual([]);
  expect(await found('mask_length=32')).toEqual(['10.1.1.2/32']);
  expect(await found('mask_length__lte=24')).toEqual(['10.1.1.1/24', '10.1.2.1/24']);
  expect(await found('family=6')).toEqual(['2001:db8::1/64']);
  expect(await found('q=10.1.1')).toEqual(['10.1.1.1/24', '10.1.1.2/32']);
  expect(await found('assigned=true')).toEqual([]);
  expect(await found('ordering=-address&limit=1')).toEqual(['2001:db8::1/64']);
});

test('an address of an interface is found by it and by its machine, and goes with it', async () => {
  const vrf = await makeVrf();
  const made = await used.admin.make(ADDRESSES, { address: '10.1.1.1/24', vrf: vrf.id, ...onInterface(0) });
  expect(made.assigned_object).toMatchObject({
    id: machine.interfaces[0]!.id,
    virtual_machine: { name: machine.name },
  });
  const found = (search: string) => used.admin.column(`${ADDRESSES}?vrf_id=${vrf.id}&${search}`, 'id');
  for (const search of [
    `virtual_machine=${machine.name}`,
    `virtual_machine_id=${machine.id}`,
    `vminterface=${machine.interfaces[0]!.name}`,
    `vminterface_id=${machine.interfaces[0]!.id}`,
    'assigned_to_interface=true',
    'assigned=true',
  ]) {
    expect([search, await found(search)]).toEqual([search, [made.id]]);
  }
  for (const search of ['virtual_machine=nobody', 'device=nobody', 'device_id=1', 'assigned_to_interface=false'])
    expect([search, await found(search)]).toEqual([search, []]);
  expect(
    await used.admin.post(ADDRESSES, {
      address: '10.1.1.2/24',
      vrf: vrf.id,
      assigned_object_type: 'virtualization.vminterface',
      assigned_object_id: 999_999_999,
    }),
  ).toMatchObject({ status: 400 });

  const extra = await used.admin.make('/api/virtualization/interfaces/', {
    virtual_machine: machine.id,
    name: unique('eth'),
  });
  const gone = await used.admin.make(ADDRESSES, {
    address: '10.1.1.3/24',
    vrf: vrf.id,
    assigned_object_type: 'virtualization.vminterface',
    assigned_object_id: extra.id,
  });
  await used.admin.delete(`/api/virtualization/interfaces/${extra.id}/`);
  await eventually(async () => {
    expect((await used.admin.get(`${ADDRESSES}${gone.id}/`)).status).toBe(404);
  });
});

test('a primary address stays with its machine', async () => {
  const vrf = await makeVrf();
  const address = await used.admin.make(ADDRESSES, { address: '10.1.1.1/24', vrf: vrf.id, ...onInterface(0) });
  expect(
    (await used.admin.patch(`/api/virtualization/virtual-machines/${machine.id}/`, { primary_ip4: address.id })).status,
  ).toBe(200);
  const { status, body } = await used.admin.patch(`${ADDRESSES}${address.id}/`, {
    assigned_object_type: null,
    assigned_object_id: null,
  });
  expect([status, body]).toEqual([
    400,
    { __all__: ['Cannot reassign IP address while it is designated as the primary IP for the parent object'] },
  ]);
  expect((await used.admin.patch(`${ADDRESSES}${address.id}/`, onInterface(1))).status).toBe(200);
});

test('network address translation is told from both sides', async () => {
  const vrf = await makeVrf();
  const inside = await used.admin.make(ADDRESSES, { address: '10.1.1.1/24', vrf: vrf.id });
  const outside = await used.admin.make(ADDRESSES, { address: '192.0.2.1/32', vrf: vrf.id, nat_inside: inside.id });
  expect(outside.nat_inside).toEqual({
    id: inside.id,
    url: inside.url,
    display_url: inside.display_url,
    display: '10.1.1.1/24',
    family: 4,
    address: '10.1.1.1/24',
  });
  expect((await used.admin.read(`${ADDRESSES}${inside.id}/`)).nat_outside).toEqual([
    {
      id: outside.id,
      url: outside.url,
      display_url: outside.display_url,
      display: '192.0.2.1/32',
      family: 4,
      address: '192.0.2.1/32',
    },
  ]);
  expect(await used.admin.column(`${ADDRESSES}?nat_inside_id=${inside.id}`, 'id')).toEqual([outside.id]);
});

test('a range may hold one address', async () => {
  const vrf = await makeVrf();
  const range = { start_address: '10.1.1.7/24', end_address: '10.1.1.7/24', vrf: vrf.id };
  expect(await used.admin.make(RANGES, range)).toMatchObject({ size: 1, display: '10.1.1.7-7/24' });
  expect((await used.admin.post(RANGES, [range, range])).body[1]).toEqual({
    __all__: [`Defined addresses overlap with range 10.1.1.7-7/24 in VRF ${vrf.name} (${vrf.rd})`],
  });
});

test('a range has a size and a short name, and no other range or new address lies in it', async () => {
  const vrf = await makeVrf();
  const range = (from: string, to: string, more = {}) => ({
    start_address: from,
    end_address: to,
    vrf: vrf.id,
    ...more,
  });
  const [made] = await used.admin.make(RANGES, [
    range('10.1.1.100/24', '10.1.1.120/24', { mark_populated: true }),
    range('2001:db8::1/64', '2001:db8::ffff/64'),
  ]);
  expect(made).toMatchObject({ display: '10.1.1.100-120/24', size: 21, family: { value: 4 } });
  const overlap = (named: string) => ({
    __all__: [`Defined addresses overlap with range ${named} in VRF ${vrf.name} (${vrf.rd})`],
  });
  const { body } = await used.admin.post(RANGES, [
    range('10.1.1.110/24', '10.1.1.130/24'),
    range('10.1.1.90/24', '10.1.1.130/24'),
    range('10.1.2.1/24', '10.1.2.9/24'),
    range('10.1.2.9/24', '10.1.2.20/24'),
    range('10.1.3.9/24', '10.1.3.1/24'),
    range('10.1.3.1/24', '10.1.3.9/25'),
    range('10.1.3.1/24', '2001:db8::1/24'),
    range('2001:db8:1::/48', '2001:db8:1:ffff::/48'),
  ]);
  expect(body).toEqual([
    overlap('10.1.1.100-120/24'),
    overlap('10.1.1.100-120/24'),
    {},
    overlap('10.1.2.1-9/24'),
    { end_address: ['Ending address must be greater than or equal to the starting address (10.1.3.9/24)'] },
    { end_address: ['Starting and ending IP address masks must match'] },
    { end_address: ['Starting and ending IP address versions must match'] },
    { __all__: ['Defined range exceeds maximum supported size (4294967295)'] },
  ]);
  expect((await used.admin.post(ADDRESSES, { address: '10.1.1.105/32', vrf: vrf.id })).body).toEqual({
    address: ['Cannot create IP address 10.1.1.105/32 inside range 10.1.1.100-120/24.'],
  });
  const found = (search: string) => used.admin.column(`${RANGES}?vrf=${vrf.rd}&${search}`, 'display');
  expect(await found('contains=10.1.1.105')).toEqual(['10.1.1.100-120/24']);
  expect(await found('parent=10.1.0.0/16')).toEqual(['10.1.1.100-120/24']);
  expect(await found('parent=10.1.1.0/26')).toEqual([]);
  expect(await found('start_address=10.1.1.100&start_address=2001:db8::1/64')).toEqual([
    '10.1.1.100-120/24',
    '2001:db8::1-ffff/64',
  ]);
  expect(await found('size__gte=22')).toEqual(['2001:db8::1-ffff/64']);
});

import { expect, test } from '@jest/globals';
import { useSystem } from '../../support/system.ts';
import { unique } from '../../support/unique.ts';

const used = useSystem();
const PREFIXES = '/api/ipam/prefixes/';
const CLIENTS = 50;

async function makePrefix(prefix: string, attributes: Record<string, unknown> = {}) {
  const vrf = await used.admin.make('/api/ipam/vrfs/', { name: unique('vrf'), rd: unique('rd') });
  return used.admin.make(PREFIXES, { prefix, vrf: vrf.id, ...attributes });
}

const addresses = async (path: string) => (await used.admin.read(path)).map((one: { address: string }) => one.address);

test('free addresses of a prefix leave out what is used, populated or no host', async () => {
  const prefix = await makePrefix('10.1.1.0/28');
  const vrf = prefix.vrf.id;
  const free = `${PREFIXES}${prefix.id}/available-ips/`;
  await used.admin.make(
    '/api/ipam/ip-addresses/',
    ['10.1.1.1/28', '10.1.1.3/32', '10.1.1.4/8'].map((address) => ({ address, vrf })),
  );
  await used.admin.make('/api/ipam/ip-ranges/', [
    { start_address: '10.1.1.6/28', end_address: '10.1.1.9/28', vrf, mark_populated: true },
    { start_address: '10.1.1.12/28', end_address: '10.1.1.13/28', vrf },
  ]);
  expect(await addresses(free)).toEqual([
    '10.1.1.2/28',
    '10.1.1.5/28',
    '10.1.1.10/28',
    '10.1.1.11/28',
    '10.1.1.12/28',
    '10.1.1.13/28',
    '10.1.1.14/28',
  ]);
  expect(await used.admin.read(`${free}?limit=1`)).toEqual([{ family: 4, address: '10.1.1.2/28', vrf: prefix.vrf }]);
  const made = await used.admin.make(free, { description: 'next' });
  expect(made).toMatchObject({ address: '10.1.1.2/28', description: 'next', vrf: { id: vrf } });
  expect(
    (await used.admin.make(free, [{ dns_name: 'a.example.com' }, {}])).map((one: { address: string }) => one.address),
  ).toEqual(['10.1.1.5/28', '10.1.1.10/28']);
  const { status, body } = await used.admin.post(free, Array(5).fill({}));
  expect([status, body]).toEqual([409, { detail: 'Insufficient resources are available to satisfy the request' }]);
  expect((await used.admin.post(free, { status: 'bogus' })).status).toBe(400);
  expect((await used.admin.get(`${PREFIXES}999999999/available-ips/`)).status).toBe(404);
  const refused = await used.admin.patch(free, {});
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, POST, HEAD, OPTIONS']);
});

test('a free address gets the mask that is asked for, if it is no shorter than that of what it is taken from', async () => {
  const prefix = await makePrefix('10.1.1.0/28');
  const six = await makePrefix('2001:db8:7::/64');
  const free = `${PREFIXES}${prefix.id}/available-ips/`;
  const range = await used.admin.make('/api/ipam/ip-ranges/', {
    start_address: '10.2.0.1/24',
    end_address: '10.2.0.9/24',
    vrf: prefix.vrf.id,
  });
  const made = await used.admin.make(free, [{ prefix_length: 32 }, {}, { prefix_length: '30' }]);
  expect(made.map((one: { address: string }) => one.address)).toEqual(['10.1.1.1/32', '10.1.1.2/28', '10.1.1.3/30']);
  expect(await used.admin.make(`${PREFIXES}${six.id}/available-ips/`, { prefix_length: 128 })).toMatchObject({
    address: '2001:db8:7::1/128',
  });
  expect(await used.admin.make(`/api/ipam/ip-ranges/${range.id}/available-ips/`, { prefix_length: 32 })).toMatchObject({
    address: '10.2.0.1/32',
  });
  const { status, body } = await used.admin.post(free, [
    { prefix_length: 27 },
    { prefix_length: 28 },
    { prefix_length: 33 },
    { prefix_length: 'x' },
    { prefix_length: null },
    { prefix_length: -1 },
  ]);
  const shorter = { prefix_length: 'Prefix length must be greater than or equal to the parent mask length (28)' };
  expect([status, body]).toEqual([
    400,
    [
      shorter,
      {},
      { prefix_length: 'Invalid prefix length (33) for IPv4' },
      { prefix_length: ['A valid integer is required.'] },
      { prefix_length: ['This field may not be null.'] },
      shorter,
    ],
  ]);
  expect((await used.admin.post(`${PREFIXES}${six.id}/available-ips/`, { prefix_length: 129 })).body).toEqual([
    { prefix_length: 'Invalid prefix length (129) for IPv6' },
  ]);
  expect((await used.admin.post(`/api/ipam/ip-ranges/${range.id}/available-ips/`, { prefix_length: 23 })).body).toEqual(
    [{ prefix_length: 'Prefix length must be greater than or equal to the parent mask length (24)' }],
  );
});

test('an address that several interfaces share is one', async () => {
  const prefix = await makePrefix('10.1.1.0/29');
  const shared = { vrf: prefix.vrf.id, role: 'anycast' };
  await used.admin.make(
    '/api/ipam/ip-addresses/',
    ['10.1.1.1/29', '10.1.1.1/29', '10.1.1.3/29'].map((address) => ({ address, ...shared })),
  );
  expect(await addresses(`${PREFIXES}${prefix.id}/available-ips/`)).toEqual([
    '10.1.1.2/29',
    '10.1.1.4/29',
    '10.1.1.5/29',
    '10.1.1.6/29',
  ]);
});

test('gaps are found wherever they are', async () => {
  const prefix = await makePrefix('10.1.2.0/23');
  const vrf = prefix.vrf.id;
  const free = `${PREFIXES}${prefix.id}/available-ips/`;
  const gaps = [64, 65, 128, 192, 193, 300, 321];
  const hosts = Array.from({ length: 400 }, (_, i) => i + 1).filter((n) => !gaps.includes(n));
  await used.admin.make(
    '/api/ipam/ip-addresses/',
    hosts.map((n) => ({ address: `10.1.${2 + (n >> 8)}.${n & 255}/23`, vrf })),
  );
  expect(await addresses(`${free}?limit=9`)).toEqual(
    [...gaps, 401, 402].map((n) => `10.1.${2 + (n >> 8)}.${n & 255}/23`),
  );
  expect(await addresses(`${free}?limit=1`)).toEqual(['10.1.2.64/23']);
  expect(await addresses(`${free}?limit=3`)).toEqual(['10.1.2.64/23', '10.1.2.65/23', '10.1.2.128/23']);
  const last = await makePrefix('255.255.255.128/25', { is_pool: true });
  await used.admin.make(
    '/api/ipam/ip-addresses/',
    Array.from({ length: 127 }, (_, i) => ({ address: `255.255.255.${128 + i}/25`, vrf: last.vrf.id })),
  );
  expect(await addresses(`${PREFIXES}${last.id}/available-ips/`)).toEqual(['255.255.255.255/25']);
});

test('pools and the smallest networks use every address, IPv6 but the first', async () => {
  const free = async (prefix: string, attributes: Record<string, unknown> = {}) =>
    addresses(`${PREFIXES}${(await makePrefix(prefix, attributes)).id}/available-ips/?limit=2`);
  expect(await free('10.0.0.0/30')).toEqual(['10.0.0.1/30', '10.0.0.2/30']);
  expect(await free('10.0.0.0/30', { is_pool: true })).toEqual(['10.0.0.0/30', '10.0.0.1/30']);
  expect(await free('10.0.0.0/31')).toEqual(['10.0.0.0/31', '10.0.0.1/31']);
  expect(await free('10.0.0.7/32')).toEqual(['10.0.0.7/32']);
  expect(await free('2001:db8::/32')).toEqual(['2001:db8::1/32', '2001:db8::2/32']);
  expect(await free('2001:db8::/127')).toEqual(['2001:db8::/127', '2001:db8::1/127']);
});

test('free addresses of a range have its mask, and none when it is populated', async () => {
  const vrf = await used.admin.make('/api/ipam/vrfs/', { name: unique('vrf') });
  const range = await used.admin.make('/api/ipam/ip-ranges/', {
    start_address: '10.1.1.100/24',
    end_address: '10.1.1.102/24',
    vrf: vrf.id,
  });
  const free = `/api/ipam/ip-ranges/${range.id}/available-ips/`;
  expect(await addresses(free)).toEqual(['10.1.1.100/24', '10.1.1.101/24', '10.1.1.102/24']);
  expect((await used.admin.make(free, {})).address).toBe('10.1.1.100/24');
  await used.admin.patch(`/api/ipam/ip-ranges/${range.id}/`, { mark_populated: true });
  expect(await addresses(free)).toEqual([]);
});

test('free prefixes are the largest that fit, and are taken from the first that is large enough', async () => {
  const prefix = await makePrefix('10.1.0.0/16');
  const free = `${PREFIXES}${prefix.id}/available-prefixes/`;
  await used.admin.make(
    PREFIXES,
    ['10.1.1.0/24', '10.1.1.0/28'].map((one) => ({ prefix: one, vrf: prefix.vrf.id })),
  );
  expect(await used.admin.read(free)).toEqual(
    [
      '10.1.0.0/24',
      '10.1.2.0/23',
      '10.1.4.0/22',
      '10.1.8.0/21',
      '10.1.16.0/20',
      '10.1.32.0/19',
      '10.1.64.0/18',
      '10.1.128.0/17',
    ].map((one) => ({ family: 4, prefix: one, vrf: prefix.vrf })),
  );
  expect((await used.admin.make(free, { prefix_length: 24 })).prefix).toBe('10.1.0.0/24');
  expect(
    (await used.admin.make(free, [{ prefix_length: 28 }, { prefix_length: 28 }, { prefix_length: 22 }])).map(
      (one: { prefix: string }) => one.prefix,
    ),
  ).toEqual(['10.1.2.0/28', '10.1.2.16/28', '10.1.4.0/22']);
  expect(await used.admin.post(free, { prefix_length: 16 })).toMatchObject({
    status: 409,
    body: { detail: 'Insufficient resources are available to satisfy the request' },
  });
  expect(
    await used.admin.post(free, [{ prefix_length: 24 }, { prefix_length: 99 }, {}, { prefix_length: 'x' }]),
  ).toMatchObject({
    status: 400,
    body: [
      {},
      { prefix_length: 'Invalid prefix length (99) for IPv4' },
      { prefix_length: 'this field can not be missing' },
      { prefix_length: 'this field must be int type' },
    ],
  });
});

test('free VLANs come from the ranges of their group, free AS numbers from their range', async () => {
  const slug = unique('group');
  const group = await used.admin.make('/api/ipam/vlan-groups/', {
    name: slug,
    slug,
    vid_ranges: [
      [300, 301],
      [100, 101],
    ],
  });
  await used.admin.make('/api/ipam/vlans/', { vid: 100, name: 'taken', group: group.id });
  const vlans = `/api/ipam/vlan-groups/${group.id}/available-vlans/`;
  expect(await used.admin.read(`${vlans}?limit=2`)).toEqual(
    [101, 300].map((vid) => ({
      vid,
      group: { id: group.id, url: group.url, display: slug, name: slug, slug, description: '' },
    })),
  );
  expect(await used.admin.make(vlans, { name: 'next' })).toMatchObject({
    vid: 101,
    name: 'next',
    group: { id: group.id },
  });
  expect(await used.admin.post(vlans, {})).toMatchObject({
    status: 400,
    body: [{ name: ['This field is required.'] }],
  });
  expect((await used.admin.post(vlans, [{ name: 'a' }, { name: 'b' }, { name: 'c' }])).status).toBe(409);

  const rir = await used.admin.make('/api/ipam/rirs/', { name: slug, slug });
  const start = 4_200_000_000;
  const range = await used.admin.make('/api/ipam/asn-ranges/', {
    name: slug,
    slug,
    rir: rir.id,
    start,
    end: start + 2,
  });
  const asns = `/api/ipam/asn-ranges/${range.id}/available-asns/`;
  await used.admin.make('/api/ipam/asns/', { asn: start, rir: rir.id });
  expect(await used.admin.read(`${asns}?limit=1`)).toMatchObject([{ asn: start + 1, rir: { id: rir.id } }]);
  expect((await used.admin.make(asns, [{}, {}])).map((one: { asn: number }) => one.asn)).toEqual([
    start + 1,
    start + 2,
  ]);
  expect((await used.admin.post(asns, {})).status).toBe(409);
});

test('fifty clients at the same time get fifty different ones', async () => {
  const slug = unique('many');
  const prefix = await makePrefix('10.0.0.0/16');
  const rir = await used.admin.make('/api/ipam/rirs/', { name: slug, slug });
  const group = await used.admin.make('/api/ipam/vlan-groups/', { name: slug, slug });
  const range = await used.admin.make('/api/ipam/asn-ranges/', {
    name: slug,
    slug,
    rir: rir.id,
    start: 4_210_000_000,
    end: 4_210_000_999,
  });
  const handed = async (path: string, member: string, body: (i: number) => object) => {
    const answers = await Promise.all(Array.from({ length: CLIENTS }, (_, i) => used.admin.post(path, body(i))));
    expect(answers.map(({ status, text }) => (status === 201 ? 201 : text))).toEqual(Array(CLIENTS).fill(201));
    return new Set(answers.map(({ body: made }) => made[member])).size;
  };
  expect(await handed(`${PREFIXES}${prefix.id}/available-ips/`, 'address', () => ({}))).toBe(CLIENTS);
  expect(await handed(`${PREFIXES}${prefix.id}/available-prefixes/`, 'prefix', () => ({ prefix_length: 28 }))).toBe(
    CLIENTS,
  );
  expect(
    await handed(`/api/ipam/vlan-groups/${group.id}/available-vlans/`, 'vid', (i) => ({ name: `vlan ${i}` })),
  ).toBe(CLIENTS);
  expect(await handed(`/api/ipam/asn-ranges/${range.id}/available-asns/`, 'asn', () => ({}))).toBe(CLIENTS);
  expect(await used.admin.column(`${PREFIXES}?vrf_id=${prefix.vrf.id}&prefix=10.0.0.0/16`, 'children')).toEqual([
    CLIENTS,
  ]);
});

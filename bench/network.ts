import type { Client } from './client.ts';
import { upTo } from '../tools/api.ts';
import { reading, write } from './load.ts';
import type { Line } from './figures.ts';
import { table } from './report.ts';
import { quiet } from './quiet.ts';
import { settled } from './settled.ts';
import type { System } from '../tools/testing/fresh-system.ts';

/** How much there is. The first `inPool` addresses lie in 10.0.0.0/16, the others behind it. */
const SIZE = { devices: 2_000, addresses: 100_000, inPool: 30_000, tenants: 20, tags: 4, bulk: 500 };

/** The n-th address of the benchmark: 10.0.0.1, 10.0.0.2 …, and 10.1.0.0 onwards once the pool has got its share. */
const address = (n: number): string => {
  const number = n <= SIZE.inPool ? n : 65_536 + n - SIZE.inPool;
  return `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}/16`;
};

const slices = (total: number): number[][] =>
  upTo(Math.ceil(total / SIZE.bulk)).map((i) => upTo(SIZE.bulk).map((j) => (i - 1) * SIZE.bulk + j));

/** Puts in what devices and addresses refer to, and the devices. Returns the id of one device. */
async function furnish({ send }: Client): Promise<number> {
  await send(
    'POST',
    '/api/extras/tags/',
    upTo(SIZE.tags).map((i) => ({ name: `net tag ${i}`, slug: `net-tag-${i}` })),
  );
  await send(
    'POST',
    '/api/tenancy/tenants/',
    upTo(SIZE.tenants).map((i) => ({ name: `net tenant ${i}`, slug: `net-tenant-${i}` })),
  );
  await send(
    'POST',
    '/api/dcim/sites/',
    upTo(10).map((i) => ({ name: `net site ${i}`, slug: `net-site-${i}` })),
  );
  await send('POST', '/api/dcim/device-roles/', [{ name: 'net role', slug: 'net-role' }]);
  await send('POST', '/api/dcim/manufacturers/', [{ name: 'net maker', slug: 'net-maker' }]);
  await send('POST', '/api/dcim/device-types/', [
    { model: 'net model', slug: 'net-model', manufacturer: { slug: 'net-maker' } },
  ]);
  let id = 0;
  for (const slice of slices(SIZE.devices)) {
    const made = (await send(
      'POST',
      '/api/dcim/devices/',
      slice.map((i) => ({
        name: `device ${i}`,
        device_type: { slug: 'net-model' },
        role: { slug: 'net-role' },
        site: { slug: `net-site-${1 + (i % 10)}` },
        tenant: { slug: `net-tenant-${1 + (i % SIZE.tenants)}` },
        serial: `S${i}`,
        tags: [{ slug: `net-tag-${1 + (i % SIZE.tags)}` }],
      })),
    )) as { id: number }[];
    id ||= made[0]!.id;
  }
  return id;
}

const bodyOf = (n: number): object => ({
  address: address(n),
  status: n % 10 ? 'active' : 'reserved',
  tenant: { slug: `net-tenant-${1 + (n % SIZE.tenants)}` },
  dns_name: `host-${n}.example.net`,
  tags: [{ slug: `net-tag-${1 + (n % SIZE.tags)}` }],
});

/** Devices and 100,000 addresses: pages, filters, far pages, bulk creation, free addresses. */
export async function measureNetwork(system: System, api: Client): Promise<void> {
  const headers = { authorization: `Token ${system.token}` },
    at = (path: string) => system.base + path;
  const device = await furnish(api),
    bulks = slices(SIZE.addresses);
  const lines: Line[] = [];
  const addresses = await write(
    at('/api/ipam/ip-addresses/'),
    headers,
    (n) => (bulks[n - 1] ?? []).map(bodyOf),
    bulks.length,
    2,
  );
  lines.push({
    what: `create ${SIZE.bulk} addresses at once`,
    figure: addresses,
    times: SIZE.bulk,
    unit: 'rows',
    target: 2500,
  });
  const interfaces = await write(
    at('/api/dcim/interfaces/'),
    headers,
    (n) => upTo(SIZE.bulk).map((i) => ({ device: device + (n % 10), name: `eth${n}/${i}`, type: '1000base-t' })),
    20,
    2,
  );
  lines.push({ what: `create ${SIZE.bulk} interfaces at once`, figure: interfaces, times: SIZE.bulk, unit: 'rows' });
  const behind = Math.max(
    await settled(api, 'ipam.ipaddress', SIZE.addresses),
    await settled(api, 'dcim.interface', 20 * SIZE.bulk),
  );
  const list = '/api/ipam/ip-addresses/';
  const pool = (await api.send('POST', '/api/ipam/prefixes/', { prefix: '10.0.0.0/16', is_pool: true })) as {
    id: number;
  };
  const pages: [what: string, path: string, target: number][] = [
    ['one device', `/api/dcim/devices/${device}/`, 1200],
    ['50 devices', '/api/dcim/devices/?limit=50', 600],
    ['50 addresses', `${list}?limit=50`, 700],
    ['50 addresses by status', `${list}?limit=50&status=reserved`, 400],
    ['50 addresses by tag', `${list}?limit=50&tag=net-tag-2`, 400],
    ['50 addresses by tenant', `${list}?limit=50&tenant=net-tenant-3`, 400],
    ['50 addresses at offset 90,000', `${list}?limit=50&offset=90000`, 100],
    ['1,000 addresses', `${list}?limit=1000`, 40],
    ['free addresses of a /16 with 30,000 used', `/api/ipam/prefixes/${pool.id}/available-ips/`, 100],
  ];
  await quiet();
  for (const [what, path, target] of pages) lines.push(await reading(what, at(path), headers, { target }));
  console.log(table(lines));
  console.log(`the change log was complete ${behind.toFixed(1)} s after the last creation`);
}

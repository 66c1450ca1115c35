import type { Client } from './client.ts';
import type { Figure } from '../report/figures.ts';
import { write } from './load.ts';
import { settled } from './settled.ts';
import { upTo } from '../../tools/command/api.ts';

/** How much there is. The first `inPool` addresses lie in 10.0.0.0/16, the others behind it. */
export interface NetworkSize {
  devices: number;
  addresses: number;
  inPool: number;
  /** The number of requests that create interfaces. */
  interfaces: number;
}

/** What every network has, and how many objects a request creates. */
const TENANTS = 20;
const TAGS = 4;
export const BULK = 500;

/** The filled network, and measurements from filling it. */
export interface Network {
  /** The id of one device, of one address, and of the prefix that is a pool. */
  device: number;
  address: number;
  pool: number;
  addresses: Figure;
  interfaces: Figure;
  /** Seconds from the last creation until the change log was complete. */
  behind: number;
}

/** The n-th address of the benchmark: 10.0.0.1, 10.0.0.2 …, and from 10.1.0.0 on once the pool has its share. */
const addressOf = (n: number, inPool: number): string => {
  const number = n <= inPool ? n : 65_536 + n - inPool;
  return `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}/16`;
};

const slices = (total: number): number[][] =>
  upTo(Math.ceil(total / BULK)).map((i) => upTo(BULK).map((j) => (i - 1) * BULK + j));

/** Creates the devices, and the objects that devices and addresses refer to. Returns the id of one device. */
async function furnish({ send }: Client, devices: number): Promise<number> {
  await send(
    'POST',
    '/api/extras/tags/',
    upTo(TAGS).map((i) => ({ name: `net tag ${i}`, slug: `net-tag-${i}` })),
  );
  await send(
    'POST',
    '/api/tenancy/tenants/',
    upTo(TENANTS).map((i) => ({ name: `net tenant ${i}`, slug: `net-tenant-${i}` })),
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
  for (const slice of slices(devices)) {
    const made = (await send(
      'POST',
      '/api/dcim/devices/',
      slice.map((i) => ({
        name: `device ${i}`,
        device_type: { slug: 'net-model' },
        role: { slug: 'net-role' },
        site: { slug: `net-site-${1 + (i % 10)}` },
        tenant: { slug: `net-tenant-${1 + (i % TENANTS)}` },
        serial: `S${i}`,
        tags: [{ slug: `net-tag-${1 + (i % TAGS)}` }],
      })),
    )) as { id: number }[];
    id ||= made[0]!.id;
  }
  return id;
}

const bodyOf = (n: number, inPool: number): object => ({
  address: addressOf(n, inPool),
  status: n % 10 ? 'active' : 'reserved',
  tenant: { slug: `net-tenant-${1 + (n % TENANTS)}` },
  dns_name: `host-${n}.example.net`,
  tags: [{ slug: `net-tag-${1 + (n % TAGS)}` }],
});

/** Fills a fresh system with a network, as many objects at once as a client would send. */
export async function fillNetwork(api: Client, size: NetworkSize): Promise<Network> {
  const headers = { authorization: `Token ${api.token}` };
  const device = await furnish(api, size.devices);
  const bulks = slices(size.addresses);
  const addresses = await write(
    `${api.base}/api/ipam/ip-addresses/`,
    headers,
    (n) => (bulks[n - 1] ?? []).map((i) => bodyOf(i, size.inPool)),
    bulks.length,
    2,
  );
  const interfaces = await write(
    `${api.base}/api/dcim/interfaces/`,
    headers,
    (n) => upTo(BULK).map((i) => ({ device: device + (n % 10), name: `eth${n}/${i}`, type: '1000base-t' })),
    size.interfaces,
    2,
  );
  const behind = Math.max(
    await settled(api, 'ipam.ipaddress', size.addresses),
    await settled(api, 'dcim.interface', size.interfaces * BULK),
  );
  const pool = (await api.send('POST', '/api/ipam/prefixes/', { prefix: '10.0.0.0/16', is_pool: true })) as {
    id: number;
  };
  const some = (await api.send('GET', '/api/ipam/ip-addresses/?limit=1')) as { results: { id: number }[] };
  return { device, address: some.results[0]!.id, pool: pool.id, addresses, interfaces, behind };
}

import type { Client } from '../load/client.ts';
import { floorOf } from '../floor/floors.ts';
import { reading } from '../load/load.ts';
import { BULK, fillNetwork, type Network } from '../load/networkData.ts';
import { quiet } from '../machine/quiet.ts';
import { amount, AS_GOOD, type Measured, rate, type RateOptions } from '../report/report.ts';
import type { System } from '../../tools/testing/fresh-system.ts';

const SIZE = { devices: 2_000, addresses: 100_000, inPool: 30_000, interfaces: 20 };

/** A page, its path, and the rate that it has to reach. */
type Page = [what: string, path: string, options: RateOptions];

const DEVICES = '/api/dcim/devices/';
const ADDRESSES = '/api/ipam/ip-addresses/';

/** Devices and 100,000 addresses: pages, filters, far pages, bulk creation, free addresses. */
export async function measureNetwork(system: System, api: Client): Promise<Measured[]> {
  const network = await fillNetwork(api, SIZE);
  await quiet();
  const devices = await floorOf(system, 'dcim.device', network.device, [50]);
  const addresses = await floorOf(system, 'ipam.ipaddress', network.address, [50]);
  const twice = { against: 1.7 };
  const same = { against: AS_GOOD };
  const lines = await readPages(system, [
    ['one device', `${DEVICES}${network.device}/`, { target: 1200, beside: devices.detail, ...twice }],
    ['50 devices', `${DEVICES}?limit=50`, { target: 600, beside: devices.pages[50]!, ...twice }],
    ['50 addresses', `${ADDRESSES}?limit=50`, { target: 700, beside: addresses.pages[50]!, ...twice }],
  ]);
  return [
    ...filled(network),
    ...lines,
    ...(await narrowed(system)),
    ...(await readPages(system, [
      ['50 addresses at offset 90,000', `${ADDRESSES}?limit=50&offset=90000`, { target: 100, ...same }],
      ['1,000 addresses', `${ADDRESSES}?limit=1000`, { target: 40, ...same }],
      [
        'free addresses of a /16 with 30,000 used',
        `/api/ipam/prefixes/${network.pool}/available-ips/`,
        { target: 100, ...same },
      ],
    ])),
  ];
}

const filled = ({ addresses, interfaces, behind }: Network): Measured[] => [
  rate(`create ${BULK} addresses at once`, addresses, { times: BULK, unit: 'rows', target: 2500, against: AS_GOOD }),
  rate(`create ${BULK} interfaces at once`, interfaces, { times: BULK, unit: 'rows', against: AS_GOOD }),
  amount('the change log complete after the last creation', behind, 's'),
];

/** Reads pages narrowed by different filters, and an unfiltered page of the same size before and after them. */
async function narrowed(system: System): Promise<Measured[]> {
  const plain = (when: string) => readPages(system, [[`50 addresses, ${when}`, `${ADDRESSES}?limit=50`, {}]]);
  const filters: [what: string, query: string, target?: number][] = [
    ['by status', 'status=reserved', 400],
    ['by tag', 'tag=net-tag-2', 400],
    ['by tenant', 'tenant=net-tenant-3', 400],
    ['by tag and tenant', 'tag=net-tag-3&tenant=net-tenant-3'],
  ];
  const before = await plain('before those that are narrowed');
  const lines = await readPages(
    system,
    filters.map(([what, query, target]) => [
      `50 addresses ${what}`,
      `${ADDRESSES}?limit=50&${query}`,
      target === undefined ? {} : { target },
    ]),
  );
  const after = await plain('after them');
  const whole = { perSecond: (before[0]!.value + after[0]!.value) / 2, name: 'the whole list', wanted: AS_GOOD };
  return [...before, ...lines.map((line) => ({ ...line, beside: whole })), ...after];
}

async function readPages(system: System, pages: readonly Page[]): Promise<Measured[]> {
  const lines: Measured[] = [];
  for (const [what, path, options] of pages)
    lines.push(await reading(what, system.base + path, { authorization: `Token ${system.token}` }, options));
  return lines;
}

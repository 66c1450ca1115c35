import { type Api, listed, MOST, type Shown } from '@cadastre/pages';
import { addressOf, type Network, networkText, type Span, spanOf } from '@cadastre/model';
import { shareTaken } from './blocks.ts';

export type Address = Shown & {
  address: string;
  status: { value: string; label: string };
  dns_name: string;
  description: string;
  assigned_object: (Shown & { device?: Shown; virtual_machine?: Shown }) | null;
};
export type Range = Shown & {
  start_address: string;
  end_address: string;
  status: { value: string; label: string };
  mark_populated: boolean;
  mark_utilized: boolean;
  description: string;
};

/** Addresses and ranges in a network. */
export interface Used {
  addresses: Address[];
  ranges: Range[];
  /** The last address up to which the data is complete; undefined when all of it is. */
  upTo: bigint | undefined;
  count: number;
}

export const hostOf = (text: string): bigint => addressOf(text.split('/')[0]!)!.address;
export const spanOfRange = ({ start_address, end_address }: Range): Span => ({
  first: hostOf(start_address),
  last: hostOf(end_address),
});

const FIELDS = 'id,url,display,address,status,dns_name,description,assigned_object';
const RANGE_FIELDS = 'id,url,display,start_address,end_address,status,mark_populated,mark_utilized,description';

/**
 * The addresses and ranges in use in networks, in the routing table of a VRF; at most a given number of pages of
 * addresses is read. `vrf` is undefined for all routing tables.
 */
export async function usedIn(
  api: Api,
  nets: readonly Network[],
  vrf: number | null | undefined,
  pages = 1,
): Promise<Used> {
  const wanted = { parent: nets.map(networkText), vrf_id: vrf, ordering: 'address' };
  const [ranges, ...lists] = await Promise.all([
    listed<Range>(api, '/api/ipam/ip-ranges/', { parent: wanted.parent, vrf_id: vrf, fields: RANGE_FIELDS }),
    ...Array.from({ length: pages }, (_, i) =>
      listed<Address>(api, '/api/ipam/ip-addresses/', { ...wanted, fields: FIELDS, offset: i * MOST }),
    ),
  ]);
  const addresses = lists.flatMap(({ results }) => results);
  const count = lists[0]!.count;
  const last = addresses.at(-1);
  return {
    addresses,
    ranges: ranges.results,
    count,
    upTo: count > addresses.length && last ? hostOf(last.address) - 1n : undefined,
  };
}

/** How far a network is in use by its addresses, and by ranges that count as used; undefined where that is unknown. */
export function shareUsed(net: Network, { addresses, ranges, upTo }: Used, whole: boolean): number | undefined {
  const span = spanOf(net);
  if (upTo !== undefined && span.last > upTo) return undefined;
  const hosts = [...new Set(addresses.map(({ address }) => hostOf(address)))].map((host) => ({
    first: host,
    last: host,
  }));
  const taken = [...hosts, ...ranges.filter((one) => one.mark_utilized || one.mark_populated).map(spanOfRange)];
  const share = shareTaken(net, taken);
  // The address of the network itself and its broadcast address cannot be used.
  const size = Number(span.last - span.first) + 1;
  return whole || net.family === 6 || size <= 2 ? share : Math.min(100, (share * size) / (size - 2));
}

import { addressOf, addressText, bitsOf, hostOf, type IpFamily, type Json, networkOf, type Span, spanOf } from '@cadastre/model';
import { ipAddress } from '../models/ipAddress.ts';
import { ipRange } from '../models/ipRange.ts';
import { prefix } from '../models/prefix.ts';
import { addressesOf } from '../models/uniqueSpace.ts';
import { firstFree, singles, type Used } from './firstFree.ts';
import type { Pool, Read, Shown } from './handler.ts';

/** Where addresses are looked for. */
interface Space extends Span { family: IpFamily; vrf: number | null; everyVrf: boolean }

const idOf = (object: Json | undefined): number | null => (object as { id: number } | null | undefined)?.id ?? null;
const choiceOf = (object: Json | undefined): Json | undefined => (object as { value: Json } | null | undefined)?.value;

/** Distances of addresses are numbers of 64 bits in PostgreSQL. */
const COUNTABLE = 2n ** 62n;

/** Addresses of a space that are in use, by their places in the order of all addresses. */
function usedIn({ family, first, last, vrf, everyVrf }: Space, read: Read, table: string): Used {
  const text = (address: bigint) => addressText(family, address), host = hostOf('t', 'address');
  const inUse = (shown: string) => `select ${shown} from ${table} t where ${host} between $1::inet and $3::inet and $2::inet is not null
    and ($4::boolean or t.vrf_id is not distinct from $5::bigint) order by ${host} limit $6`;
  const values = (from: bigint, most: number) => [text(from), text(first), text(last), everyVrf, vrf, most];
  if (last - first >= COUNTABLE) {
    return async (from, most) => {
      const rows = await read(inUse('host(t.address)'), values(from, most));
      return { spans: singles(rows.map(([cell]) => addressOf(cell!)!.address)), all: rows.length < most };
    };
  }
  // PostgreSQL puts neighbours together: an address less its place in the order is the same for all of a run.
  const runs = `select min(n), max(n), count(*) from (select n, n - dense_rank() over (order by n) as run from (${inUse(`set_masklen(t.address, ${bitsOf(family)}) - $2::inet as n`)}) x) y group by run order by 1`;
  return async (from, most) => {
    const rows = await read(runs, values(from, most));
    return { spans: rows.map(([low, high]) => ({ first: first + BigInt(low!), last: first + BigInt(high!) })), all: rows.reduce((sum, row) => sum + Number(row[2]), 0) < most };
  };
}

/** Ranges of which every address counts as used. */
async function populated(space: Space, read: Read, table: string): Promise<Span[]> {
  const [start, end] = [hostOf('r', 'start_address'), hostOf('r', 'end_address')];
  const rows = await read(
    `select host(r.start_address), host(r.end_address) from ${table} r where r.mark_populated and family(r.start_address) = $1 and ${start} <= $3::inet and ${end} >= $2::inet
      and ($4::boolean or r.vrf_id is not distinct from $5::bigint) order by ${start}`,
    [space.family, addressText(space.family, space.first), addressText(space.family, space.last), space.everyVrf, space.vrf]);
  return rows.map(([first, last]) => ({ first: addressOf(first!)!.address, last: addressOf(last!)!.address }));
}

const network = (parent: Shown, member: string) => networkOf(String(parent[member]))!;

/** What both have in common: addresses with the parent's mask, in its routing table. */
const common = {
  child: ipAddress, types: ['ipam.ipaddress', 'ipam.iprange'],
  lock: (parent: Shown) => addressesOf(idOf(parent['vrf'])),
  show: (address: string, parent: Shown) => ({ family: address.includes(':') ? 6 : 4, address, vrf: parent['vrf'] }),
  allot: (requests: Json[], free: string[], parent: Shown) => (free.length < requests.length ? undefined : requests.map((_, i) => ({ address: free[i]!, vrf: idOf(parent['vrf']) }))),
};

/** Free addresses of a prefix. A container outside any VRF is looked at across all of them. */
export const addressesOfPrefix: Pool<string> = {
  ...common, parent: prefix, fields: ['prefix', 'vrf', 'status', 'is_pool'],
  async free(parent, most, read, tableOf) {
    const net = network(parent, 'prefix'), { first, last } = spanOf(net), vrf = idOf(parent['vrf']);
    // The first address of a network stands for the network itself, and the last one of IPv4 for all hosts in it.
    const small = bitsOf(net.family) - net.length <= 1, whole = parent['is_pool'] === true || small;
    const space: Space = { family: net.family, first: whole ? first : first + 1n, last: whole || net.family === 6 ? last : last - 1n, vrf, everyVrf: vrf === null && choiceOf(parent['status']) === 'container' };
    const free = await firstFree(space, await populated(space, read, tableOf('ipam.iprange')), most, usedIn(space, read, tableOf('ipam.ipaddress')));
    return free.map((address) => `${addressText(net.family, address)}/${net.length}`);
  },
};

/** Free addresses of a range. */
export const addressesOfRange: Pool<string> = {
  ...common, parent: ipRange, fields: ['start_address', 'end_address', 'vrf', 'mark_populated'],
  async free(parent, most, read, tableOf) {
    if (parent['mark_populated'] === true) return [];
    const start = network(parent, 'start_address'), end = network(parent, 'end_address');
    const space: Space = { family: start.family, first: start.address, last: end.address, vrf: idOf(parent['vrf']), everyVrf: false };
    const free = await firstFree(space, [], most, usedIn(space, read, tableOf('ipam.ipaddress')));
    return free.map((address) => `${addressText(start.family, address)}/${start.length}`);
  },
};

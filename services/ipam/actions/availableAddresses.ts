import {
  addressOf,
  addressText,
  bitsOf,
  hostOf,
  hostsOf,
  integerOf,
  type IpFamily,
  isDict,
  type Json,
  type Network,
  networkOf,
  type Span,
  spanOf,
} from '@cadastre/model';
import { brief, orNull, recordOf } from '@cadastre/rest';
import { ipAddress } from '../models/addresses/ipAddress.ts';
import { ipRange } from '../models/addresses/ipRange.ts';
import { prefix } from '../models/prefixes/prefix.ts';
import { vrf } from '../models/routing/vrf.ts';
import { addressesOf } from '../models/uniqueSpace.ts';
import { firstFree, type Used } from './firstFree.ts';
import type { Pool, Read, Shown } from './handler.ts';

/** Where addresses are looked for. */
interface Space extends Span {
  family: IpFamily;
  vrf: number | null;
  everyVrf: boolean;
}

const idOf = (object: Json | undefined): number | null => (object as { id: number } | null | undefined)?.id ?? null;
const choiceOf = (object: Json | undefined): Json | undefined => (object as { value: Json } | null | undefined)?.value;

/** How many addresses a bit mask of 64 bits covers, and how many such blocks one statement looks through at most. */
const BLOCK = 64;
const BLOCKS = 16_384n;

/** The first blocks of a space that have a free address. Reads no more than is needed to find the given number. */
const openBlocks = (table: string): string => {
  const host = hostOf('t', 'address');
  return `select b.n, x.used from generate_series(0, ($2::bigint - 1) / ${BLOCK}) as b (n) cross join lateral (
      select coalesce(bit_or(1::bigint << (t.address - ($1::inet + b.n * ${BLOCK}))::integer), 0) as used from ${table} t
      where ${host} between $1::inet + b.n * ${BLOCK} and $1::inet + least(b.n * ${BLOCK} + ${BLOCK - 1}, $2::bigint - 1) and ($3::boolean or t.vrf_id is not distinct from $4::bigint)
    ) x where x.used <> -1 limit $5`;
};

/**
 * Addresses of a space that are in use. PostgreSQL answers with a bit mask for each block, as a row for each address
 * would take ten times as long.
 */
function usedIn({ family, last, vrf, everyVrf }: Space, read: Read, table: string): Used {
  return async (from, wanted) => {
    const size = BigInt(BLOCK);
    const left = last - from + 1n;
    const looked = left < BLOCKS * size ? left : BLOCKS * size;
    const rows = await read(openBlocks(table), [addressText(family, from), String(looked), everyVrf, vrf, wanted]);
    const spans: Span[] = [];
    let at = from;
    for (const [block, mask] of rows) {
      const start = from + BigInt(block!) * size;
      // Blocks that were skipped are in use as a whole.
      if (start > at) spans.push({ first: at, last: start - 1n });
      spans.push(
        ...bitsIn(BigInt.asUintN(BLOCK, BigInt(mask!))).map((bit) => ({ first: start + bit, last: start + bit })),
      );
      at = start + size;
    }
    const end = from + looked;
    if (rows.length < wanted && at < end) spans.push({ first: at, last: end - 1n });
    return { spans, upTo: rows.length < wanted || at > end ? end - 1n : at - 1n };
  };
}

/** The positions of the bits that are set. */
function bitsIn(mask: bigint): bigint[] {
  const bits: bigint[] = [];
  for (let bit = 0n, rest = mask; rest; bit++, rest >>= 1n) if (rest & 1n) bits.push(bit);
  return bits;
}

/** Ranges of which every address counts as used. */
async function populated(space: Space, read: Read, table: string): Promise<Span[]> {
  const [start, end] = [hostOf('r', 'start_address'), hostOf('r', 'end_address')];
  const rows = await read(
    `select host(r.start_address), host(r.end_address) from ${table} r where r.mark_populated and family(r.start_address) = $1 and ${start} <= $3::inet and ${end} >= $2::inet
      and ($4::boolean or r.vrf_id is not distinct from $5::bigint) order by ${start}`,
    [
      space.family,
      addressText(space.family, space.first),
      addressText(space.family, space.last),
      space.everyVrf,
      space.vrf,
    ],
  );
  return rows.map(([first, last]) => ({ first: addressOf(first!)!.address, last: addressOf(last!)!.address }));
}

const network = (parent: Shown, member: string) => networkOf(String(parent[member]))!;

/** The network of a prefix, or the mask that both ends of a range have. */
const maskOf = (parent: Shown): Network => network(parent, 'prefix' in parent ? 'prefix' : 'start_address');

/** A request may ask for a longer mask than the parent's, such as that of a single host. */
const lengthOf = (request: Json): number | undefined =>
  isDict(request) && request['prefix_length'] !== undefined ? integerOf(request['prefix_length']!) : undefined;

const withLength = (address: string, length: number | undefined): string =>
  length === undefined ? address : `${address.split('/')[0]}/${length}`;

function wrongMask(
  request: Json,
  { family, length: shortest }: Network,
): { prefix_length: string | string[] } | Record<string, never> {
  const given = isDict(request) ? request['prefix_length'] : undefined;
  const length = lengthOf(request);
  if (given === undefined) return {};
  if (length === undefined)
    return { prefix_length: [given === null ? 'This field may not be null.' : 'A valid integer is required.'] };
  if (length < shortest)
    return { prefix_length: `Prefix length must be greater than or equal to the parent mask length (${shortest})` };
  return length > bitsOf(family) ? { prefix_length: `Invalid prefix length (${length}) for IPv${family}` } : {};
}

/**
 * What prefixes and ranges have in common: new addresses get the mask of the parent, or the one that is asked for, and
 * its routing table.
 */
const common = {
  child: ipAddress,
  types: ['ipam.ipaddress', 'ipam.iprange'],
  lock: (parent: Shown) => addressesOf(idOf(parent['vrf'])),
  shown: recordOf({ family: { type: 'integer', enum: [4, 6] }, address: { type: 'string' }, vrf: orNull(brief(vrf)) }),
  show: (address: string, parent: Shown) => ({ family: address.includes(':') ? 6 : 4, address, vrf: parent['vrf'] }),
  given: {
    type: 'object',
    properties: {
      prefix_length: {
        type: 'integer',
        description: 'The mask of the address; that of the parent unless it is given.',
      },
    },
    additionalProperties: true,
  },
  refused(requests: Json[], parent: Shown) {
    const found = requests.map((request) => wrongMask(request, maskOf(parent)));
    return found.some((one) => 'prefix_length' in one) ? found : undefined;
  },
  allot: (requests: Json[], free: string[], parent: Shown) =>
    free.length < requests.length
      ? undefined
      : requests.map((request, i) => ({ address: withLength(free[i]!, lengthOf(request)), vrf: idOf(parent['vrf']) })),
};

/** Free addresses of a prefix. For a container outside any VRF, an address is free when no VRF uses it. */
export const addressesOfPrefix: Pool<string> = {
  ...common,
  parent: prefix,
  fields: ['prefix', 'vrf', 'status', 'is_pool'],
  async free(parent, most, read, tableOf) {
    const net = network(parent, 'prefix');
    const vrf = idOf(parent['vrf']);
    const space: Space = {
      family: net.family,
      ...(parent['is_pool'] === true ? spanOf(net) : hostsOf(net)),
      vrf,
      everyVrf: vrf === null && choiceOf(parent['status']) === 'container',
    };
    const free = await firstFree(
      space,
      await populated(space, read, tableOf('ipam.iprange')),
      most,
      usedIn(space, read, tableOf('ipam.ipaddress')),
    );
    return free.map((address) => `${addressText(net.family, address)}/${net.length}`);
  },
};

/** Free addresses of a range. */
export const addressesOfRange: Pool<string> = {
  ...common,
  parent: ipRange,
  fields: ['start_address', 'end_address', 'vrf', 'mark_populated'],
  async free(parent, most, read, tableOf) {
    if (parent['mark_populated'] === true) return [];
    const start = network(parent, 'start_address');
    const end = network(parent, 'end_address');
    const space: Space = {
      family: start.family,
      first: start.address,
      last: end.address,
      vrf: idOf(parent['vrf']),
      everyVrf: false,
    };
    const free = await firstFree(space, [], most, usedIn(space, read, tableOf('ipam.ipaddress')));
    return free.map((address) => `${addressText(start.family, address)}/${start.length}`);
  },
};

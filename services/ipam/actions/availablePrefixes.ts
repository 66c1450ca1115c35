import {
  bitsOf,
  gaps,
  type Json,
  type Network,
  networkOf,
  networksOf,
  networkText,
  sizeOf,
  type Span,
  spanOf,
} from '@cadastre/model';
import { brief, orNull, recordOf } from '@cadastre/rest';
import { prefix } from '../models/prefixes/prefix.ts';
import { prefixesOf } from '../models/uniqueSpace.ts';
import { vrf } from '../models/routing/vrf.ts';
import type { Pool, Shown } from './handler.ts';

const netOf = (text: string): Network => networkOf(text)!;
const lengthOf = (request: Json): Json | undefined => (request as Record<string, Json> | null)?.['prefix_length'];

function wrongLength(request: Json, { family }: Network): { prefix_length: string } | Record<string, never> {
  const length = lengthOf(request);
  if (length === undefined || length === null) return { prefix_length: 'this field can not be missing' };
  if (typeof length !== 'number' || !Number.isInteger(length)) return { prefix_length: 'this field must be int type' };
  return length > bitsOf(family) || length < 0
    ? { prefix_length: `Invalid prefix length (${length}) for IPv${family}` }
    : {};
}

/**
 * Takes networks of the wanted lengths out of free ones, each from the first that is large enough. Undefined when one
 * does not fit.
 */
export function takeOut(free: readonly Network[], lengths: readonly number[]): Network[] | undefined {
  const left = [...free];
  const taken: Network[] = [];
  for (const length of lengths) {
    const at = left.findIndex((net) => net.length <= length);
    if (at < 0) return undefined;
    const { family, address, length: whole } = left[at]!;
    const last = address + sizeOf(family, whole) - 1n;
    taken.push({ family, address, length });
    left.splice(at, 1, ...networksOf(family, { first: address + sizeOf(family, length), last }));
  }
  return taken;
}

/** Networks inside a prefix that no other prefix covers: the fewest and largest. */
export const prefixesOfPrefix: Pool<string> = {
  parent: prefix,
  child: prefix,
  fields: ['prefix', 'vrf', 'status'],
  types: [],
  async free(parent, _most, read, tableOf) {
    const net = netOf(String(parent['prefix']));
    const vrf = parent['vrf'] as { id: number } | null;
    // A container outside any VRF is looked at across all of them.
    const everyVrf = vrf === null && (parent['status'] as { value: string }).value === 'container';
    const rows = await read(
      `select t.prefix from ${tableOf('ipam.prefix')} t where t.prefix << $1::inet and ($2::boolean or t.vrf_id is not distinct from $3::bigint) order by t.prefix`,
      [networkText(net), everyVrf, vrf?.id ?? null],
    );
    const taken = rows.map(([cell]): Span => spanOf(netOf(cell!)));
    return [...gaps(spanOf(net), taken)].flatMap((gap) => networksOf(net.family, gap)).map(networkText);
  },
  shown: recordOf({ family: { type: 'integer', enum: [4, 6] }, prefix: { type: 'string' }, vrf: orNull(brief(vrf)) }),
  show: (text, parent) => ({ family: netOf(text).family, prefix: text, vrf: parent['vrf'] }),
  lock: (parent: Shown) => prefixesOf((parent['vrf'] as { id: number } | null)?.id),
  given: {
    type: 'object',
    required: ['prefix_length'],
    properties: { prefix_length: { type: 'integer' } },
    additionalProperties: true,
  },
  refused(requests, parent) {
    const found = requests.map((request) => wrongLength(request, netOf(String(parent['prefix']))));
    return found.some((one) => 'prefix_length' in one) ? found : undefined;
  },
  allot(requests, free, parent) {
    const taken = takeOut(
      free.map(netOf),
      requests.map((request) => Number(lengthOf(request))),
    );
    return taken?.map((net) => ({
      prefix: networkText(net),
      vrf: (parent['vrf'] as { id: number } | null)?.id ?? null,
    }));
  },
};

import type { Cell, Json } from '@cadastre/model';
import { brief, recordOf } from '@cadastre/rest';
import { asn } from '../models/routing/asn.ts';
import { asnRange } from '../models/routing/asnRange.ts';
import { rir } from '../models/routing/rir.ts';
import { vlan } from '../models/vlans/vlan.ts';
import { vlanGroup } from '../models/vlans/vlanGroup.ts';
import { firstFree, singles } from './firstFree.ts';
import type { Pool, Shown } from './handler.ts';

const numbers = (rows: Cell[][]): bigint[] => rows.map(([cell]) => BigInt(cell!));

const relatedId = (parent: Shown, member: string): Json => (parent[member] as { id: number } | null)?.id ?? null;

/** Free VLAN numbers of a group. */
export const vlansOfGroup: Pool<number> = {
  parent: vlanGroup,
  child: vlan,
  fields: ['url', 'display', 'name', 'slug', 'description', 'vid_ranges'],
  types: ['ipam.vlan'],
  async free(parent, most, read, tableOf) {
    const ranges = (parent['vid_ranges'] as [number, number][]).toSorted(([a], [b]) => a - b);
    const free: number[] = [];
    const used = numbers(
      await read(`select vid from ${tableOf('ipam.vlan')} where group_id = $1 order by vid`, [parent['id']]),
    );
    for (const [first, last] of ranges) {
      free.push(
        ...(
          await firstFree({ first: BigInt(first), last: BigInt(last) }, [], most - free.length, async (from) => ({
            spans: singles(used.filter((vid) => vid >= from)),
            upTo: BigInt(last),
          }))
        ).map(Number),
      );
    }
    return free;
  },
  shown: recordOf({
    vid: { type: 'integer' },
    group: recordOf({
      id: { type: 'integer' },
      url: { type: 'string', format: 'uri' },
      display: { type: 'string' },
      name: { type: 'string' },
      slug: { type: 'string' },
      description: { type: 'string' },
    }),
  }),
  show: (vid, { vid_ranges: _, ...group }) => ({ vid, group }),
  lock: (parent) => `ipam vlans ${parent['id']}`,
  given: { type: 'object', required: ['name'], properties: { name: { type: 'string' } }, additionalProperties: true },
  refused(requests) {
    const found = requests.map((request) =>
      (request as Shown | null)?.['name'] === undefined ? { name: ['This field is required.'] } : {},
    );
    return found.some((one) => 'name' in one) ? found : undefined;
  },
  allot: (requests, free, parent) =>
    free.length < requests.length ? undefined : requests.map((_, i) => ({ vid: free[i]!, group: parent['id']! })),
};

/** How many numbers in use are read at first, and in each further step while all of them follow one another. */
const CHUNKS = [1000, 100_000] as const;

/** Free AS numbers of a range. */
export const asnsOfRange: Pool<number> = {
  parent: asnRange,
  child: asn,
  fields: ['start', 'end', 'rir'],
  types: ['ipam.asn'],
  async free(parent, most, read, tableOf) {
    const end = BigInt(Number(parent['end']));
    let size = 0;
    const used = async (from: bigint) => {
      size = size ? CHUNKS[1] : CHUNKS[0];
      const taken = numbers(
        await read(`select asn from ${tableOf('ipam.asn')} where asn between $1 and $2 order by asn limit $3`, [
          String(from),
          parent['end'],
          size,
        ]),
      );
      return { spans: singles(taken), upTo: taken.length < size ? end : taken.at(-1)! };
    };
    return (await firstFree({ first: BigInt(Number(parent['start'])), last: end }, [], most, used)).map(Number);
  },
  shown: recordOf({ rir: brief(rir), asn: { type: 'integer' } }),
  show: (number, parent) => ({ rir: parent['rir'], asn: number }),
  lock: () => 'ipam asns',
  allot: (requests, free, parent) =>
    free.length < requests.length
      ? undefined
      : requests.map((_, i) => ({ asn: free[i]!, rir: relatedId(parent, 'rir') })),
};

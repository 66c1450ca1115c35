import {
  addressFilter,
  addressText,
  boolean,
  type Check,
  choice,
  column,
  family,
  familyFilter,
  helped,
  hostOf,
  integer,
  ipAddress,
  method,
  model,
  networkOf,
  primaryFields,
  ref,
  type Rule,
  tenantGroupFilters,
  type Values,
  withContacts,
  withinFilter,
  withMask,
} from '@cadastre/model';
import { usageStatus } from '../choices.ts';
import { idsOf, locked } from '../locks.ts';

/** `10.1.1.100-120/24`: what both ends have in common is written once. */
export function rangeText(start: string, end: string): string {
  const [first, mask] = withMask(start).split('/') as [string, string];
  const last = end.split('/')[0]!;
  const separator = first.includes(':') ? ':' : '.';
  const chunks = [first.split(separator), last.split(separator)] as const;
  let common = 0;
  while (common < chunks[0].length - 1 && chunks[0][common] === chunks[1][common]) common += 1;
  const [from, to] = chunks.map((all) => all.slice(common).join(separator));
  return `${[...chunks[0].slice(0, common), ''].join(separator)}${from}-${to}/${mask}`;
}

/** The largest range that the reference keeps. */
const MAX_SIZE = 2n ** 32n - 1n;

/** Both ends are in one network, in order; the size follows from them. */
export const inOrder: Rule = (range) => {
  const start = networkOf(String(range['start_address']));
  const end = networkOf(String(range['end_address']));
  if (!start || !end) return undefined;
  if (start.family !== end.family) return { end_address: ['Starting and ending IP address versions must match'] };
  if (start.length !== end.length) return { end_address: ['Starting and ending IP address masks must match'] };
  if (end.address < start.address)
    return {
      end_address: [
        `Ending address must be greater than or equal to the starting address (${String(range['start_address'])})`,
      ],
    };
  const size = end.address - start.address + 1n;
  if (size > MAX_SIZE) return { __all__: [`Defined range exceeds maximum supported size (${MAX_SIZE})`] };
  range['size'] = Number(size);
  return undefined;
};

/** Ranges of one routing table do not overlap. */
export const rangesApart: Check = async (proposed, { query, tableOf }) => {
  await locked(
    query,
    proposed.map(({ object }) => `ipam ranges ${object['vrf'] ?? 'global'}`),
  );
  const between = (o: string) =>
    `${hostOf(o, 'start_address')} <= g.last and ${hostOf(o, 'end_address')} >= g.first and family(${o}.start_address) = family(g.first) and ${o}.vrf_id is not distinct from g.vrf_id`;
  const rows = await query(
    `with given as (select r.*, ${hostOf('r', 'start_address')} as first, ${hostOf('r', 'end_address')} as last from jsonb_to_recordset($1::jsonb) as r(n integer, vrf_id bigint, start_address inet, end_address inet))
    select distinct on (f.n) f.n, f.start_address, f.end_address, v.name, v.rd from (
      select g.n, g.vrf_id, o.start_address, o.end_address from given g join ${tableOf('ipam.iprange')} o on ${between('o')} where o.id <> all($2::bigint[])
      union all select g.n, g.vrf_id, o.start_address, o.end_address from given g join given o on ${between('o')} where o.n < g.n
    ) f left join ${tableOf('ipam.vrf')} v on v.id = f.vrf_id order by f.n, f.start_address`,
    [
      JSON.stringify(
        proposed.map(({ object }, n) => ({
          n,
          vrf_id: object['vrf'] ?? null,
          start_address: object['start_address'],
          end_address: object['end_address'],
        })),
      ),
      idsOf(proposed),
    ],
  );
  const found = new Map(
    rows.map(([n, start, end, name, rd]) => [
      Number(n),
      `Defined addresses overlap with range ${rangeText(start!, end!)} in VRF ${name === null ? 'None' : name + (rd ? ` (${rd})` : '')}`,
    ]),
  );
  return proposed.map(({ object }, n) => (found.has(n) && isWhole(object) ? { __all__: [found.get(n)!] } : undefined));
};

/** Whether the ends have the same mask and are in order; another rule reports it when that is not so. */
const isWhole = (range: Values): boolean => {
  const [start, end] = [networkOf(String(range['start_address'])), networkOf(String(range['end_address']))];
  return (
    start !== undefined &&
    end !== undefined &&
    start.family === end.family &&
    start.length === end.length &&
    start.address <= end.address
  );
};

/** Addresses from one to another, such as those that a server hands out. */
export const ipRange = model('ipam.iprange', {
  path: 'ip-ranges',
  pages: {
    columns: ['size', 'status', 'vrf', 'role', 'tenant', 'description'],
    groups: { Utilization: ['mark_populated', 'mark_utilized'] },
  },
  label: 'IP range',
  ordering: ['vrf_id nulls first', 'start_address'],
  features: withContacts,
  brief: ['family', 'start_address', 'end_address', 'description'],
  display: { columns: ['start_address', 'end_address'], text: ([start, end]) => rangeText(start!, end!) },
  search: ['description', 'start_address', 'end_address'],
  fields: {
    family: family('start_address'),
    start_address: helped('IPv4 or IPv6 address (with mask)', ipAddress({ index: false })),
    end_address: helped('IPv4 or IPv6 address (with mask)', ipAddress({ index: false })),
    size: integer({ readOnly: true, size: 'bigint', default: 0 }),
    vrf: ref('ipam.vrf', { optional: true }),
    tenant: ref('tenancy.tenant', { optional: true }),
    status: helped('Operational status of this range', choice(usageStatus, { default: 'active' })),
    role: helped('The primary function of this range', ref('ipam.role', { optional: true, onDelete: 'setNull' })),
    ...primaryFields(),
    mark_populated: helped('Prevent the creation of IP addresses within this range', boolean()),
    mark_utilized: helped('Report space as fully utilized', boolean()),
  },
  filters: {
    ...tenantGroupFilters(),
    family: familyFilter('start_address'),
    size: column('size', 'number'),
    start_address: addressFilter('start_address'),
    end_address: addressFilter('end_address'),
    parent: withinFilter('start_address', 'end_address'),
    contains: method('text', ({ table, bind }, [value]) => {
      const parsed = networkOf(value!.trim());
      if (!parsed) return 'false';
      const host = `${bind(addressText(parsed.family, parsed.address))}::inet`;
      return `(${hostOf(table, 'start_address')} <= ${host} and ${hostOf(table, 'end_address')} >= ${host} and family(${table}.start_address) = ${parsed.family})`;
    }),
  },
  rules: [inOrder],
  checks: [rangesApart],
});

import {
  type Check,
  date,
  family,
  familyFilter,
  model,
  network,
  networkFilters,
  primaryFields,
  ref,
  searchNetworks,
  tenantGroupFilters,
  withContacts,
} from '@cadastre/model';
import { idsOf, locked } from '../locks.ts';

/** Aggregates do not overlap: together they are the whole space that is managed. */
export const aggregatesApart: Check = async (proposed, { query, tableOf }) => {
  await locked(query, ['ipam.aggregate']);
  const rows = await query(
    `with given as (select * from jsonb_to_recordset($1::jsonb) as r(n integer, prefix cidr))
    select distinct on (n) n, other, other >>= prefix from (
      select g.n, g.prefix, o.prefix as other from given g join ${tableOf('ipam.aggregate')} o on o.prefix && g.prefix where o.id <> all($2::bigint[])
      union all select g.n, g.prefix, o.prefix from given g join given o on o.prefix && g.prefix and o.n < g.n
    ) f order by n, other >>= prefix desc, other`,
    [JSON.stringify(proposed.map(({ object }, n) => ({ n, prefix: object['prefix'] }))), idsOf(proposed)],
  );
  const found = new Map(rows.map(([n, other, covers]) => [Number(n), { other: other!, covers: covers === 't' }]));
  return proposed.map(({ object }, n) => {
    const prefix = String(object['prefix']);
    const overlap = found.get(n);
    if (prefix.endsWith('/0')) return { prefix: ['Cannot create aggregate with /0 mask.'] };
    if (!overlap) return undefined;
    return {
      prefix: [
        overlap.covers
          ? `Aggregates cannot overlap. ${prefix} is already covered by an existing aggregate (${overlap.other}).`
          : `Prefixes cannot overlap aggregates. ${prefix} covers an existing aggregate (${overlap.other}).`,
      ],
    };
  });
};

const byNetwork = networkFilters('prefix');

/** A part of the address space that was assigned by a registry. */
export const aggregate = model('ipam.aggregate', {
  path: 'aggregates',
  label: 'aggregate',
  ordering: ['prefix'],
  features: withContacts,
  brief: ['family', 'prefix', 'description'],
  display: { columns: ['prefix'], text: ([prefix]) => prefix ?? '' },
  search: ['prefix', 'description'],
  searchBy: searchNetworks('prefix'),
  fields: {
    family: family('prefix'),
    prefix: network(),
    rir: ref('ipam.rir'),
    tenant: ref('tenancy.tenant', { optional: true }),
    date_added: date({ optional: true }),
    ...primaryFields(),
  },
  filters: { ...tenantGroupFilters(), family: familyFilter('prefix'), prefix: byNetwork.equal },
  checks: [aggregatesApart],
});

import {
  batched,
  count,
  type Filter,
  integer,
  method,
  model,
  names,
  primary,
  primaryFields,
  ref,
  scopeOf,
  slug,
  tenantGroupFilters,
  text,
} from '@cadastre/model';
import { rangesOfVids, vidRanges } from './vidRanges.ts';

/** What a group of VLANs may be meant for, by the name of the filter. */
const SCOPES = {
  region: 'dcim.region',
  site_group: 'dcim.sitegroup',
  site: 'dcim.site',
  location: 'dcim.location',
  rack_group: 'dcim.rackgroup',
  rack: 'dcim.rack',
  cluster_group: 'virtualization.clustergroup',
  cluster: 'virtualization.cluster',
};

const scopeFilters = (): Record<string, Filter> =>
  Object.fromEntries(
    Object.entries(SCOPES).map(([name, type]) => [
      name,
      method(
        'number',
        ({ table, bind }, [id]) => `(${table}.scope_type = '${type}' and ${table}.scope_id = ${bind(id)}::bigint)`,
      ),
    ]),
  );

/** A percentage with one or two decimals, such as `12.0`. */
export function percent(part: number, whole: number): string {
  const rounded = whole ? Math.round((part * 10_000) / whole) / 100 : 0;
  return Number.isInteger(rounded) ? rounded.toFixed(1) : String(rounded);
}

/** VLANs whose numbers and names are unique together. */
export const vlanGroup = model('ipam.vlangroup', {
  path: 'vlan-groups',
  pages: {
    columns: ['scope', 'vid_ranges', 'vlan_count', 'utilization', 'description'],
    groups: { Scope: ['scope_type', 'scope_id', 'scope'], 'VLAN IDs': ['vid_ranges', 'total_vlan_ids', 'utilization'] },
  },
  imports: { columns: { scope_name: names('scope') } },
  label: 'VLAN group',
  ordering: ['name'],
  features: primary,
  brief: ['name', 'slug', 'description', 'vlan_count'],
  search: ['name', 'description'],
  fields: {
    name: text({ max: 100, natural: true }),
    slug: slug(),
    // The group is deleted with its scope, except with a group of racks, which only sorts them.
    ...scopeOf(
      Object.values(SCOPES),
      Object.fromEntries(
        Object.values(SCOPES).map((type) => [type, type === 'dcim.rackgroup' ? 'setNull' : 'cascade']),
      ),
    ),
    vid_ranges: vidRanges(),
    total_vlan_ids: integer({ readOnly: true, size: 'bigint', default: 4094 }),
    tenant: ref('tenancy.tenant', { optional: true }),
    ...primaryFields(),
    vlan_count: count('ipam.vlan', 'group'),
    utilization: batched({
      from: ['ipam.vlan'],
      empty: '"0.0"',
      type: 'string',
      schema: { type: 'string' },
      print: ([row]) => JSON.stringify(percent(Number(row![0]), Number(row![1]))),
      sql: ({ tableOf }) =>
        `select g.id, count(v.id), g.total_vlan_ids from ${tableOf('ipam.vlangroup')} g left join ${tableOf('ipam.vlan')} v on v.group_id = g.id where g.id = any($1::bigint[]) group by 1`,
    }),
  },
  unique: ['name', 'slug'].map((field) => ({
    fields: ['scope_type', 'scope_id', field],
    where: 'scope_type is not null and scope_id is not null',
  })),
  filters: {
    ...tenantGroupFilters(),
    ...scopeFilters(),
    contains_vid: method(
      'number',
      ({ table, bind }, [vid]) =>
        `exists (select 1 from unnest(${table}.vid_ranges) r where lower(r) <= ${bind(vid)}::bigint and upper(r) > ${bind(vid)}::bigint)`,
    ),
  },
  rules: [rangesOfVids],
});

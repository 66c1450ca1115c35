import { type Filter, type FilterSql, objects } from '@cadastre/model';

/**
 * Where VLANs are to be used: the kind of place, and SQL of its row, whose columns are the ids of what it belongs to
 * (null where it belongs to nothing of that kind).
 */
interface Place {
  site?: string;
  region?: string;
  site_group?: string;
  location?: string;
  rack?: string;
  cluster?: string;
  cluster_group?: string;
}

const TREES: Partial<Record<keyof Place, string>> = {
  region: 'dcim.region',
  site_group: 'dcim.sitegroup',
  location: 'dcim.location',
};
const TYPES: Record<keyof Place, string> = {
  site: 'dcim.site',
  region: 'dcim.region',
  site_group: 'dcim.sitegroup',
  location: 'dcim.location',
  rack: 'dcim.rack',
  cluster: 'virtualization.cluster',
  cluster_group: 'virtualization.clustergroup',
};

/**
 * VLANs that are available at a place: those of its site, those of groups for the place or for what it lies in, and
 * those for everywhere.
 */
function availableAt({ table, tableOf }: FilterSql, from: string, place: Place): string {
  const meant = (Object.keys(place) as (keyof Place)[]).map((kind) => {
    const id = place[kind]!;
    const tree = TREES[kind];
    const ids = tree
      ? `g.scope_id = any(select unnest(x."_path") from ${tableOf(tree)} x where x.id = ${id})`
      : `g.scope_id = ${id}`;
    return `(g.scope_type = '${TYPES[kind]}' and ${ids})`;
  });
  return `exists (select 1 from ${from} and (
    ${place.site ? `${table}.site_id = ${place.site} or` : ''} ${table}.group_id in (select g.id from ${tableOf('ipam.vlangroup')} g where ${meant.join(' or ')})
    or (${table}.site_id is null and (${table}.group_id is null or ${table}.group_id in (select g.id from ${tableOf('ipam.vlangroup')} g where g.scope_id is null)))))`;
}

const forSite = (): Filter =>
  objects('dcim.site', {}, (sql, ids) =>
    availableAt(sql, `${sql.tableOf('dcim.site')} s where s.id = any(${ids})`, {
      site: 's.id',
      region: 's.region_id',
      site_group: 's.group_id',
    }),
  );

const forSiteGroup = (): Filter =>
  objects('dcim.sitegroup', {}, (sql, ids) => {
    const inGroup = `${sql.table}.site_id in (select s.id from ${sql.tableOf('dcim.site')} s join ${sql.tableOf('dcim.sitegroup')} x on x.id = s.group_id where x."_path" && ${ids})`;
    return `(${inGroup} or ${availableAt(sql, `${sql.tableOf('dcim.sitegroup')} g0 where g0.id = any(${ids})`, { site_group: 'g0.id' })})`;
  });

const forDevice = (): Filter =>
  objects('dcim.device', {}, (sql, ids) =>
    availableAt(
      sql,
      `${sql.tableOf('dcim.device')} d join ${sql.tableOf('dcim.site')} s on s.id = d.site_id where d.id = any(${ids})`,
      { site: 's.id', region: 's.region_id', site_group: 's.group_id', location: 'd.location_id', rack: 'd.rack_id' },
    ),
  );

const forMachine = (): Filter =>
  objects('virtualization.virtualmachine', {}, (sql, ids) =>
    availableAt(
      sql,
      `${sql.tableOf('virtualization.virtualmachine')} m left join ${sql.tableOf('virtualization.cluster')} c on c.id = m.cluster_id left join ${sql.tableOf('dcim.site')} s on s.id = m.site_id where m.id = any(${ids})`,
      { site: 's.id', region: 's.region_id', site_group: 's.group_id', cluster: 'c.id', cluster_group: 'c.group_id' },
    ),
  );

/** By where VLANs can be used. */
export const availabilityFilters = (): Record<string, Filter> => ({
  available_at_site: forSite(),
  available_at_site_group: forSiteGroup(),
  available_on_device: forDevice(),
  available_on_virtualmachine: forMachine(),
});

export const availabilityReads = {
  'dcim.site': ['region', 'group'],
  'dcim.device': ['site', 'location', 'rack'],
  'virtualization.virtualmachine': ['cluster', 'site'],
  'virtualization.cluster': ['group'],
};

/** Filter by an interface that carries a VLAN, tagged or not. */
const carriedBy = (type: string): Filter =>
  objects(
    type,
    {},
    ({ table, tableOf }, ids) =>
      `exists (select 1 from ${tableOf(type)} i where i.id = any(${ids}) and (i.untagged_vlan_id = ${table}.id or i.tagged_vlans @> array[${table}.id]))`,
  );

export const interfaceFilters = (): Record<string, Filter> => ({
  interface_id: carriedBy('dcim.interface'),
  vminterface_id: carriedBy('virtualization.vminterface'),
});

const VLANS = ['untagged_vlan', 'tagged_vlans'];
export const interfaceReads = { 'dcim.interface': VLANS, 'virtualization.vminterface': VLANS };

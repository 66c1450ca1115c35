// Adds rows to the tables of a NetBox, as many as its users report in issues.
import pg from 'pg';

/** How many of each are added. Interfaces are spread over the devices, and each cable joins two of them. */
export interface Rows {
  devices: number;
  interfaces: number;
  cables: number;
  addresses: number;
}

/** Ids of added rows are above this one. */
const FROM = 1_000_000;

/**
 * SQL that adds `n` copies of a table's first row that matches `where`, with other values, in which `i` is the number
 * of the copy.
 */
const like = (table: string, where: string, n: number, values: Readonly<Record<string, string>>): string =>
  `insert into ${table} select r.* from (select to_jsonb(t) as row from ${table} t where ${where} order by id limit 1) t,
    generate_series(1, ${n}) i, lateral jsonb_populate_record(null::${table}, t.row || jsonb_build_object(
      ${Object.entries({ id: `${FROM} + i`, ...values })
        .map(([name, value]) => `'${name}', ${value}`)
        .join(', ')})) r`;

const nothing = (...names: string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, 'null::text']));

const INTERFACE_TYPE = `(select id from django_content_type where app_label = 'dcim' and model = 'interface')`;

/** Uses the names of NetBox's tables and columns. */
const statements = ({ devices, interfaces, cables, addresses }: Rows): string[] => {
  const perDevice = interfaces / devices;
  return [
    'begin',
    like('dcim_device', 'virtual_chassis_id is null', devices, {
      ...nothing(
        'position',
        'face',
        'rack_id',
        'asset_tag',
        'primary_ip4_id',
        'primary_ip6_id',
        'oob_ip_id',
        'cluster_id',
      ),
      name: `'bench-' || i`,
      serial: `'B' || i`,
      interface_count: String(perDevice),
    }),
    like('dcim_cable', 'true', cables, {
      ...nothing('tenant_id', 'bundle_id', 'owner_id'),
      label: `'bench ' || i`,
      profile: `''`,
    }),
    like('dcim_interface', `type = '1000base-t'`, interfaces, {
      ...nothing(
        '_path_id',
        'lag_id',
        'parent_id',
        'bridge_id',
        'mode',
        'untagged_vlan_id',
        'wwn',
        'wireless_link_id',
        'module_id',
      ),
      ...nothing('vrf_id', 'vlan_translation_policy_id', 'qinq_svlan_id', 'primary_mac_address_id', 'cable_connector'),
      ...nothing('cable_positions', '_rack_id', '_location_id'),
      name: `'eth' || (i - 1) % ${perDevice}`,
      device_id: `${FROM} + 1 + (i - 1) / ${perDevice}`,
      // The first and the second port share a cable, the third and the fourth …
      cable_id: `${FROM} + (i + 1) / 2`,
      cable_end: `case i % 2 when 1 then 'A' else 'B' end`,
    }),
    like('dcim_cabletermination', 'true', 2 * cables, {
      ...nothing('_device_id', '_rack_id', '_location_id', '_site_id', 'connector', 'positions'),
      cable_id: `${FROM} + (i + 1) / 2`,
      cable_end: `case i % 2 when 1 then 'A' else 'B' end`,
      termination_type_id: INTERFACE_TYPE,
      termination_id: `${FROM} + i`,
    }),
    like('ipam_ipaddress', 'true', addresses, {
      ...nothing('nat_inside_id', 'role', 'vrf_id', 'tenant_id'),
      address: `host('100.64.0.0'::inet + i) || '/10'`,
      assigned_object_type_id: INTERFACE_TYPE,
      assigned_object_id: `${FROM} + i`,
      dns_name: `'bench-' || i || '.example.com'`,
    }),
    'commit',
    'analyze',
  ];
};

/** Fills more into the database of a NetBox. */
export async function addRows(url: string, rows: Rows): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements(rows)) await client.query(statement);
  } finally {
    await client.end();
  }
}

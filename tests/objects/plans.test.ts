// How PostgreSQL plans a page when there are many rows: none of these tables is scanned completely.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Filled, openFilled } from '../../tools/testing/filled.ts';
import { scannedBy } from '../../tools/testing/plans.ts';

const ROWS = 100_000;
/** A number within a range, computed from the row's number and spread evenly. */
const spread = (values: number): string => `1 + n % ${values}`;

interface Big {
  type: string;
  table: string;
  fill(filled: Filled): Promise<void>;
  queries: string[];
}
const MINUTES = 60_000;

/** One query for each filter by reference that a model has. */
function byReference({ catalogue }: Filled, type: string): string[] {
  const model = catalogue.get(type);
  const filters = catalogue.filtersOf(model);
  const references = Object.entries(model.fields).filter(
    ([, field]) =>
      field.relation && catalogue.has(field.relation.to) && !field.hidden && !field.special && !field.readOnly,
  );
  return references
    .map(([name, field]) => `${field.relation!.many ? name.replace(/s$/, '') : name}_id`)
    .filter((name) => name in filters)
    .map((name) => `${name}=5`);
}

function large(service: string, models: Big[]): void {
  describe(service, () => {
    let filled: Filled;
    beforeAll(async () => {
      filled = await openFilled(service);
      for (const model of models) await model.fill(filled);
    }, 5 * MINUTES);
    afterAll(async () => {
      await filled?.close();
    });

    test.each(models)(
      '$type',
      async ({ type, table, queries }) => {
        const wrong: string[] = [];
        for (const query of new Set([...queries, ...byReference(filled, type)]))
          if ((await scannedBy(filled, type, query, [5])).includes(table)) wrong.push(query);
        expect(wrong).toEqual([]);
      },
      2 * MINUTES,
    );
  });
}

const pages = ['limit=50', 'limit=1000', 'start=5', 'ordering=-id'];

large('ipam', [
  {
    type: 'ipam.ipaddress',
    table: 'ipam_ipaddress',
    fill: ({ fill }) =>
      fill('ipam.ipaddress', ROWS, {
        address: `set_masklen('10.0.0.0'::inet + n, 16)`,
        status: `case when n % 10 = 0 then 'reserved' else 'active' end`,
        tenant_id: spread(200),
        vrf_id: `case when n % 3 = 0 then ${spread(50)} end`,
        tags: `array[${spread(500)}]::bigint[]`,
        assigned_object_type: `'dcim.interface'`,
        assigned_object_id: 'n',
        nat_inside_id: `case when n % 100 = 0 then n end`,
        owner_id: `case when n % 50 = 0 then ${spread(90)} end`,
        dns_name: `'host-' || n`,
      }),
    queries: [
      ...pages,
      'limit=50&status=reserved',
      'tag=x',
      'tag__any=x',
      'tenant=acme',
      'address=10.0.3.4/16',
      'parent=10.0.7.0/24',
      'assigned_object_id=77',
      'interface_id=5',
      'dns_name=host-77',
      'id=77',
      'vrf=x',
    ],
  },
  {
    type: 'ipam.prefix',
    table: 'ipam_prefix',
    fill: ({ fill }) =>
      fill('ipam.prefix', ROWS, {
        prefix: `set_masklen('10.0.0.0'::inet + n::bigint * 16, 28)::cidr`,
        status: `'active'`,
        tenant_id: spread(200),
        vrf_id: `case when n % 3 = 0 then ${spread(50)} end`,
        vlan_id: spread(4000),
        role_id: spread(100),
        tags: `array[${spread(500)}]::bigint[]`,
        scope_type: `'dcim.site'`,
        scope_id: spread(300),
        owner_id: `case when n % 50 = 0 then ${spread(90)} end`,
      }),
    queries: [
      ...pages,
      'tag=x',
      'tenant=acme',
      'prefix=10.0.0.16/28',
      'within=10.0.4.0/22',
      'within_include=10.0.4.0/22',
      'contains=10.0.4.1',
      'vrf=x',
      'site_id=5',
      'vlan_id=5',
      'id=77',
    ],
  },
]);

large('dcim', [
  {
    type: 'dcim.device',
    table: 'dcim_device',
    fill: ({ fill }) =>
      fill('dcim.device', ROWS, {
        name: `'device ' || n`,
        status: `'active'`,
        device_type_id: spread(200),
        role_id: spread(100),
        site_id: spread(300),
        location_id: spread(600),
        rack_id: spread(3000),
        tenant_id: spread(200),
        platform_id: spread(100),
        cluster_id: spread(500),
        tags: `array[${spread(500)}]::bigint[]`,
        serial: `'S' || n`,
        owner_id: `case when n % 50 = 0 then ${spread(90)} end`,
        virtual_chassis_id: `case when n % 10 = 0 then ${spread(1000)} end`,
        config_template_id: spread(80),
        primary_ip4_id: 'n',
        primary_ip6_id: `case when n % 2 = 0 then n end`,
        oob_ip_id: `case when n % 2 = 0 then n end`,
      }),
    queries: [
      ...pages,
      'tag=x',
      'tenant=acme',
      'name=device 77',
      'site=x',
      'region_id=5',
      'role=x',
      'device_type_id=5',
      'manufacturer_id=5',
      'rack_id=5',
      'serial=S77',
      'id=77',
    ],
  },
  {
    type: 'dcim.interface',
    table: 'dcim_interface',
    fill: ({ fill }) =>
      fill('dcim.interface', ROWS, {
        name: `'eth' || n`,
        type: `'1000base-t'`,
        device_id: `1 + n / 50`,
        module_id: `case when n % 5 = 0 then n / 50 end`,
        lag_id: `case when n % 4 = 0 then n / 50 end`,
        parent_id: `case when n % 4 = 1 then n / 50 end`,
        bridge_id: `case when n % 4 = 2 then n / 50 end`,
        untagged_vlan_id: spread(4000),
        tagged_vlans: `array[${spread(4000)}]::bigint[]`,
        vrf_id: spread(100),
        tags: `array[${spread(500)}]::bigint[]`,
        owner_id: `case when n % 50 = 0 then ${spread(90)} end`,
      }),
    queries: [
      ...pages,
      'tag=x',
      'device_id=5',
      'device=x',
      'name=eth77',
      'site_id=5',
      'lag_id=5',
      'vlan_id=5',
      'id=77',
      'ordering=name',
      'connected=true',
    ],
  },
]);

test(
  'paths of cables are looked for among those that stand in the index, not among many that wait to be put there',
  async () => {
    const filled = await openFilled('dcim');
    try {
      const { rows } = await filled.pool.query<{ relname: string; reloptions: string[] | null }>(
        `select relname, reloptions from pg_class where relname like 'dcim_cablepath_%_idx' and relam = (select oid from pg_am where amname = 'gin') order by 1`,
      );
      expect(rows.map(({ reloptions }) => reloptions)).toEqual(Array.from({ length: 3 }, () => ['fastupdate=off']));
    } finally {
      await filled.close();
    }
  },
  2 * MINUTES,
);

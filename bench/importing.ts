// A whole import from NetBox's database, as large as issues of its users speak of.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { recordings } from '../tools/import/database/testing/recordings.ts';
import { restore } from '../tools/import/database/testing/restore.ts';
import { createTestDatabase } from '../tools/testing/postgres.ts';
import { quiet } from './quiet.ts';
import { amount, type Measured, number } from './report.ts';
import type { Begin } from './start.ts';

const SIZE = { devices: 10_000, interfaces: 100_000, cables: 50_000, addresses: 100_000 };
/** What is added has ids above this one. */
const FROM = 1_000_000;
const TARGET = { seconds: 600 };
const SAMPLE_MS = 250;

/** A row like the first of a table that has these columns set, with other values, `n` times; `i` is the number of each. */
const like = (table: string, where: string, n: number, values: Readonly<Record<string, string>>): string =>
  `insert into ${table} select r.* from (select to_jsonb(t) as row from ${table} t where ${where} order by id limit 1) t,
    generate_series(1, ${n}) i, lateral jsonb_populate_record(null::${table}, t.row || jsonb_build_object(
      ${Object.entries({ id: `${FROM} + i`, ...values })
        .map(([name, value]) => `'${name}', ${value}`)
        .join(', ')})) r`;

const nothing = (...names: string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, 'null::text']));

const INTERFACE_TYPE = `(select id from django_content_type where app_label = 'dcim' and model = 'interface')`;
const perDevice = SIZE.interfaces / SIZE.devices;

/** In NetBox's tables, by NetBox's columns. */
const STATEMENTS = [
  'begin',
  like('dcim_device', 'virtual_chassis_id is null', SIZE.devices, {
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
  like('dcim_cable', 'true', SIZE.cables, {
    ...nothing('tenant_id', 'bundle_id', 'owner_id'),
    label: `'bench ' || i`,
    profile: `''`,
  }),
  like('dcim_interface', `type = '1000base-t'`, SIZE.interfaces, {
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
  like('dcim_cabletermination', 'true', 2 * SIZE.cables, {
    ...nothing('_device_id', '_rack_id', '_location_id', '_site_id', 'connector', 'positions'),
    cable_id: `${FROM} + (i + 1) / 2`,
    cable_end: `case i % 2 when 1 then 'A' else 'B' end`,
    termination_type_id: INTERFACE_TYPE,
    termination_id: `${FROM} + i`,
  }),
  like('ipam_ipaddress', 'true', SIZE.addresses, {
    ...nothing('nat_inside_id', 'role', 'vrf_id', 'tenant_id'),
    address: `host('100.64.0.0'::inet + i) || '/10'`,
    assigned_object_type_id: INTERFACE_TYPE,
    assigned_object_id: `${FROM} + i`,
    dns_name: `'bench-' || i || '.example.com'`,
  }),
  'commit',
  'analyze',
];

/** How long it takes, and how much memory the tool needs; a second run finds nothing to do. */
export async function measureImport(begin: Begin): Promise<Measured[]> {
  const [recording] = recordings();
  if (!recording) {
    console.log('Skipped: there is no dump of a NetBox at ../shared/netbox-4.6.');
    return [];
  }
  const folder = mkdtempSync(join(tmpdir(), 'cadastre-bench-'));
  const database = await createTestDatabase();
  try {
    await restore(recording.dump, database.url);
    await run(database.url, STATEMENTS);
    const system = await begin(undefined, { IMPORT_DOOR: 'true' });
    await quiet();
    const sides = ['--from', database.url, '--to', system.base, '--to-token', system.token];
    const report = join(folder, 'report.json');
    const bring = () => measured([...sides, '--state', join(folder, 'state'), '--report', report]);
    const [first, objects] = [await bring(), readIn(report)];
    const second = await bring();
    return [
      amount(`import of ${number(objects)} objects from a database`, first.seconds, 's', {
        target: TARGET.seconds,
        notes: [`${number(objects / first.seconds)} objects a second`, `ended with ${first.code}`],
      }),
      amount('memory of the tool at most', first.peakMb, 'MB'),
      amount('import once more, with nothing new', second.seconds, 's', { notes: [`ended with ${second.code}`] }),
    ];
  } finally {
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function run(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** How many objects a report speaks of. */
function readIn(report: string): number {
  const { types } = JSON.parse(readFileSync(report, 'utf8')) as { types: { read: number }[] };
  return types.reduce((sum, { read }) => sum + read, 0);
}

async function measured(words: readonly string[]): Promise<{ seconds: number; peakMb: number; code: number | null }> {
  const began = performance.now();
  const tool = spawn(process.execPath, [resolve(import.meta.dirname, '..', 'tools', 'import.ts'), ...words], {
    env: {},
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  let peakMb = 0;
  const watching = setInterval(() => {
    peakMb = Math.max(peakMb, residentMb(tool));
  }, SAMPLE_MS);
  const code = await new Promise<number | null>((done) => tool.once('close', done));
  clearInterval(watching);
  return { seconds: (performance.now() - began) / 1000, peakMb, code };
}

/** The most that a process has needed so far; zero where the system does not tell. */
function residentMb({ pid }: ChildProcess): number {
  const status = `/proc/${pid}/status`;
  if (!existsSync(status)) return 0;
  const [, kilobytes = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(status, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

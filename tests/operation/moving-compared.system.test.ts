// Two installations, one imported into the other: `npm run compare` finds no difference, and finds one made later.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startSystem, type System } from '../../tools/testing/fresh-system.ts';
import { type Body, Client } from '../support/client.ts';
import { Equipment } from '../support/objects/equipment.ts';
import { runTool } from '../support/process/tools.ts';

let source: System;
let target: System;
let there: Client;
const folder = mkdtempSync(join(tmpdir(), 'cadastre-compared-'));
beforeAll(async () => {
  [source, target] = await Promise.all([startSystem(), startSystem({ IMPORT_API: 'true' })]);
  there = new Client(source.base, `Token ${source.token}`);
  const kit = new Equipment(() => there);
  const tag = await kit.make('extras/tags', kit.named('tag'));
  const type = await kit.deviceType();
  const site = await kit.make('dcim/sites', { ...kit.named('site'), tags: [tag.id] });
  const role = await kit.make('dcim/device-roles', kit.named('role'));
  const device = await kit.make('dcim/devices', { name: 'one', device_type: type.id, role: role.id, site: site.id });
  const port = await kit.make('dcim/interfaces', { device: device.id, name: 'et0', type: '1000base-t' });
  const address = await kit.make('ipam/ip-addresses', {
    address: '192.0.2.1/24',
    assigned_object_type: 'dcim.interface',
    assigned_object_id: port.id,
  });
  await there.patch(`/api/dcim/devices/${device.id}/`, { primary_ip4: address.id });
});
afterAll(async () => {
  await Promise.all([source?.stop(), target?.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

const sides = (): string[] => [
  ...['--from', source.base, '--token', source.token],
  ...['--to', target.base, '--to-token', target.token],
];

const report = join(folder, 'report.json');
/** The lists that differ, and the exit code of the command. */
async function compared(...more: string[]): Promise<[code: number | null, lists: Body[]]> {
  const { code } = await runTool('moving/compare/main.ts', [...sides(), '--report', report, ...more]);
  const lists = JSON.parse(readFileSync(report, 'utf8')) as Body[];
  return [code, lists.filter(({ different, onlyLeft, onlyRight }) => different || onlyLeft.count || onlyRight.count)];
}

test('what was imported is the same, and what is changed afterwards is found', async () => {
  const { err } = await runTool('moving/import/main.ts', [...sides(), '--state', join(folder, 'state')]);
  expect(err).toContain('ipam.ipaddress: 1, all of them');
  // Only the second has change records of the creation of its own first user and token.
  expect(await compared()).toMatchObject([
    0,
    [{ list: '/api/core/object-changes/', different: 0, onlyLeft: { count: 0 }, onlyRight: { count: 2 } }],
  ]);

  const [site] = (await there.read('/api/dcim/sites/?limit=1')).results as Body[];
  await there.patch(`/api/dcim/sites/${site!.id}/`, { facility: 'moved on' });
  expect(await compared('--only', 'dcim')).toMatchObject([1, [{ list: '/api/dcim/sites/', different: 1 }]]);
});

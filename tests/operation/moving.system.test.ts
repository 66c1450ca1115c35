// A whole move from one installation to another, over its API, while processes are killed; and the comparison.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startSystem, type System } from '../../tools/testing/fresh-system.ts';
import { type Body, Client } from '../support/client.ts';
import { diskOf } from '../support/process/disk.ts';
import { eventually } from '../support/eventually.ts';
import { type Ended, runTool } from '../support/process/tools.ts';

const MINUTES = 60_000;

let source: System;
let target: System;
let there: Client;
let here: Client;
const folder = mkdtempSync(join(tmpdir(), 'cadastre-moving-'));

const sides = (): string[] => [
  '--from',
  source.base,
  '--token',
  source.token,
  '--to',
  target.base,
  '--to-token',
  target.token,
];
const bring = (during?: Parameters<typeof runTool>[2], ...more: string[]): Promise<Ended> =>
  runTool(
    'moving/import/main.ts',
    [...sides(), '--state', join(folder, 'state'), '--report', join(folder, 'report.json'), ...more],
    during,
  );
const report = (): { types: Body[] } => JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
const missingIn = (kind: string): string[] =>
  report().types.flatMap(({ type, told }) => (told[kind].count ? [`${type}: ${told[kind].count}`] : []));

/** A disk of its own for the target, where this process may make one. */
const disk = diskOf(join(folder, 'disk'), 1_000_000_000);

beforeAll(async () => {
  [source, target] = await Promise.all([startSystem(), startSystem({ IMPORT_API: 'true' }, disk?.folder)]);
  there = new Client(source.base, `Token ${source.token}`);
  here = new Client(target.base, `Token ${target.token}`);
  const { code, err } = await runTool('demo/main.ts', ['--url', source.base, '--token', source.token]);
  expect([code, err]).toEqual([0, expect.anything()]);
}, 6 * MINUTES);
afterAll(async () => {
  await Promise.all([source?.stop(), target?.stop({ keep: disk !== undefined })]);
  disk?.remove();
  rmSync(folder, { recursive: true, force: true });
}, MINUTES);

/** The service processes of a system; when they are killed, the supervisor starts others in their place. */
const servicesOf = ({ pid }: System): number[] =>
  execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(pid)], { encoding: 'utf8' })
    .split('\n')
    .flatMap((line) => (/host|main\.ts/.test(line) && !/postgres/.test(line) ? [Number.parseInt(line, 10)] : []));

if (!disk) process.stdout.write('Skipped: an import onto a full disk. To test it: run the tests as root on Linux.\n');
(disk ? test : test.skip)(
  'an import onto a full disk says so, and leaves nothing half-written',
  async () => {
    disk!.fill();
    const { code, err } = await bring(undefined, '--retries', '0');
    expect([code, err]).toEqual([2, expect.stringContaining('Start it again to go on from here.')]);
    expect(err).toMatch(/disk of the database is full|does not answer|was answered with 50\d/);
    disk!.free();
    await eventually(async () => expect((await here.get('/api/dcim/sites/?limit=1')).status).toBe(200));
  },
  4 * MINUTES,
);

test(
  'an import whose source ends half-way says so',
  async () => {
    let ended = false;
    const { code, err } = await bring(
      (_, said) => {
        if (ended || !said.includes('dcim.devicetype:')) return;
        ended = true;
        for (const pid of [source.pid, ...servicesOf(source)]) process.kill(pid, 'SIGKILL');
      },
      '--retries',
      '1',
    );
    expect([ended, code]).toEqual([true, 2]);
    expect(err).toContain(`${source.base} does not answer`);
    expect(err).toContain('What is there stays. Start it again to go on from here.');
    source = await startSystem({ PORT: new URL(source.base).port }, source.folder);
  },
  4 * MINUTES,
);

test(
  'an import whose tool and whose target are killed goes on, is whole in the end, and changes nothing the second time',
  async () => {
    let killed = false;
    const first = await bring((child, err) => {
      if (killed || !err.includes('dcim.device:')) return;
      killed = true;
      child.kill('SIGKILL');
    });
    expect([killed, first.code]).toEqual([true, null]);
    let ended = false;
    const second = await bring((_, err) => {
      if (ended || !err.includes('dcim.interface:')) return;
      ended = true;
      for (const pid of servicesOf(target)) process.kill(pid, 'SIGKILL');
    });
    expect(ended).toBe(true);
    // No API shows the values by which tokens are verified.
    expect([second.code, missingIn('missing'), missingIn('lost')]).toEqual([1, [], []]);
    expect(missingIn('refused')).toEqual([expect.stringMatching(/^users\.token: /)]);
    const third = await bring();
    expect(third.out).toContain('Nothing changed: everything was there already.');
  },
  8 * MINUTES,
);

test(
  'both have the same then',
  async () => {
    // Lists with ids, records or accounts of each installation's own.
    const own = ['/api/core/', '/api/users/', '/api/extras/tagged-objects/', '/api/extras/object-changes/'];
    const file = join(folder, 'compared.json');
    await runTool('moving/compare/main.ts', [...sides(), '--report', file]);
    const lists = JSON.parse(readFileSync(file, 'utf8')) as Body[];
    const compared = lists.filter(({ list }) => !own.some((begin) => list.startsWith(begin)));
    expect(compared.reduce((sum, { same }) => sum + same, 0)).toBeGreaterThan(500);
    expect(
      compared.flatMap(({ list, different, onlyLeft, onlyRight, fields }) =>
        different || onlyLeft.count || onlyRight.count ? [{ list, onlyLeft, onlyRight, fields }] : [],
      ),
    ).toEqual([]);
  },
  4 * MINUTES,
);

test(
  'what is new, changed and deleted afterwards follows; what was made here stays',
  async () => {
    const [site] = (await there.read('/api/dcim/sites/?limit=1')).results as Body[];
    await there.patch(`/api/dcim/sites/${site.id}/`, { facility: 'moved on' });
    const gone = await there.make('/api/extras/tags/', { name: 'gone soon', slug: 'gone-soon' });
    const born = await there.make('/api/ipam/rirs/', { name: 'late', slug: 'late' });
    await bring();
    expect((await here.get(`/api/extras/tags/${gone.id}/`)).status).toBe(200);
    await there.delete(`/api/extras/tags/${gone.id}/`);
    const own = await here.make('/api/extras/tags/', { name: 'made here', slug: 'made-here' });
    const { out } = await bring();
    expect(out).toMatch(/1 deleted/);
    expect((await here.read(`/api/dcim/sites/${site.id}/`)).facility).toBe('moved on');
    expect((await here.read(`/api/ipam/rirs/${born.id}/`)).name).toBe('late');
    expect((await here.get(`/api/extras/tags/${gone.id}/`)).status).toBe(404);
    expect((await here.get(`/api/extras/tags/${own.id}/`)).status).toBe(200);
  },
  4 * MINUTES,
);

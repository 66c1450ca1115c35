// The demo fills a system of its own: its objects would disturb other tests.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { startSystem, type System } from '../../tools/testing/fresh-system.ts';
import { Client } from '../support/client.ts';
import { Described } from '../support/document.ts';
import { eventually } from '../support/eventually.ts';
import { type Watched, watchUntold } from '../support/consistency/untold.ts';

let system: System;
let watched: Watched;
const MINUTES = 60_000;
beforeAll(async () => {
  system = await startSystem();
  watched = await watchUntold(system.databaseUrl);
}, 4 * MINUTES);
afterAll(async () => {
  await system?.stop();
}, MINUTES);

function demo(...options: string[]): Promise<{ code: number | null; errors: string }> {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('../../tools/demo/main.ts', import.meta.url)), '--url', system.base, ...options],
    { stdio: ['ignore', 'ignore', 'pipe'], env: {} },
  );
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, errors })));
}

test(
  'fills a network whose parts fit together, once',
  async () => {
    const made = await demo('--token', system.token);
    expect({
      ...made,
      errors: made.errors
        .split('\n')
        .filter((line) => !line.includes('objects'))
        .join(''),
    }).toEqual({ code: 0, errors: '' });
    const admin = new Client(system.base, `Token ${system.token}`);
    const [port] = (await admin.read('/api/dcim/interfaces/?device=zrh1-rtr1&name=et-0/0/0')).results;
    expect(port.connected_endpoints).toMatchObject([{ name: 'et-0/0/1', device: { name: 'fra1-rtr1' } }]);
    expect((await admin.read('/api/dcim/devices/?site=ams1&has_primary_ip=true')).count).toBe(7);
    expect((await admin.read('/api/virtualization/virtual-machines/?name=zrh1-vm1')).results[0]).toMatchObject({
      primary_ip4: { address: '10.1.10.20/24' },
      disk: 40_000,
      config_context: { monitoring: { http: true } },
    });
    expect(await demo('--token', system.token)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('The demo is there already: '),
    });
  },
  3 * MINUTES,
);

test(
  'shows everything as the API document says, with every member',
  async () => {
    const admin = new Client(system.base, `Token ${system.token}`);
    const described = new Described(await admin.read('/api/schema/?format=json'));
    const { paths, components } = described.document;
    const differences: string[] = [];
    const examples = new Map<string, { id?: number; name?: string }>();
    const ask = async (method: string, address: string, body?: unknown) => {
      const answer = await admin.ask(method, address, body === undefined ? {} : { body });
      const difference = described.difference(method, address, answer);
      if (difference !== undefined) differences.push(difference);
      return answer;
    };
    // A tail of deliveries never ends.
    const endless = (item: (typeof paths)[string]) =>
      JSON.stringify(item['get']?.responses['200']).includes('text/event-stream');
    for (const [path, item] of Object.entries(paths)) {
      if (path.includes('{') || !item['get'] || endless(item)) continue;
      const { body } = await ask('GET', path);
      if (Array.isArray(body?.results) && body.results.length) examples.set(path, body.results[0]);
      await ask('GET', `${path}?brief=true&limit=2`);
      if (item['post']) await ask('POST', path, [{}]);
    }
    for (const [path, item] of Object.entries(paths)) {
      const [, list, action] = /^(.*?)\{id\}\/(.*)$/.exec(path) ?? [];
      const example = examples.get(list ?? '');
      for (const id of example ? [example.id ?? example.name!, 999_999_999] : [999_999_999]) {
        const address = path.replace('{id}', String(id));
        if (path.includes('{') && item['get']) {
          const { status, body } = await ask('GET', address);
          const ref = JSON.stringify(item['get'].responses['200']).match(/"#\/components\/schemas\/(\w+)"/)?.[1];
          if (status === 200 && !action && ref)
            expect([address, ...Object.keys(body)].sort()).toEqual(
              [address, ...Object.keys(components.schemas[ref]!['properties'] as object)].sort(),
            );
        }
        if (!action && item['patch']) await ask('PATCH', address, {});
      }
    }
    expect(examples.size).toBeGreaterThanOrEqual(59);
    expect(differences).toEqual([]);
  },
  10 * MINUTES,
);

test('says what is wrong', async () => {
  expect(await demo()).toMatchObject({
    code: 1,
    errors: expect.stringContaining(`A token for ${system.base} is needed: give one with --token`),
  });
  expect(await demo('--token', 'wrong'.padEnd(40, '0'))).toMatchObject({
    code: 1,
    errors: expect.stringContaining('was answered with 403'),
  });
});

test(
  'of every row that changed on the way, and when parts of the network move and go, all who remember it were told',
  async () => {
    const admin = new Client(system.base, `Token ${system.token}`);
    const first = async (path: string) =>
      (await admin.read(`${path}${path.includes('?') ? '&' : '?'}limit=1`)).results[0];
    const change = async (path: string, body: object) =>
      expect((await admin.patch(`${path}${(await first(path)).id}/`, body)).status).toBe(200);
    const remove = async (path: string, query = '') =>
      expect((await admin.delete(`${path}${(await first(path + query)).id}/`)).status).toBe(204);
    // Objects that others show, count, or derive values from.
    const region = await admin.make('/api/dcim/regions/', { name: 'Over all', slug: 'over-all' });
    for (const { id } of await admin.all('/api/dcim/regions/?parent_id=null&id__n=' + region.id))
      expect((await admin.patch(`/api/dcim/regions/${id}/`, { parent: region.id })).status).toBe(200);
    await change('/api/dcim/sites/', { name: 'Elsewhere' });
    await change('/api/tenancy/tenants/', { name: 'Another name' });
    await change('/api/ipam/vrfs/', { enforce_unique: false });
    await admin.make('/api/ipam/prefixes/', { prefix: '10.0.0.0/8' });
    // Objects that others refer to.
    await remove('/api/dcim/cables/');
    await remove('/api/virtualization/virtual-machines/', '?has_primary_ip=true');
    await remove('/api/dcim/devices/', '?name=ams1-rtr1');
    await remove('/api/tenancy/contact-assignments/');
    await remove('/api/ipam/ip-addresses/', '?assigned_to_interface=true');
    const used = (await admin.all('/api/extras/tags/')).sort((a, b) => b.tagged_items - a.tagged_items)[0];
    expect((await admin.delete(`/api/extras/tags/${used.id}/`)).status).toBe(204);
    await eventually(async () =>
      expect(
        (await admin.all('/api/core/replicas/')).filter(({ lag, state }) => lag !== 0 || state !== 'current'),
      ).toEqual([]),
    );
    expect(await watched.untold()).toEqual([]);
    // The check must find changes that had no event.
    const database = new pg.Client({ connectionString: system.databaseUrl('dcim') });
    await database.connect();
    await database.query(`update dcim_site set description = 'behind everybody''s back'`);
    await database.end();
    expect(await watched.untold()).toEqual(['dcim: public.dcim_site update description']);
  },
  3 * MINUTES,
);

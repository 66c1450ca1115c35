// The demo fills a system of its own: what it makes would get in the way of other tests.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startSystem, type System } from '../tools/testing/fresh-system.ts';
import { Client } from './support/client.ts';

let system: System;
const MINUTES = 60_000;
beforeAll(async () => { system = await startSystem(); }, 4 * MINUTES);
afterAll(async () => { await system?.stop(); }, MINUTES);

function demo(...options: string[]): Promise<{ code: number | null; errors: string }> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('../tools/demo.ts', import.meta.url)), '--url', system.base, ...options], { stdio: ['ignore', 'ignore', 'pipe'], env: {} });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => { errors += text; });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, errors })));
}

test('fills a network whose parts fit together, once', async () => {
  const made = await demo('--token', system.token);
  expect({ ...made, errors: made.errors.split('\n').filter((line) => !line.includes('objects')).join('') }).toEqual({ code: 0, errors: '' });
  const admin = new Client(system.base, `Token ${system.token}`);
  const [port] = (await admin.read('/api/dcim/interfaces/?device=zrh1-rtr1&name=et-0/0/0')).results;
  expect(port.connected_endpoints).toMatchObject([{ name: 'et-0/0/1', device: { name: 'fra1-rtr1' } }]);
  expect((await admin.read('/api/dcim/devices/?site=ams1&has_primary_ip=true')).count).toBe(7);
  expect((await admin.read('/api/virtualization/virtual-machines/?name=zrh1-vm1')).results[0]).toMatchObject({ primary_ip4: { address: '10.1.10.20/24' }, disk: 40_000, config_context: { monitoring: { http: true } } });
  expect(await demo('--token', system.token)).toMatchObject({ code: 1, errors: expect.stringContaining('The demo is there already: ') });
}, 3 * MINUTES);

test('says what is wrong', async () => {
  expect(await demo()).toMatchObject({ code: 1, errors: expect.stringContaining('A token is needed.') });
  expect(await demo('--token', 'wrong'.padEnd(40, '0'))).toMatchObject({ code: 1, errors: expect.stringContaining('was answered with 403') });
});

import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Counter } from 'prom-client';
import { closed, listening } from '../http/server.ts';
import { type Monitoring, monitoring } from './monitoring.ts';

let alone: Monitoring;
let both: Monitoring;
let healthy = true;

const ask = (of: Monitoring, path: string, init?: RequestInit) =>
  fetch(`http://127.0.0.1:${(of.server.address() as AddressInfo).port}${path}`, init);
const answer = async (of: Monitoring, path: string) => {
  const response = await ask(of, path);
  return [response.status, await response.json()];
};

beforeAll(async () => {
  [alone, both] = [monitoring(['dcim']), monitoring(['dcim', 'ipam'])];
  await Promise.all([alone, both].map(({ server }) => listening(server, 0, '127.0.0.1')));
});
afterAll(() => Promise.all([alone, both].map(({ server }) => closed(server))));

test('a process is ready when all its services have started and can serve, and says which cannot', async () => {
  expect(await answer(alone, '/health/ready')).toEqual([503, { status: 'unavailable', detail: 'starting' }]);
  both.started('ipam', async () => {
    if (!healthy) throw new Error('no database');
  });
  expect(await answer(both, '/health/ready')).toEqual([503, { status: 'unavailable', detail: 'dcim: starting' }]);
  both.started('dcim', async () => undefined);
  expect(await answer(both, '/health/ready')).toEqual([200, { status: 'ok' }]);
  healthy = false;
  expect(await answer(both, '/health/ready')).toEqual([503, { status: 'unavailable', detail: 'ipam: no database' }]);
  healthy = true;
  expect(await answer(both, '/health/live')).toEqual([200, { status: 'ok' }]);
});

test('metrics are of each service by its name, and those of Node of the process, once', async () => {
  for (const service of ['dcim', 'ipam'])
    new Counter({ name: 'things_total', help: 'Things', registers: [both.registryOf(service)] }).inc(
      service.length - 3,
    );
  const text = await (await ask(both, '/metrics')).text();
  expect(text.match(/^things_total.*$/gm)).toEqual([
    'things_total{service="dcim"} 1',
    'things_total{service="ipam"} 1',
  ]);
  expect(text.match(/^# TYPE things_total/gm)).toHaveLength(1);
  expect(text.match(/^process_resident_memory_bytes.*$/gm)).toEqual([
    expect.stringMatching(/^process_resident_memory_bytes\{service="dcim,ipam"\} \d+$/),
  ]);
  expect((await ask(both, '/metrics', { method: 'POST' })).status).toBe(405);
  expect((await ask(both, '/api/')).status).toBe(404);
});

test('a process that ends says so until it has', async () => {
  both.ending();
  expect(await answer(both, '/health/ready')).toEqual([503, { status: 'unavailable', detail: 'shutting down' }]);
});

import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { type GatewayAddress, planProcesses, type ServicePlan, serviceNames, titleOf } from './plan.ts';
import { reachableHost } from './ports.ts';

const folder = fileURLToPath(new URL('../fixtures/services', import.meta.url));
const ports = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const planned = (shared: readonly (readonly string[])[], address: GatewayAddress = { port: 8000, host: '127.0.0.1' }) =>
  planProcesses(folder, shared, address, ports);
const shown = ({ name, hasDatabase, httpPort, grpcPort }: ServicePlan) => [name, hasDatabase, httpPort, grpcPort];

test('services are the folders with a main.ts; those with migrations have a database', () => {
  expect(serviceNames(folder)).toEqual(['auth', 'dcim', 'gateway']);
  expect(planned([['auth'], ['dcim'], ['gateway']])).toMatchObject([
    { services: [{ name: 'auth', hasDatabase: true }] },
    { services: [{ name: 'dcim', hasDatabase: true }] },
    { services: [{ name: 'gateway', hasDatabase: false }] },
  ]);
});

test('a process each: every service has its ports, and the gateway that of clients', () => {
  const plans = planned([['auth'], ['dcim'], ['gateway']]);
  expect(plans.flatMap(({ services }) => services.map(shown))).toEqual([
    ['auth', true, 2, 3],
    ['dcim', true, 5, 6],
    ['gateway', false, 8000, 8],
  ]);
  expect(plans.map(({ operationsUrl }) => operationsUrl)).toEqual([
    'http://127.0.0.1:1',
    'http://127.0.0.1:4',
    'http://127.0.0.1:7',
  ]);
});

test('what is beside the gateway is asked by it directly, and what is alone by everybody', () => {
  const [beside, alone] = planned([['gateway', 'auth'], ['dcim']]);
  expect([...beside!.services, ...alone!.services].map(shown)).toEqual([
    ['gateway', false, 8000, 2],
    ['auth', true, undefined, 3],
    ['dcim', true, 5, 6],
  ]);
});

test('one process has the port of clients, one for operations, and no other', () => {
  const [one, ...more] = planned([['gateway', 'auth', 'dcim']]);
  expect(more).toEqual([]);
  expect(one!.operationsUrl).toBe('http://127.0.0.1:1');
  expect(one!.services.map(shown)).toEqual([
    ['gateway', false, 8000, undefined],
    ['auth', true, undefined, undefined],
    ['dcim', true, undefined, undefined],
  ]);
});

test('who names a port for health and metrics finds the processes there, one after the other', () => {
  const address = { port: 8000, host: '127.0.0.1', operations: { port: 9464, host: '10.0.0.5' } };
  expect(planned([['auth', 'gateway'], ['dcim']], address).map(({ operationsUrl }) => operationsUrl)).toEqual([
    'http://10.0.0.5:9464',
    'http://10.0.0.5:9465',
  ]);
});

test('a process is called by its services', () => {
  expect([titleOf(['dcim']), titleOf(['gateway', 'dcim'])]).toEqual(['service dcim', 'services gateway, dcim']);
});

test.each([
  [undefined, '127.0.0.1'],
  ['0.0.0.0', '127.0.0.1'],
  ['::', '127.0.0.1'],
  ['::1', '[::1]'],
  ['10.0.0.5', '10.0.0.5'],
])('what listens on %s is reached at %s', (host, expected) => {
  expect(reachableHost(host)).toBe(expected);
});

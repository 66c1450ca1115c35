import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { planServices, serviceEnvironment, serviceNames } from './plan.ts';
import { reachableHost } from './ports.ts';

const folder = fileURLToPath(new URL('./fixtures/services', import.meta.url));
const plans = planServices(
  folder,
  serviceNames(folder),
  { port: 8000, host: '127.0.0.1' },
  [1, 2, 3, 4, 5, 6, 7, 8, 9],
);
const common = {
  AUTH_DATABASE_URL: 'postgres://a',
  DATABASE_URL: 'postgres://h',
  SERVICE_SECRET: 's',
  SUPERUSER_PASSWORD: 'p',
  API_TOKEN_PEPPERS: '{}',
  SECRETS_KEYS: 'k',
  LISTEN_HOST: '0.0.0.0',
};
const environment = (name: string) => serviceEnvironment(plans.find((plan) => plan.name === name)!, plans, common);

test('services are the folders with a main.ts; those with migrations have a database', () => {
  expect(
    plans.map(({ name, hasDatabase, httpPort, grpcPort, operationsUrl }) => [
      name,
      hasDatabase,
      httpPort,
      grpcPort,
      operationsUrl,
    ]),
  ).toEqual([
    ['auth', true, 1, 2, 'http://127.0.0.1:3'],
    ['dcim', true, 4, 5, 'http://127.0.0.1:6'],
    ['gateway', false, 8000, 8, 'http://127.0.0.1:9'],
  ]);
});

test('every service knows where the others are, and only what it needs', () => {
  expect(environment('dcim')).toEqual({
    DATABASE_URL: 'postgres://h',
    LISTEN_HOST: '127.0.0.1',
    HTTP_PORT: '4',
    GRPC_PORT: '5',
    OPERATIONS_HOST: '127.0.0.1',
    OPERATIONS_PORT: '6',
    AUTH_HTTP_URL: 'http://127.0.0.1:1',
    AUTH_GRPC_ADDRESS: '127.0.0.1:2',
    DCIM_HTTP_URL: 'http://127.0.0.1:4',
    DCIM_GRPC_ADDRESS: '127.0.0.1:5',
    GATEWAY_HTTP_URL: 'http://127.0.0.1:8000',
    GATEWAY_GRPC_ADDRESS: '127.0.0.1:8',
  });
  expect(environment('auth')).toMatchObject({
    AUTH_DATABASE_URL: 'postgres://a',
    SUPERUSER_PASSWORD: 'p',
    API_TOKEN_PEPPERS: '{}',
  });
  expect(environment('gateway')).toMatchObject({
    SERVICE_SECRET: 's',
    LISTEN_HOST: '0.0.0.0',
    HTTP_PORT: '8000',
    OPERATIONS_HOST: '127.0.0.1',
    OPERATIONS_PORT: '9',
  });
});

test('with certificates services are found by TLS', () => {
  const [dcim, door] = [plans[1]!, plans[2]!],
    named = (env: Record<string, string>) => serviceEnvironment(door, plans, env);
  expect(named({ PEER_TLS_CERT_FILE: '/x' })).toMatchObject({
    DCIM_HTTP_URL: `https://127.0.0.1:${dcim.httpPort}`,
    GATEWAY_HTTP_URL: 'http://127.0.0.1:8000',
  });
  expect(named({ TLS_CERT_FILE: '/x' })).toMatchObject({
    DCIM_HTTP_URL: `http://127.0.0.1:${dcim.httpPort}`,
    GATEWAY_HTTP_URL: 'https://127.0.0.1:8000',
  });
});

test('who names a port for health and metrics finds the services there, one after the other', () => {
  const named = planServices(
    folder,
    serviceNames(folder),
    { port: 8000, host: '127.0.0.1', operations: { port: 9464, host: '10.0.0.5' } },
    [1, 2, 3, 4, 5, 6, 7, 8, 9],
  );
  expect(named.map(({ operationsUrl }) => operationsUrl)).toEqual([
    'http://10.0.0.5:9464',
    'http://10.0.0.5:9465',
    'http://10.0.0.5:9466',
  ]);
  expect(serviceEnvironment(named[2]!, named, { OPERATIONS_HOST: '10.0.0.5' })).toMatchObject({
    OPERATIONS_HOST: '10.0.0.5',
    OPERATIONS_PORT: '9466',
  });
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

import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { planServices, serviceEnvironment, serviceNames } from './plan.ts';
import { reachableHost } from './ports.ts';

const folder = fileURLToPath(new URL('./fixtures/services', import.meta.url));
const plans = planServices(folder, serviceNames(folder), { port: 8000, host: '127.0.0.1' }, [1, 2, 3, 4, 5, 6]);
const common = { AUTH_DATABASE_URL: 'postgres://a', DATABASE_URL: 'postgres://h', SUPERUSER_PASSWORD: 'p', API_TOKEN_PEPPERS: '{}', LISTEN_HOST: '0.0.0.0' };
const environment = (name: string) => serviceEnvironment(plans.find((plan) => plan.name === name)!, plans, common);

test('services are the folders with a main.ts; those with migrations have a database', () => {
  expect(plans.map(({ name, hasDatabase, httpPort, grpcPort }) => [name, hasDatabase, httpPort, grpcPort])).toEqual([['auth', true, 1, 2], ['dcim', true, 3, 4], ['gateway', false, 8000, 6]]);
});

test('every service knows where the others are, and only what it needs', () => {
  expect(environment('dcim')).toEqual({
    DATABASE_URL: 'postgres://h', LISTEN_HOST: '127.0.0.1', HTTP_PORT: '3', GRPC_PORT: '4',
    AUTH_HTTP_URL: 'http://127.0.0.1:1', AUTH_GRPC_ADDRESS: '127.0.0.1:2', DCIM_HTTP_URL: 'http://127.0.0.1:3', DCIM_GRPC_ADDRESS: '127.0.0.1:4',
    GATEWAY_HTTP_URL: 'http://127.0.0.1:8000', GATEWAY_GRPC_ADDRESS: '127.0.0.1:6',
  });
  expect(environment('auth')).toMatchObject({ AUTH_DATABASE_URL: 'postgres://a', SUPERUSER_PASSWORD: 'p', API_TOKEN_PEPPERS: '{}' });
  expect(environment('gateway')).toMatchObject({ LISTEN_HOST: '0.0.0.0', HTTP_PORT: '8000' });
});

test.each([[undefined, '127.0.0.1'], ['0.0.0.0', '127.0.0.1'], ['::', '127.0.0.1'], ['::1', '[::1]'], ['10.0.0.5', '10.0.0.5']])('what listens on %s is reached at %s', (host, expected) => {
  expect(reachableHost(host)).toBe(expected);
});

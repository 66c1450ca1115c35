import { expect, test } from '@jest/globals';
import { type Environment, processEnvironment } from './environment.ts';
import type { ProcessPlan, ServicePlan } from './plan.ts';

const host = '127.0.0.1';
const gateway: ServicePlan = { name: 'gateway', host, httpPort: 8000, grpcPort: 8, hasDatabase: false };
const auth: ServicePlan = { name: 'auth', host, httpPort: 1, grpcPort: 2, hasDatabase: true };
const dcim: ServicePlan = { name: 'dcim', host, httpPort: 4, grpcPort: 5, hasDatabase: true };
const all = [gateway, auth, dcim];
const common = {
  AUTH_DATABASE_URL: 'postgres://a',
  DCIM_LOG_LEVEL: 'debug',
  DATABASE_URL: 'postgres://h',
  SERVICE_SECRET: 's',
  SUPERUSER_PASSWORD: 'p',
  API_TOKEN_PEPPERS: '{}',
  SECRETS_KEYS: 'k',
  LISTEN_HOST: '0.0.0.0',
};
const processOf = (...services: ServicePlan[]): ProcessPlan => ({ services, operationsUrl: `http://${host}:6` });
const ownOf = ({ name }: ServicePlan): Environment => ({ SERVICE_KEY: `key of ${name}` });
const environment = (...services: ServicePlan[]) => processEnvironment(processOf(...services), all, common, ownOf);

test('a service alone knows where the others are, and only what it needs', () => {
  expect(environment(dcim)).toEqual({
    DATABASE_URL: 'postgres://h',
    DCIM_LOG_LEVEL: 'debug',
    SERVICE_KEY: 'key of dcim',
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
  expect(environment(auth)).toMatchObject({
    AUTH_DATABASE_URL: 'postgres://a',
    SUPERUSER_PASSWORD: 'p',
    API_TOKEN_PEPPERS: '{}',
  });
  const settings = environment(gateway);
  expect(settings).toMatchObject({ SERVICE_SECRET: 's', LISTEN_HOST: '0.0.0.0', HTTP_PORT: '8000' });
  expect(settings).not.toHaveProperty('DATABASE_URL');
});

test('of several in one process each has its own by its name', () => {
  const shared = environment(gateway, auth);
  expect(shared).toMatchObject({
    LISTEN_HOST: '0.0.0.0',
    AUTH_LISTEN_HOST: '127.0.0.1',
    GATEWAY_HTTP_PORT: '8000',
    AUTH_GRPC_PORT: '2',
    GATEWAY_SERVICE_KEY: 'key of gateway',
    AUTH_SERVICE_KEY: 'key of auth',
    AUTH_DATABASE_URL: 'postgres://a',
    DATABASE_URL: 'postgres://h',
    SERVICE_SECRET: 's',
    SUPERUSER_PASSWORD: 'p',
    OPERATIONS_PORT: '6',
    DCIM_HTTP_URL: 'http://127.0.0.1:4',
  });
  for (const name of ['SECRETS_KEYS', 'DCIM_LOG_LEVEL', 'SERVICE_KEY', 'HTTP_PORT', 'GATEWAY_LISTEN_HOST'])
    expect(shared).not.toHaveProperty(name);
});

test('one that listens nowhere has neither ports nor an address', () => {
  const { httpPort: _http, grpcPort: _grpc, ...quiet } = auth;
  const env = processEnvironment(processOf(gateway, quiet), [gateway, quiet], {});
  expect(Object.keys(env).filter((name) => /^AUTH_(HTTP|GRPC)/.test(name))).toEqual([]);
});

test('with certificates services are found by TLS', () => {
  const named = (env: Environment) => processEnvironment(processOf(gateway), all, env);
  expect(named({ PEER_TLS_CERT_FILE: '/x' })).toMatchObject({
    DCIM_HTTP_URL: 'https://127.0.0.1:4',
    GATEWAY_HTTP_URL: 'http://127.0.0.1:8000',
  });
  expect(named({ TLS_CERT_FILE: '/x' })).toMatchObject({
    DCIM_HTTP_URL: 'http://127.0.0.1:4',
    GATEWAY_HTTP_URL: 'https://127.0.0.1:8000',
  });
});

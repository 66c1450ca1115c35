import { expect, test } from '@jest/globals';
import { environmentOf } from './settings.ts';

const env = {
  LOG_LEVEL: 'info',
  SERVICE_SECRET: 'door',
  API_TOKEN_PEPPERS: 'peppers',
  GRPC_PORT: '1',
  HTTP_PORT: '2',
  SERVICE_KEY: 'anybody',
  DCIM_GRPC_PORT: '50052',
  DCIM_SERVICE_KEY: 'dcim',
  DCIM_LOG_LEVEL: 'debug',
  DCIM_DATABASE_URL: 'postgres://dcim',
  DCIM_HTTP_URL: 'http://dcim',
  IPAM_SERVICE_KEY: 'ipam',
  IPAM_DATABASE_URL: 'postgres://ipam',
  IPAM_HTTP_URL: 'http://ipam',
  WEBHOOKS_SERVICE_KEY: 'elsewhere',
};

test('a service of several has its own variables by its name, and nothing of the others', () => {
  expect(environmentOf(env, 'dcim', ['dcim', 'ipam'])).toEqual({
    LOG_LEVEL: 'debug',
    GRPC_PORT: '50052',
    SERVICE_KEY: 'dcim',
    DCIM_DATABASE_URL: 'postgres://dcim',
    DCIM_HTTP_URL: 'http://dcim',
    IPAM_HTTP_URL: 'http://ipam',
    WEBHOOKS_SERVICE_KEY: 'elsewhere',
  });
});

test('what is there for the process is not taken for each', () => {
  const own = environmentOf(env, 'ipam', ['dcim', 'ipam']);
  expect([own.GRPC_PORT, own.HTTP_PORT, own.SERVICE_KEY]).toEqual([undefined, undefined, 'ipam']);
});

test('one alone has the variables of the process, without what only others may know', () => {
  const { SERVICE_SECRET: _, API_TOKEN_PEPPERS: __, ...rest } = env;
  expect(environmentOf(env, 'dcim', ['dcim'])).toEqual(rest);
  expect(environmentOf(env, 'gateway', ['gateway'])).toMatchObject({ SERVICE_SECRET: 'door' });
});

import { expect, test } from '@jest/globals';
import { internalEndpoints, configuredEndpoints, parseEndpoint } from './internalEndpoints.ts';

const env = {
  DCIM_HTTP_URL: 'http://dcim:8000',
  DCIM_GRPC_ADDRESS: 'dcim:50051',
  WEB_HTTP_URL: 'http://127.0.0.1:41002/',
  WEB_GRPC_ADDRESS: '127.0.0.1:41003',
  GATEWAY_HTTP_URL: 'http://127.0.0.1:8000',
  DATABASE_URL: 'postgres://u:p@db.example/x',
  EVENTS_DATABASE_URL: 'postgres://u:p@127.0.0.1:41099/x',
  KAFKA_BROKERS: 'k1:9092, [fd00::9]:9093',
  GRPC_PORT: '41005',
};
const addresses: Record<string, string> = { dcim: '10.96.0.7', 'db.example': '10.1.1.1', k1: '10.1.1.2' };
const own = internalEndpoints(
  configuredEndpoints(env, 9464, ['127.0.0.1:41007']),
  async (host) => (addresses[host] ? [{ address: addresses[host] }] : Promise.reject(new Error('not found'))),
  () => ['127.0.0.1', '::1', '192.168.7.7', 'fe80::1%eth0'],
);

test('the environment names what is ours', () => {
  expect(
    configuredEndpoints(env, 9464, ['127.0.0.1:41007'])
      .map(({ host, port }) => `${host} ${port}`)
      .sort(),
  ).toEqual(
    [
      ...['127.0.0.1 41002', '127.0.0.1 41003', '127.0.0.1 41007', '127.0.0.1 41099'],
      ...['db.example 5432', 'dcim 50051', 'dcim 8000', 'fd00::9 9093', 'k1 9092', 'localhost 41005', 'localhost 9464'],
    ].sort(),
  );
  for (const wrong of ['', '9464', 'a:b', 'a:', '::1:80']) expect(parseEndpoint(wrong)).toBeUndefined();
});

test.each([
  ['127.0.0.1', '127.0.0.1', 9464],
  ['127.8.9.1', '127.8.9.1', 9464],
  ['localhost', '127.0.0.1', 9464],
  ['localhost', '::1', 41002],
  ['LOCALHOST.', undefined, 41003],
  ['a.localhost', undefined, 41005],
  ['::1', '::1', 41007],
  ['::ffff:127.0.0.1', '::ffff:127.0.0.1', 41099],
  ['::ffff:7f00:1', '::ffff:7f00:1', 9464],
  ['0.0.0.0', '0.0.0.0', 9464],
  ['::', '::', 9464],
  ['evil.example', '127.0.0.1', 9464],
  ['evil.example', '192.168.7.7', 9464],
  ['192.168.7.7', '192.168.7.7', 41002],
  ['fe80::1', 'fe80::1%eth0', 9464],
  ['dcim', undefined, 8000],
  ['DCIM.cadastre.svc.cluster.local.', undefined, 50051],
  ['10.96.0.7', '10.96.0.7', 8000],
  ['evil.example', '10.96.0.7', 50051],
  ['evil.example', '::ffff:10.96.0.7', 8000],
  ['evil.example', '10.1.1.1', 5432],
  ['fd00::9', 'fd00::9', 9093],
  ['evil.example', 'fd00:0::9', 9093],
])('%s (%s) port %s is ours', async (host, address, port) => {
  await Promise.resolve();
  expect(own.holds(host, address, port)).toBe(true);
});

test.each([
  ['127.0.0.1', '127.0.0.1', 8000],
  ['127.0.0.1', '127.0.0.1', 41001],
  ['localhost', '::1', 80],
  ['10.96.0.8', '10.96.0.8', 8000],
  ['10.96.0.7', '10.96.0.7', 443],
  ['hooks.example', '203.0.113.9', 9464],
  ['dcim-hooks.example', '203.0.113.9', 8000],
  ['192.168.7.8', '192.168.7.8', 9464],
])('%s (%s) port %s is not', (host, address, port) => expect(own.holds(host, address, port)).toBe(false));

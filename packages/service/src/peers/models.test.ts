import { afterEach, expect, test } from '@jest/globals';
import { ANYBODY, Unreachable } from '@cadastre/rest';
import { patienceMs } from '../../../../tests/support/eventually.ts';
import { testKeys } from '../../../../tools/testing/secrets/keys.ts';
import { loadConfig } from '../settings/config.ts';
import { type Callers, type GrpcServer, grpcService, startGrpcServer } from '../grpc/index.ts';
import { serviceDefinition } from '../grpc/proto.ts';
import { createLog } from '../observe/log.ts';
import { callsOf } from './calls.ts';
import { grpcPeers, MODELS, type ModelsApi } from './models.ts';

const keys = testKeys('dcim', 'ipam');
const log = createLog('dcim', { logLevel: 'silent', logFormat: 'json' });
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** The dcim service, reduced to the method that says what refers to objects. */
const dcim = (port: number): Promise<GrpcServer> => {
  const answers = { PrepareDeletion: () => ({ count: 2, names: ['one', 'other'] }) } as unknown as ModelsApi;
  const none = () => {
    throw new Error('nobody asks this');
  };
  const methods = Object.keys(serviceDefinition(MODELS));
  const all = Object.fromEntries(methods.map((name) => [name, none]));
  const callers = Object.fromEntries(methods.map((name) => [name, ['ipam']])) as unknown as Callers<ModelsApi>;
  return startGrpcServer({
    name: 'dcim',
    port,
    host: '127.0.0.1',
    services: [grpcService<ModelsApi>(MODELS, callers, { ...all, ...answers } as ModelsApi)],
    config: loadConfig(keys('dcim')),
    log,
  });
};

/** The address at which the service will listen, and a client of it. */
async function neighbour(reachedMs?: number) {
  const spare = await dcim(0);
  await spare.close();
  const calls = callsOf('ipam', loadConfig({ ...keys('ipam'), DCIM_GRPC_ADDRESS: `127.0.0.1:${spare.port}` }));
  closing.push(calls.close);
  const { peers } = grpcPeers(calls, reachedMs);
  return { port: spare.port, ask: () => peers.prepareDeletion('dcim', 'ipam.vlan', [1], 'me', ANYBODY) };
}

test('a service that starts while it is asked is reached, though there was no connection at first', async () => {
  const { port, ask } = await neighbour(patienceMs);
  const asked = ask();
  // What gRPC reports at once: the service cannot be reached.
  await new Promise((resolve) => setTimeout(resolve, 50));
  const server = await dcim(port);
  closing.push(server.close);
  expect(await asked).toMatchObject({ count: 2, names: ['one', 'other'] });
});

test('one that is away is told to be, soon', async () => {
  const { ask } = await neighbour();
  await expect(ask()).rejects.toThrow(Unreachable);
});

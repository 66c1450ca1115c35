import { fileURLToPath } from 'node:url';
import { credentials, Metadata } from '@grpc/grpc-js';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { testKeys } from '../../../../tools/testing/secrets/keys.ts';
import { loadConfig } from '../settings/config.ts';
import { type Callers, type GrpcServer, GrpcStatus, grpcClient, grpcService, startGrpcServer } from './index.ts';
import { constructorOf } from './proto.ts';
import { createLog } from '../observe/log.ts';
import { createCredential, createCredentialCheck } from './credential.ts';
import { anonymous, signIdentity } from '../security/identity.ts';
import { serviceKeys, serviceSigningKey } from '../settings/key-pairs.ts';
import { newKeyPair } from '../security/new-keys.ts';

type Text = { text: string; big_number?: number };
type Echo = { Say(request: Text): Text; Count(request: Text): AsyncIterable<Text> };

const name = { proto: fileURLToPath(new URL('./fixtures/echo.proto', import.meta.url)), service: 'test.Echo' };
const keys = testKeys('caller', 'called', 'other', 'gateway');
const configOf = (service: string, more: Record<string, string> = {}) => ({
  ...loadConfig({ ...keys(service), ...more }),
  grpcTimeoutMs: 1_000,
  grpcMaxMessageBytes: 1_000_000,
});
const [config, own] = [configOf('called'), configOf('caller')];
const callers = { Say: ['caller', 'other'], Count: ['caller'] };
const log = createLog('test', { logLevel: 'silent', logFormat: 'json' });
let server: GrpcServer;

beforeAll(async () => {
  const echo = grpcService<Echo>(name, callers, {
    Say: (request) => request,
    Count: async function* () {},
  });
  server = await startGrpcServer({ name: 'called', port: 0, host: '127.0.0.1', services: [echo], config, log });
});
afterAll(async () => {
  await server.close();
});

/** The answer to a call by a client with these options. */
async function answerTo(more: { from?: string; to?: string; config?: ReturnType<typeof configOf> }): Promise<unknown> {
  const one = grpcClient<Echo>({
    ...name,
    address: `127.0.0.1:${server.port}`,
    to: 'called',
    from: 'caller',
    config: own,
    ...more,
  });
  try {
    return await one.Say({ text: 'hi' }).then(
      () => 'answered',
      (error: { code: number }) => error.code,
    );
  } finally {
    one.close();
  }
}
test('a server does not start when nothing says who may call a method', async () => {
  const services = [
    grpcService<Echo>(name, { Say: ['caller'] } as unknown as Callers<Echo>, {
      Say: (request) => request,
      Count: async function* () {},
    }),
  ];
  await expect(startGrpcServer({ name: 'called', port: 0, host: '127.0.0.1', services, config, log })).rejects.toThrow(
    'nothing says who may call /test.Echo/Count',
  );
});

test("a name that is not the caller's own, a key that nobody knows, and what was sent to another service count for nothing", async () => {
  // Its own key under the name of another service; the verifier's public keys show whose key it is.
  const mine = JSON.parse(keys('other')['SERVICE_PUBLIC_KEYS']!) as Record<string, string>;
  const claimed = configOf('other', {
    SERVICE_PUBLIC_KEYS: JSON.stringify({ ...mine, other: [], caller: mine['other']! }),
  });
  expect(await answerTo({ from: 'caller', config: claimed })).toBe(GrpcStatus.UNAUTHENTICATED);
  const stranger = newKeyPair();
  expect(
    await answerTo({
      from: 'stranger',
      config: configOf('other', {
        SERVICE_KEY: stranger.private,
        SERVICE_PUBLIC_KEYS: JSON.stringify({ stranger: stranger.public }),
      }),
    }),
  ).toBe(GrpcStatus.UNAUTHENTICATED);
  expect(await answerTo({ to: 'other' })).toBe(GrpcStatus.UNAUTHENTICATED);
  // An identity token does not count as a credential, even when signed with the same key.
  const key = serviceSigningKey(own, 'caller');
  const check = createCredentialCheck(serviceKeys(config), 'called');
  expect(await check(await signIdentity(anonymous, key, 60))).toBeUndefined();
  expect(await check(await createCredential(key, 'called')())).toBe('caller');
  expect(
    await check(
      await createCredential({ ...key, kid: serviceSigningKey(configOf('gateway'), 'gateway').kid }, 'called')(),
    ),
  ).toBeUndefined();
});

test('nothing is unpacked, parsed or measured that somebody without a key sends', async () => {
  const health = { proto: fileURLToPath(new URL('./health.proto', import.meta.url)), service: 'grpc.health.v1.Health' };
  const Client = constructorOf(name);
  const { path } = Client.service.Say!;
  const client = new Client(`127.0.0.1:${server.port}`, credentials.createInsecure(), {
    // Compressed by gzip, so it is small in transit.
    'grpc.default_compression_algorithm': 2,
  });
  const send = (to: string, bytes: Buffer, metadata = new Metadata()): Promise<unknown> =>
    new Promise((resolve) =>
      client.makeUnaryRequest(
        to,
        (message: Buffer) => message,
        (answer: Buffer) => answer.toString('hex'),
        bytes,
        metadata,
        (error, answer) => resolve(error ? error.code : answer),
      ),
    );
  const [tooLarge, noMessage] = [Buffer.alloc(config.grpcMaxMessageBytes + 1), Buffer.from('ffff', 'hex')];
  for (const bytes of [tooLarge, noMessage]) {
    expect(await send(path, bytes)).toBe(GrpcStatus.UNAUTHENTICATED);
    // A name that the caller claims by itself does not count.
    const said = new Metadata();
    said.set('x-cadastre-caller', 'caller');
    expect(await send(path, bytes, said)).toBe(GrpcStatus.UNAUTHENTICATED);
    // The same goes for the other method; a health check is answered whatever the caller sends.
    expect(await send(Client.service.Count!.path, bytes)).toBe(GrpcStatus.UNAUTHENTICATED);
    expect(await send(constructorOf(health).service.Check!.path, bytes)).toBe('0801');
  }
  const known = new Metadata();
  known.set('x-cadastre-service', await createCredential(serviceSigningKey(own, 'caller'), 'called')());
  expect(await send(path, tooLarge, known)).toBe(GrpcStatus.RESOURCE_EXHAUSTED);
  expect(await send(path, noMessage, known)).toBe(GrpcStatus.INTERNAL);
  client.close();
});

test('nobody without a key is served, except for health', async () => {
  const Health = constructorOf({
    proto: fileURLToPath(new URL('./health.proto', import.meta.url)),
    service: 'grpc.health.v1.Health',
  });
  const probe = new Health(`127.0.0.1:${server.port}`, credentials.createInsecure());
  const method = Health.service.Check!;
  const answer = await new Promise((resolve, reject) =>
    probe.makeUnaryRequest(
      method.path,
      method.requestSerialize,
      method.responseDeserialize,
      {},
      new Metadata(),
      (error, value) => (error ? reject(error) : resolve(value)),
    ),
  );
  expect(answer).toEqual({ status: 'SERVING' });
  const say = constructorOf(name).service.Say!;
  const bare = new Metadata();
  expect(
    await new Promise((resolve) =>
      probe.makeUnaryRequest(say.path, say.requestSerialize, say.responseDeserialize, { text: 'hi' }, bare, (error) =>
        resolve(error?.code),
      ),
    ),
  ).toBe(GrpcStatus.UNAUTHENTICATED);
  probe.close();
});

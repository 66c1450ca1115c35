import { fileURLToPath } from 'node:url';
import { credentials, Metadata } from '@grpc/grpc-js';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { testKeys } from '../../../tools/testing/keys.ts';
import { loadConfig } from './config.ts';
import {
  type Callers,
  type GrpcClient,
  GrpcError,
  type GrpcServer,
  GrpcStatus,
  grpcClient,
  grpcService,
  isUnreachable,
  startGrpcServer,
} from './grpc.ts';
import { constructorOf } from './grpc-proto.ts';
import { createLog, currentRequestId, withRequestId } from './log.ts';
import { createCredential, createCredentialCheck } from './grpc-credential.ts';
import { anonymous, signIdentity } from './identity.ts';
import { serviceKeys, serviceSigningKey } from './key-pairs.ts';
import { newKeyPair } from './new-keys.ts';

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
const lines: string[] = [];
const log = createLog(
  'test',
  { logLevel: 'info', logFormat: 'json' },
  {
    write: (line) => {
      lines.push(line);
    },
  },
);
let server: GrpcServer;
let client: GrpcClient<Echo>;
let written = 0;

beforeAll(async () => {
  const echo = grpcService<Echo>(name, callers, {
    Say: async ({ text, big_number }, { caller, requestId }) => {
      if (text === 'missing') throw new GrpcError(GrpcStatus.NOT_FOUND, 'no such thing');
      if (text === 'fault') throw new Error('inner detail');
      if (text === 'lost') throw new Error('Connection terminated unexpectedly');
      if (text === 'slow') await new Promise((resolve) => setTimeout(resolve, 500));
      if (text === 'who') return { text: `${caller} ${requestId} ${currentRequestId()}` };
      return { text, big_number };
    },
    Count: async function* ({ text }) {
      for (written = 0; written < Number(text); written++) yield { text: 'x'.repeat(10_000), big_number: written };
    },
  });
  server = await startGrpcServer({ name: 'called', port: 0, host: '127.0.0.1', services: [echo], config, log });
  client = grpcClient<Echo>({
    ...name,
    address: `127.0.0.1:${server.port}`,
    to: 'called',
    from: 'caller',
    config: own,
  });
});
afterAll(async () => {
  client.close();
  await server.close();
});

test('a call is answered; names and numbers are those of the file', async () => {
  expect(await client.Say({ text: 'hi', big_number: 2 ** 40 })).toEqual({ text: 'hi', big_number: 2 ** 40 });
});

test('the caller is known and the request id travels', async () => {
  expect(await withRequestId('r-1', () => client.Say({ text: 'who' }))).toMatchObject({ text: 'caller r-1 r-1' });
});

test('errors keep their status; faults tell nothing', async () => {
  await expect(client.Say({ text: 'missing' })).rejects.toMatchObject({
    code: GrpcStatus.NOT_FOUND,
    details: 'no such thing',
  });
  await expect(client.Say({ text: 'fault' })).rejects.toMatchObject({
    code: GrpcStatus.INTERNAL,
    details: 'internal error',
  });
  expect(lines.join('')).toContain('inner detail');
  // Whoever asked may try again, and so may whoever asked them.
  expect(isUnreachable(await client.Say({ text: 'lost' }).catch((error: unknown) => error))).toBe(true);
});

test('a call ends at its deadline, and when its signal says so', async () => {
  const late = client.Say({ text: 'slow' }, { timeoutMs: 100 }).catch((error: unknown) => error);
  expect(isUnreachable(await late)).toBe(true);
  await expect(client.Say({ text: 'slow' }, { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({
    code: GrpcStatus.CANCELLED,
  });
});

test('a stream arrives whole, and is written no faster than it is read', async () => {
  let count = 0;
  for await (const item of client.Count({ text: '100' })) expect(item.big_number).toBe(count++);
  expect(count).toBe(100);
  for await (const _item of client.Count({ text: '100000' })) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    break;
  }
  expect(written).toBeLessThan(10_000);
});

/** What a call is answered with, made by a client of these options. */
async function answerTo(
  more: { from?: string; to?: string; config?: ReturnType<typeof configOf> },
  call: (one: GrpcClient<Echo>) => Promise<unknown> = (one) => one.Say({ text: 'hi' }),
): Promise<unknown> {
  const one = grpcClient<Echo>({
    ...name,
    address: `127.0.0.1:${server.port}`,
    to: 'called',
    from: 'caller',
    config: own,
    ...more,
  });
  try {
    return await call(one).then(
      () => 'answered',
      (error: { code: number }) => error.code,
    );
  } finally {
    one.close();
  }
}
const countedBy = async (one: GrpcClient<Echo>) => {
  for await (const _item of one.Count({ text: '1' }));
};

test('each method is for those who are named, and for nobody else', async () => {
  expect(
    await Promise.all([
      answerTo({}),
      answerTo({ from: 'other', config: configOf('other') }),
      answerTo({ from: 'gateway', config: configOf('gateway') }),
    ]),
  ).toEqual(['answered', 'answered', GrpcStatus.PERMISSION_DENIED]);
  expect(
    await Promise.all([answerTo({}, countedBy), answerTo({ from: 'other', config: configOf('other') }, countedBy)]),
  ).toEqual(['answered', GrpcStatus.PERMISSION_DENIED]);
  expect(lines.join('')).toMatch(/"caller":"other","method":"\/test.Echo\/Count"/);
});

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
  // Its own key under the name of another; the public halves that others have say whose it is.
  const mine = JSON.parse(keys('other')['SERVICE_PUBLIC_KEYS']!) as Record<string, string>,
    claimed = configOf('other', {
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
  // An identity is no credential, even by the same key.
  const key = serviceSigningKey(own, 'caller'),
    check = createCredentialCheck(serviceKeys(config), 'called');
  expect(await check(await signIdentity(anonymous, key, 60))).toBeUndefined();
  expect(await check(await createCredential(key, 'called')())).toBe('caller');
  expect(
    await check(
      await createCredential({ ...key, kid: serviceSigningKey(configOf('gateway'), 'gateway').kid }, 'called')(),
    ),
  ).toBeUndefined();
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
  const say = constructorOf(name).service.Say!,
    bare = new Metadata();
  expect(
    await new Promise((resolve) =>
      probe.makeUnaryRequest(say.path, say.requestSerialize, say.responseDeserialize, { text: 'hi' }, bare, (error) =>
        resolve(error?.code),
      ),
    ),
  ).toBe(GrpcStatus.UNAUTHENTICATED);
  probe.close();
});

test('a call waits for a server that is still starting, unless told otherwise', async () => {
  const spare = await startGrpcServer({ name: 'called', port: 0, host: '127.0.0.1', services: [], config, log });
  await spare.close();
  const early = grpcClient<Echo>({
    ...name,
    address: `127.0.0.1:${spare.port}`,
    to: 'called',
    from: 'caller',
    config: own,
  });
  expect(isUnreachable(await early.Say({ text: 'hi' }, { failFast: true }).catch((error: unknown) => error))).toBe(
    true,
  );
  const waiting = early.Say({ text: 'hi' });
  const started = await startGrpcServer({
    name: 'called',
    port: spare.port,
    host: '127.0.0.1',
    config,
    log,
    services: [
      grpcService<Echo>(name, callers, {
        Say: (request) => request,
        Count: async function* () {
          yield { text: '' };
        },
      }),
    ],
  });
  expect(await waiting).toMatchObject({ text: 'hi' });
  early.close();
  await started.close();
});

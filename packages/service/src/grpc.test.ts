import { fileURLToPath } from 'node:url';
import { credentials, Metadata } from '@grpc/grpc-js';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type GrpcClient, GrpcError, type GrpcServer, GrpcStatus, grpcClient, grpcService, isUnreachable, startGrpcServer } from './grpc.ts';
import { constructorOf } from './grpc-proto.ts';
import { createLog, currentRequestId, withRequestId } from './log.ts';
import { Secret } from './secret.ts';

type Text = { text: string; big_number?: number };
type Echo = { Say(request: Text): Text; Count(request: Text): AsyncIterable<Text> };

const name = { proto: fileURLToPath(new URL('./fixtures/echo.proto', import.meta.url)), service: 'test.Echo' };
const config = { serviceSecret: new Secret('s'.repeat(32)), grpcTimeoutMs: 1_000, grpcMaxMessageBytes: 1_000_000 };
const lines: string[] = [];
const log = createLog('test', { logLevel: 'info', logFormat: 'json' }, { write: (line) => { lines.push(line); } });
let server: GrpcServer;
let client: GrpcClient<Echo>;
let written = 0;

beforeAll(async () => {
  const echo = grpcService<Echo>(name, {
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
  server = await startGrpcServer({ port: 0, host: '127.0.0.1', services: [echo], config, log });
  client = grpcClient<Echo>({ ...name, address: `127.0.0.1:${server.port}`, from: 'caller', config });
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
  await expect(client.Say({ text: 'missing' })).rejects.toMatchObject({ code: GrpcStatus.NOT_FOUND, details: 'no such thing' });
  await expect(client.Say({ text: 'fault' })).rejects.toMatchObject({ code: GrpcStatus.INTERNAL, details: 'internal error' });
  expect(lines.join('')).toContain('inner detail');
  // Whoever asked may try again, and so may whoever asked them.
  expect(isUnreachable(await client.Say({ text: 'lost' }).catch((error: unknown) => error))).toBe(true);
});

test('a call ends at its deadline, and when its signal says so', async () => {
  const late = client.Say({ text: 'slow' }, { timeoutMs: 100 }).catch((error: unknown) => error);
  expect(isUnreachable(await late)).toBe(true);
  await expect(client.Say({ text: 'slow' }, { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({ code: GrpcStatus.CANCELLED });
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

test('nobody without the secret is served, except for health', async () => {
  const stranger = grpcClient<Echo>({ ...name, address: `127.0.0.1:${server.port}`, from: 'stranger', config: { ...config, serviceSecret: new Secret('x'.repeat(32)) } });
  await expect(stranger.Say({ text: 'hi' })).rejects.toMatchObject({ code: GrpcStatus.UNAUTHENTICATED });
  stranger.close();
  const Health = constructorOf({ proto: fileURLToPath(new URL('./health.proto', import.meta.url)), service: 'grpc.health.v1.Health' });
  const probe = new Health(`127.0.0.1:${server.port}`, credentials.createInsecure());
  const method = Health.service.Check!;
  const answer = await new Promise((resolve, reject) => probe.makeUnaryRequest(method.path, method.requestSerialize, method.responseDeserialize, {}, new Metadata(), (error, value) => (error ? reject(error) : resolve(value))));
  expect(answer).toEqual({ status: 'SERVING' });
  probe.close();
});

test('a call waits for a server that is still starting, unless told otherwise', async () => {
  const spare = await startGrpcServer({ port: 0, host: '127.0.0.1', services: [], config, log });
  await spare.close();
  const early = grpcClient<Echo>({ ...name, address: `127.0.0.1:${spare.port}`, from: 'caller', config });
  expect(isUnreachable(await early.Say({ text: 'hi' }, { failFast: true }).catch((error: unknown) => error))).toBe(true);
  const waiting = early.Say({ text: 'hi' });
  const started = await startGrpcServer({ port: spare.port, host: '127.0.0.1', config, log, services: [grpcService<Echo>(name, { Say: (request) => request, Count: async function* () { yield { text: '' }; } })] });
  expect(await waiting).toMatchObject({ text: 'hi' });
  early.close();
  await started.close();
});

// What a service may rely on when it calls another one, whether that is in the same process or behind a connection.
import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from '@jest/globals';
import { eventually } from '../../../../tests/support/eventually.ts';
import { testKeys } from '../../../../tools/testing/secrets/keys.ts';
import { type Config, loadConfig } from '../settings/config.ts';
import { type GrpcClient, GrpcError, GrpcStatus, grpcService, isUnreachable, startGrpcServer } from '../grpc/index.ts';
import { createLog, currentRequestId, withRequestId } from '../observe/log.ts';
import { callsOf } from './calls.ts';
import { localServices } from './local-services.ts';

type Text = { text: string; big_number?: number };
type Echo = { Say(request: Text): Text; Count(request: Text): AsyncIterable<Text> };

const NAME = { proto: fileURLToPath(new URL('../grpc/fixtures/echo.proto', import.meta.url)), service: 'test.Echo' };
const keys = testKeys('caller', 'called', 'other', 'gateway');
const surroundings = new AsyncLocalStorage<string>();
let lines: string[] = [];
let written = 0;
let stopped = false;
const write = (line: string) => {
  lines.push(line);
};
/** A new logger for each test, as a repeated error is logged only once a second. */
const newLog = () => createLog('test', { logLevel: 'info', logFormat: 'json' }, { write });
let log = newLog();

const echo = grpcService<Echo>(
  NAME,
  { Say: ['caller', 'other'], Count: ['caller'] },
  {
    Say: async (request, { caller, requestId, signal }) => {
      const { text, big_number } = request;
      if (text === 'missing') throw new GrpcError(GrpcStatus.NOT_FOUND, 'no such thing');
      if (text === 'fault') throw new Error('inner detail');
      if (text === 'lost') throw new Error('Connection terminated unexpectedly');
      if (text === 'slow') await new Promise((resolve) => setTimeout(resolve, 500));
      if (text === 'stops') signal.addEventListener('abort', () => (stopped = true), { once: true });
      if (text === 'stops') await new Promise((resolve) => setTimeout(resolve, 500));
      if (text === 'gives up') await once(signal, 'abort').then(() => signal.throwIfAborted());
      if (text === 'who') return { text: `${caller} ${requestId} ${currentRequestId()}` };
      if (text === 'around') return { text: String(surroundings.getStore()) };
      if (text === 'long') return { text: 'x'.repeat(2_000_000) };
      request.text = 'changed';
      return { text, big_number: big_number! };
    },
    Count: async function* ({ text }, { signal }) {
      if (text === 'gives up' || text === 'breaks') await once(signal, 'abort');
      if (text === 'gives up') signal.throwIfAborted();
      if (text === 'breaks') throw new Error('inner detail');
      for (written = 0; written < Number(text); written++) yield { text: 'x'.repeat(10_000), big_number: written };
    },
  },
);

/** A way from a service to the called one, before that answers; `serve` lets it. */
interface Way {
  to(from: string, more?: Partial<Config>): GrpcClient<Echo>;
  serve(): Promise<void>;
  end(): Promise<void>;
}

const configOf = (service: string, address = 'localhost:1'): Config => ({
  ...loadConfig({ ...keys(service), CALLED_GRPC_ADDRESS: address }),
  grpcTimeoutMs: 1_000,
  grpcMaxMessageBytes: 1_000_000,
});

async function overConnection(): Promise<Way> {
  const open = (port: number, services = [echo]) =>
    startGrpcServer({ name: 'called', port, host: '127.0.0.1', services, config: configOf('called'), log });
  const spare = await open(0, []);
  const ends: (() => unknown)[] = [];
  await spare.close();
  return {
    to(from, more) {
      const calls = callsOf(from, { ...configOf(from, `127.0.0.1:${spare.port}`), ...more });
      ends.unshift(calls.close);
      return calls.to<Echo>('called', NAME);
    },
    serve: async () => void ends.push((await open(spare.port)).close),
    end: async () => {
      for (const end of ends) await end();
    },
  };
}

async function inProcess(): Promise<Way> {
  const near = localServices(['called', 'caller', 'other', 'gateway']);
  return {
    to: (from, more) => callsOf(from, { ...configOf(from), ...more }, near).to<Echo>('called', NAME),
    serve: async () => void near.offer('called', { http: () => undefined, grpc: [echo], log }),
    end: async () => undefined,
  };
}

describe.each([
  ['over a connection', overConnection],
  ['in the same process', inProcess],
])('%s', (_name, open) => {
  let way: Way;
  const called = async (from = 'caller', more?: Partial<Config>): Promise<GrpcClient<Echo>> => {
    way = await open();
    await way.serve();
    return way.to(from, more);
  };
  afterEach(async () => {
    await way.end();
    lines = [];
    log = newLog();
  });

  test('a call is answered; names and numbers are those of the file, and what is given stays as it is', async () => {
    const client = await called();
    const given = { text: 'hi', big_number: 2 ** 40 };
    expect(await client.Say(given)).toEqual({ text: 'hi', big_number: 2 ** 40 });
    expect(given.text).toBe('hi');
    expect(await client.Say({ text: 'default' })).toEqual({ text: 'default', big_number: 0 });
  });

  test('the caller is known and the request id travels, and nothing else that the caller carries along', async () => {
    const client = await called();
    expect(await withRequestId('r-1', () => client.Say({ text: 'who' }))).toMatchObject({ text: 'caller r-1 r-1' });
    const around = surroundings.run('of the caller', () => client.Say({ text: 'around' }));
    expect(await around).toMatchObject({ text: 'undefined' });
  });

  test('errors keep their status; faults tell nothing', async () => {
    const client = await called();
    await expect(client.Say({ text: 'missing' })).rejects.toMatchObject({
      code: GrpcStatus.NOT_FOUND,
      details: 'no such thing',
    });
    await expect(client.Say({ text: 'fault' })).rejects.toMatchObject({
      code: GrpcStatus.INTERNAL,
      details: 'internal error',
    });
    expect(lines.join('')).toContain('inner detail');
    // The caller may try again, and so may its own caller.
    expect(isUnreachable(await client.Say({ text: 'lost' }).catch((error: unknown) => error))).toBe(true);
  });

  test('a call ends at its deadline, and when its signal says so; whoever works on it hears of it', async () => {
    const client = await called();
    const late = client.Say({ text: 'slow' }, { timeoutMs: 100 }).catch((error: unknown) => error);
    expect(await late).toMatchObject({ code: GrpcStatus.DEADLINE_EXCEEDED });
    stopped = false;
    await expect(client.Say({ text: 'stops' }, { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({
      code: GrpcStatus.CANCELLED,
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(stopped).toBe(true);
  });

  test('work that ends because nobody waits for it has not failed', async () => {
    const client = await called();
    const limits = [{ signal: AbortSignal.timeout(50) }, { timeoutMs: 50 }];
    for (const limit of limits) await expect(client.Say({ text: 'gives up' }, limit)).rejects.toThrow();
    await expect(client.Say({ text: 'fault' })).rejects.toMatchObject({ code: GrpcStatus.INTERNAL });
    expect(lines.map((line) => JSON.parse(line).err.message)).toEqual(['inner detail']);
  });

  test('what fails after nobody waits for it any more is nobody’s failure', async () => {
    const client = await called();
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', note);
    try {
      await expect(client.Say({ text: 'fault' }, { signal: AbortSignal.abort() })).rejects.toMatchObject({
        code: GrpcStatus.CANCELLED,
      });
      await new Promise((resolve) => setTimeout(resolve, 50));
    } finally {
      process.off('unhandledRejection', note);
    }
    expect(unhandled).toEqual([]);
  });

  test('a stream arrives whole, and is written no faster than it is read', async () => {
    const client = await called();
    let count = 0;
    for await (const item of client.Count({ text: '100' })) expect(item.big_number).toBe(count++);
    expect(count).toBe(100);
    for await (const _item of client.Count({ text: '100000' })) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      break;
    }
    expect(written).toBeLessThan(10_000);
  });

  test('a stream that fails when its reader has left is told of, unless it ends because of that', async () => {
    const client = await called();
    for (const text of ['gives up', 'breaks']) {
      const items = client.Count({ text }, { signal: AbortSignal.timeout(50) });
      await expect(items[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: GrpcStatus.CANCELLED });
    }
    await eventually(() => expect(lines.map((line) => JSON.parse(line).err.message)).toEqual(['inner detail']));
  });

  test('a message that is too large is refused on either side', async () => {
    const client = await called();
    for (const text of ['x'.repeat(2_000_000), 'long'])
      await expect(client.Say({ text })).rejects.toMatchObject({ code: GrpcStatus.RESOURCE_EXHAUSTED });
  });

  test('each method is for those who are named, and for nobody else', async () => {
    const caller = await called();
    const [other, gateway] = [way.to('other'), way.to('gateway')];
    const codeOf = (call: Promise<unknown>) =>
      call.then(
        () => 'answered',
        (error: { code: number }) => error.code,
      );
    const counted = async (client: GrpcClient<Echo>) => {
      for await (const _item of client.Count({ text: '1' }));
    };
    const say = (client: GrpcClient<Echo>) => codeOf(client.Say({ text: 'hi' }));
    expect([await say(caller), await say(other), await say(gateway)]).toEqual([
      'answered',
      'answered',
      GrpcStatus.PERMISSION_DENIED,
    ]);
    expect([await codeOf(counted(caller)), await codeOf(counted(other))]).toEqual([
      'answered',
      GrpcStatus.PERMISSION_DENIED,
    ]);
    expect(lines.join('')).toMatch(/"caller":"other","method":"\/test.Echo\/Count"/);
  });

  test('a call waits for a service that is still starting, unless told otherwise', async () => {
    way = await open();
    const early = way.to('caller');
    expect(isUnreachable(await early.Say({ text: 'hi' }, { failFast: true }).catch((error: unknown) => error))).toBe(
      true,
    );
    await expect(early.ready(50)).rejects.toThrow();
    const waiting = early.Say({ text: 'hi' });
    await way.serve();
    expect(await waiting).toMatchObject({ text: 'hi' });
    await early.ready(1_000);
  });
});

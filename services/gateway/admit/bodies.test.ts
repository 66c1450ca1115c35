// Slow clients and large bodies at a gateway in front of a service that reports what has reached it.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import type { GrpcServer } from '@cadastre/service/grpc';
import { eventually } from '../../../tests/support/eventually.ts';
import { testKeys } from '../../../tools/testing/secrets/keys.ts';
import { endAll, gatewayAlone, log, startAuth } from '../testing/fixtures.ts';
import type { GatewayParts } from '../start.ts';

const keys = testKeys('gateway', 'auth');
/** Whoever shows the token `7` is user 7. */
const startUsers = () =>
  startAuth(keys('auth'), ({ plaintext }) => ({
    ok: true,
    error: '',
    user: { id: Number(plaintext), username: plaintext, superuser: true, active: true },
    token: { id: Number(plaintext), write_enabled: true, expires: '', allowed_ips: [] },
    permissions_version: 1,
  }));
let begun: IncomingMessage[] = [];
let held: (() => void)[] = [];
let sockets: Socket[] = [];
let service: Server;
let grpc: GrpcServer;
let parts: GatewayParts;
let port: number;

beforeAll(async () => {
  service = createServer((req, res) => {
    begun.push(req);
    let size = 0;
    req
      .on('data', (chunk: Buffer) => {
        size += chunk.length;
      })
      .on('end', () => {
        const answer = () => res.end(JSON.stringify({ size }));
        if (req.url?.includes('hold')) held.push(answer);
        else answer();
      });
  });
  await new Promise<void>((done) => {
    service.listen(0, '127.0.0.1', done);
  });
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  grpc = await startUsers();
  parts = gatewayAlone(
    {
      ...keys('gateway'),
      AUTH_GRPC_ADDRESS: `127.0.0.1:${grpc.port}`,
      AUTH_HTTP_URL: url,
      DCIM_HTTP_URL: url,
      PROXY_CONNECTIONS: '4',
      BODY_TIMEOUT_MS: '400',
      BODY_MIN_RATE: '4000',
      CLIENT_REQUESTS: '2',
      CLIENT_QUEUE: '1',
      CLIENT_WAIT_MS: '30000',
      CLIENT_BODIES: '5',
    },
    { served: [{ app: 'dcim', path: 'sites', service: 'dcim' }] },
  );
  port = await parts.http.listen(0, '127.0.0.1');
});
afterAll(() => endAll(parts, grpc, service));
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  for (const answer of held) answer();
  begun = [];
  held = [];
  sockets = [];
});

/** A connection of a user that has sent the headers of a request with a body, and what is answered. */
function slow(user: number, length: number): { write(text: string): void; answer: Promise<string> } {
  const socket = connect(port, '127.0.0.1');
  const { promise, resolve } = Promise.withResolvers<string>();
  let text = '';
  sockets.push(socket);
  socket
    .on('data', (chunk) => {
      text += chunk;
      if (text.includes('}')) resolve(text);
    })
    .on('error', () => undefined)
    .on('close', () => resolve(text));
  socket.write(
    `POST /api/dcim/sites/ HTTP/1.1\r\nHost: h\r\nAuthorization: Token ${user}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`,
  );
  return { write: (part) => void socket.write(part), answer: promise };
}
const call = (user: number, path = '/api/dcim/sites/', init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${port}${path}`, {
    ...init,
    headers: { authorization: `Token ${user}`, 'content-type': 'application/json' },
  });

test('a body that does not come takes no connection to the service, and is not waited for for long', async () => {
  const stuck = Array.from({ length: 5 }, () => slow(7, 10));
  for (const one of stuck) one.write('x');
  expect(await (await call(8, '/api/dcim/sites/', { method: 'POST', body: '{}' })).json()).toEqual({ size: 2 });
  expect(await (await call(7)).json()).toEqual({ size: 0 });
  for (const { answer } of stuck)
    expect(await answer).toMatch(/^HTTP\/1\.1 408 .*connection: close.*The request body did not arrive in time/is);
  expect(begun).toHaveLength(2);
});

test('a body that comes in pieces arrives whole', async () => {
  const { write, answer } = slow(7, 10);
  for (const part of ['01', '23456', '789']) {
    write(part);
    await sleep(50);
  }
  expect(await answer).toContain('{"size":10}');
});

test('one client sends so many bodies at once, whoever else sends some; the log says whose were too many', async () => {
  const warned = jest.spyOn(log, 'warn');
  // The first request of a process takes longer than bodies may.
  await call(7, '/api/dcim/sites/');
  const stuck = Array.from({ length: 5 }, () => slow(7, 10));
  await sleep(100);
  const refused = await call(7, '/api/dcim/sites/', {
    method: 'POST',
    body: new ReadableStream({
      async pull(to) {
        await sleep(20);
        to.enqueue(new TextEncoder().encode('{}'));
        to.close();
      },
    }),
    duplex: 'half',
  } as RequestInit);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  const about = {
    reason: 'too many',
    user: '7',
    path: '/api/dcim/sites/',
    request_id: refused.headers.get('x-request-id'),
  };
  await eventually(() =>
    expect(warned).toHaveBeenCalledWith(expect.objectContaining(about), 'a limit has held a request back'),
  );
  expect((await call(8, '/api/dcim/sites/', { method: 'POST', body: '{}' })).status).toBe(200);
  await Promise.all(stuck.map(({ answer }) => answer));
});

test('a large body goes on when its beginning is here, and is cut when the rest comes too slowly', async () => {
  const large = 'x'.repeat(3_000_000);
  expect(await (await call(7, '/api/dcim/sites/', { method: 'POST', body: large })).json()).toEqual({
    size: large.length,
  });
  begun = [];
  const { write, answer } = slow(7, large.length);
  write('x'.repeat(1_000));
  await sleep(100);
  expect(begun).toHaveLength(0);
  write('x'.repeat(100_000));
  await eventually(() => expect(begun).toHaveLength(1));
  const gone = new Promise((done) => begun[0]!.once('close', done));
  expect(await answer).toMatch(/^HTTP\/1\.1 408 /);
  await gone;
});

test('a large body that comes slowly, but comes, is taken', async () => {
  const { write, answer } = slow(7, 170_000);
  write('x'.repeat(70_000));
  for (let i = 0; i < 10; i++) {
    await sleep(100);
    write('x'.repeat(10_000));
  }
  expect(await answer).toContain('{"size":170000}');
});

test('one client has so many requests at a service; more wait, still more are refused, and nobody else notices', async () => {
  const under = [call(7, '/api/dcim/sites/?hold'), call(7, '/api/dcim/sites/?hold')];
  while (held.length < 2) await sleep(10);
  const third = call(7);
  await sleep(100);
  const refused = await call(7);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  expect((await call(8)).status).toBe(200);
  expect(begun).toHaveLength(3);
  for (const answer of held.splice(0)) answer();
  expect((await third).status).toBe(200);
  for (const one of under) expect((await one).status).toBe(200);
  expect((await call(7)).status).toBe(200);
});

test('a client that leaves while it waits leaves no place taken', async () => {
  const stop = new AbortController();
  const under = Array.from({ length: 2 }, () =>
    call(9, '/api/dcim/sites/?hold', { signal: stop.signal }).catch(() => undefined),
  );
  while (held.length < 2) await sleep(10);
  const waiting = call(9, '/api/dcim/sites/', { signal: stop.signal }).catch(() => undefined);
  await sleep(50);
  stop.abort();
  await Promise.all([...under, waiting]);
  expect((await Promise.all([call(9), call(9), call(9)])).map(({ status }) => status)).toEqual([200, 200, 200]);
});

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type Agents, createAgents } from './connect/connector.ts';
import { createPolicy, type PolicyOptions } from './connect/policy.ts';
import type { OutgoingRequest } from './request.ts';
import { send } from './send.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function receiver(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<number> {
  const server: Server = createServer(handle);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
function agents(policy: Partial<PolicyOptions> = {}): Agents {
  const made = createAgents({
    policy: createPolicy({ allowPrivate: true, allow: [], deny: [], allowOnly: false, ...policy }),
    connectTimeoutMs: 500,
    connections: 4,
  });
  closing.push(() => made.close());
  return made;
}
const post = (url: string): OutgoingRequest => ({
  method: 'POST',
  url: new URL(url),
  headers: [
    ['Content-Type', 'application/json'],
    ['Authorization', 'secret'],
    ['X-Hook-Signature', 'sig'],
  ],
  body: Buffer.from('{}'),
  tls: { verify: true, caFile: null },
});
const options = (made: Agents, rest = {}) => ({
  agents: made,
  totalTimeoutMs: 1_000,
  maxResponseBytes: 10,
  maxRedirects: 0,
  ...rest,
});

describe('sending', () => {
  test('an answer, its first bytes and its headers', async () => {
    const port = await receiver((request, response) => {
      request.resume();
      response.setHeader('X-A', 'b').end('0123456789abcdef');
    });
    const outcome = await send(post(`http://127.0.0.1:${port}/`), options(agents()));
    expect(outcome).toMatchObject({ status: 200, body: '0123456789', error: null });
    expect(outcome.headers['x-a']).toBe('b');
  });

  test('anything but 2XX is a failure, redirects too', async () => {
    const port = await receiver((request, response) => {
      response.writeHead(request.url === '/moved' ? 302 : 500, { Location: '/' }).end('no');
    });
    expect((await send(post(`http://127.0.0.1:${port}/`), options(agents()))).error).toEqual({
      kind: 'status',
      text: 'The receiver answered 500',
    });
    expect(await send(post(`http://127.0.0.1:${port}/moved`), options(agents()))).toMatchObject({
      status: 302,
      error: { kind: 'status' },
    });
  });

  test('redirects are followed when the settings say so, under the policy, without credentials for others', async () => {
    const seen: Record<string, unknown>[] = [];
    const other = await receiver((request, response) => {
      seen.push({ method: request.method, ...request.headers });
      response.end('there');
    });
    const port = await receiver((request, response) => {
      const to = request.url === '/metadata' ? 'http://169.254.169.254/latest' : `http://127.0.0.1:${other}/`;
      response.writeHead(307, { Location: to }).end();
    });
    expect(await send(post(`http://127.0.0.1:${port}/`), options(agents(), { maxRedirects: 2 }))).toMatchObject({
      status: 200,
      body: 'there',
    });
    expect(seen[0]).toMatchObject({ method: 'POST', 'x-hook-signature': 'sig' });
    expect(seen[0]).not.toHaveProperty('authorization');
    expect(
      (await send(post(`http://127.0.0.1:${port}/metadata`), options(agents(), { maxRedirects: 2 }))).error?.kind,
    ).toBe('policy');
  });

  test('total time is limited, for silent and for dripping receivers', async () => {
    const silent = await receiver(() => undefined);
    const dripping = await receiver((_, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('x'), 50);
      closing.push(() => clearInterval(timer));
    });
    for (const port of [silent, dripping]) {
      const outcome = await send(
        post(`http://127.0.0.1:${port}/`),
        options(agents(), { totalTimeoutMs: 300, maxResponseBytes: 1_000_000 }),
      );
      expect(outcome.error).toEqual({ kind: 'timeout', text: 'No complete answer within 300 ms' });
    }
  });

  test('a receiver that is not there, not HTTP, or has no name', async () => {
    const tcp = createTcpServer((socket) => {
      socket.on('error', () => {}).once('data', () => socket.end('nonsense\r\n\r\n'));
    });
    await new Promise<void>((resolve) => {
      tcp.listen(0, '127.0.0.1', resolve);
    });
    const port = (tcp.address() as AddressInfo).port;
    closing.push(() => tcp.close());
    expect((await send(post(`http://127.0.0.1:${port}/`), options(agents()))).error).toEqual({
      kind: 'response',
      text: expect.any(String),
    });
    await new Promise((resolve) => {
      tcp.close(resolve);
    });
    expect((await send(post(`http://127.0.0.1:${port}/`), options(agents()))).error?.kind).toBe('connection');
    expect((await send(post('http://does-not-exist.invalid/'), options(agents()))).error?.kind).toBe('dns');
  });

  test.each([
    'http://127.0.0.1:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f000001:PORT/',
    'http://0177.0.0.1:PORT/',
    'http://127.1:PORT/',
    'http://localhost:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://user@127.0.0.1:PORT/',
  ])('the policy sees the address behind %s', async (pattern) => {
    let reached = false;
    const port = await receiver((_, response) => {
      reached = true;
      response.end();
    });
    const url = pattern.replace('PORT', String(port));
    expect((await send(post(url), options(agents({ allowPrivate: false })))).error?.kind).toBe('policy');
    expect(reached).toBe(false);
  });
});

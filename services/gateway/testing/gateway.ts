import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { GrpcServer } from '@cadastre/service/grpc';
import { testKeys } from '../../../tools/testing/secrets/keys.ts';
import { endAll, gatewayAlone, startAuth } from './fixtures.ts';
import { background } from '@cadastre/service/collections';
import type { GatewayParts } from '../start.ts';

export const keys = testKeys('gateway', 'auth');

const served = [
  { app: 'dcim', path: 'sites', service: 'dcim' },
  { app: 'dcim', path: 'regions', service: 'dcim' },
  { app: 'users', path: 'tokens', service: 'auth' },
  { app: 'ipam', path: 'vlans', service: 'ipam' },
  { app: 'extras', path: 'tags', service: 'raw' },
  ...background,
];

const tokens: Record<
  string,
  { id: number; write_enabled: boolean; expires: string; allowed_ips: string[]; error?: string }
> = {
  good: { id: 1, write_enabled: true, expires: '', allowed_ips: [] },
  readonly: { id: 2, write_enabled: false, expires: '', allowed_ips: [] },
  bound: { id: 3, write_enabled: true, expires: '', allowed_ips: ['192.0.2.0/24'] },
  old: { id: 4, write_enabled: true, expires: '2020-01-01T00:00:00Z', allowed_ips: [] },
  disabled: { id: 5, write_enabled: true, expires: '', allowed_ips: [], error: 'Token disabled' },
};

export let verified: string[] = [];

const startTokens = () =>
  startAuth(keys('auth'), ({ version, plaintext }) => {
    verified.push(plaintext);
    const token = tokens[plaintext];
    if (!token) return { ok: false, error: `Invalid v${version} token` };
    return {
      ok: !token.error,
      error: token.error ?? '',
      user: { id: 7, username: 'ada', superuser: true, active: true },
      token: { ...token, enabled: true, version },
      permissions_version: 42,
    };
  });

type Seen = { method: string; url: string; headers: IncomingMessage['headers']; body: string };
export let seen: Seen[] = [];

export const openapi = {
  openapi: '3.1.0',
  paths: { '/api/dcim/sites/': { get: { responses: {} } } } as Record<string, unknown>,
  components: { schemas: { Site: { type: 'object' } } },
};

/** A service that reports what reached it; some paths misbehave. */
function upstream(req: IncomingMessage, res: ServerResponse): void {
  const chunks: Buffer[] = [];
  req
    .on('data', (chunk: Buffer) => chunks.push(chunk))
    .on('end', () => {
      const { method = '', url = '', headers } = req;
      if (url === '/internal/openapi.json') return void res.setHeader('ETag', '"1"').end(JSON.stringify(openapi));
      if (url === '/internal/workers') return void res.end('{"running": 3}');
      seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      if (url.includes('silent')) return;
      if (url.includes('halfway'))
        return void res.writeHead(200, { 'content-length': 100 }).write('half', () => res.destroy());
      res.setHeader('Content-Type', 'application/json');
      res.setHeader('Allow', 'GET, POST');
      res.setHeader('Vary', 'X-Of-Service');
      // Like real services: a write reports its position in the outbox, and a service confirms the writes of others
      // that it was told of.
      if (method === 'POST')
        res.setHeader('x-cadastre-write-position', `${url.split('/')[2] === 'users' ? 'auth' : 'dcim'}:5-6:1`);
      if (headers['x-cadastre-pending-writes'] !== undefined)
        res.setHeader('x-cadastre-followed-writes', headers['x-cadastre-pending-writes']);
      res.statusCode = method === 'POST' ? 201 : method === 'DELETE' ? 204 : 200;
      res.end(method === 'DELETE' ? undefined : JSON.stringify({ size: Buffer.concat(chunks).length }));
    });
}

export let service: Server, parts: GatewayParts, base: string;
let raw: TcpServer;
let grpc: GrpcServer;

const listening = async (server: Server | TcpServer) => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const environment = (url: string, rawUrl: string, more: Record<string, string> = {}) => ({
  ...keys('gateway'),
  AUTH_GRPC_ADDRESS: `127.0.0.1:${grpc.port}`,
  AUTH_HTTP_URL: url,
  DCIM_HTTP_URL: url,
  WEBHOOKS_HTTP_URL: url,
  IPAM_HTTP_URL: 'http://127.0.0.1:1',
  RAW_HTTP_URL: rawUrl,
  ...more,
});

let urls: [string, string];

export async function start(more?: Record<string, string>): Promise<{ parts: GatewayParts; base: string }> {
  const made = gatewayAlone(environment(...urls, more), { served, files: [{ folder: 'photos', service: 'dcim' }] });
  return { parts: made, base: `http://127.0.0.1:${await made.http.listen(0, '127.0.0.1')}` };
}

beforeAll(async () => {
  service = createServer(upstream);
  raw = createTcpServer((socket) => {
    socket.on('error', () => {}).once('data', () => socket.end('this is not HTTP\r\n\r\n'));
  });
  grpc = await startTokens();
  urls = [await listening(service), await listening(raw)];
  ({ parts, base } = await start());
});

afterAll(() => endAll(parts, grpc, service, raw));

beforeEach(() => {
  seen = [];
  verified = [];
  parts.invalidate('all');
});

export const call = (
  path: string,
  { token = 'good', ...init }: RequestInit & { token?: string | null } = {},
  at = base,
) =>
  fetch(at + path, {
    redirect: 'manual',
    ...init,
    headers: {
      ...(token === null ? {} : { authorization: `Token ${token}` }),
      ...(init.headers as Record<string, string>),
    },
  });

/** Does the work with a gateway of other settings. */
export const within = async (more: Record<string, string>, work: (at: string) => Promise<void>) => {
  const other = await start(more);
  try {
    await work(other.base);
  } finally {
    await other.parts.http.close();
    other.parts.close();
  }
};

export const detail = async (response: Response) =>
  `${response.status} ${((await response.json()) as { detail: string }).detail}`;

/**
 * Sends a request of arbitrary bytes and returns all that comes back until the connection is closed, or nothing more
 * has come for a while.
 */
export const bytes = (text: string, idleMs = 30_000, at = base) =>
  new Promise<string>((done) => {
    let answer = '';
    const socket = connect(Number(new URL(at).port), '127.0.0.1', () => socket.write(text));
    socket
      .on('data', (chunk) => {
        answer += chunk;
      })
      .on('close', () => done(answer))
      .on('error', () => done(answer))
      .setTimeout(idleMs, () => socket.destroy());
  });

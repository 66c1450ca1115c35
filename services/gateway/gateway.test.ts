import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { loadConfig } from '@cadastre/service/config';
import type { GrpcServer } from '@cadastre/service/grpc';
import { createIdentityVerifier } from '@cadastre/service/identity';
import { identityKeys } from '@cadastre/service/key-pairs';
import { parse } from 'yaml';
import { testKeys } from '../../tools/testing/keys.ts';
import { endAll, gatewayAlone, startAuth } from './fixtures.ts';
import { background } from './routes.ts';
import type { GatewayParts } from './start.ts';

const keys = testKeys('gateway', 'auth');
const verifyIdentity = createIdentityVerifier(identityKeys(loadConfig(keys('gateway'))));
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
let verified: string[] = [];
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
let seen: Seen[] = [];
const openapi = {
  openapi: '3.1.0',
  paths: { '/api/dcim/sites/': { get: { responses: {} } } } as Record<string, unknown>,
  components: { schemas: { Site: { type: 'object' } } },
};

/** A service that tells what reached it; some paths misbehave. */
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
      // As services do: a write tells what it put into the outbox, and whoever was told of others' writes knows of
      // them.
      if (method === 'POST')
        res.setHeader('x-cadastre-written', `${url.split('/')[2] === 'users' ? 'auth' : 'dcim'}:5-6:1`);
      if (headers['x-cadastre-unseen'] !== undefined) res.setHeader('x-cadastre-seen', headers['x-cadastre-unseen']);
      res.statusCode = method === 'POST' ? 201 : method === 'DELETE' ? 204 : 200;
      res.end(method === 'DELETE' ? undefined : JSON.stringify({ size: Buffer.concat(chunks).length }));
    });
}

let service: Server, raw: TcpServer, grpc: GrpcServer, parts: GatewayParts, base: string;
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

async function start(more?: Record<string, string>): Promise<{ parts: GatewayParts; base: string }> {
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

const call = (path: string, { token = 'good', ...init }: RequestInit & { token?: string | null } = {}, at = base) =>
  fetch(at + path, {
    redirect: 'manual',
    ...init,
    headers: {
      ...(token === null ? {} : { authorization: `Token ${token}` }),
      ...(init.headers as Record<string, string>),
    },
  });
/** Work with a gateway of other settings. */
const within = async (more: Record<string, string>, work: (at: string) => Promise<void>) => {
  const other = await start(more);
  try {
    await work(other.base);
  } finally {
    await other.parts.http.close();
    other.parts.close();
  }
};
const detail = async (response: Response) =>
  `${response.status} ${((await response.json()) as { detail: string }).detail}`;

/**
 * A request with whatever bytes, and all that comes back until the connection is closed, or nothing more has come for a
 * while.
 */
const bytes = (text: string, idleMs = 30_000, at = base) =>
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

describe('what has been written', () => {
  const unseen = () => seen.map(({ headers }) => headers['x-cadastre-unseen']);
  test('is told to other services until they know of it, and never by clients or to them', async () => {
    const written = await call('/api/dcim/sites/', { method: 'POST', headers: { 'x-cadastre-unseen': 'auth:1-9:*' } });
    for (let i = 0; i < 2; i++)
      for (const path of ['/api/dcim/sites/', '/api/users/tokens/'])
        expect([...(await call(path)).headers.keys()].filter((name) => name.startsWith('x-cadastre'))).toEqual([]);
    expect(unseen()).toEqual([undefined, undefined, 'dcim:5-6:1', undefined, undefined]);
    expect([...written.headers.keys()].filter((name) => name.startsWith('x-cadastre'))).toEqual([]);
  });
  test('is carried by a client to another gateway, which believes nobody else', async () => {
    const position = (await call('/api/dcim/sites/', { method: 'POST' })).headers.get('x-write-position')!;
    await call('/api/users/tokens/');
    seen = [];
    await within({}, async (at) => {
      for (const said of ['dcim:5-6:1', `${position}x`, position, position])
        await call('/api/users/tokens/', { headers: { 'x-write-position': said } }, at);
    });
    expect(unseen()).toEqual([undefined, undefined, 'dcim:5-6:1', undefined]);
  });
  test('in the auth service counts for the next request, whoever sends it', async () => {
    await call('/api/dcim/sites/');
    await call('/api/dcim/sites/');
    expect(verified).toEqual(['good']);
    const { headers } = await call('/api/users/tokens/', { method: 'POST' });
    await call('/api/dcim/sites/');
    expect(verified).toEqual(['good', 'good']);
    await within({}, async (at) => {
      await call('/api/dcim/sites/', {}, at);
      await call('/api/dcim/sites/', { headers: { 'x-write-position': headers.get('x-write-position')! } }, at);
      expect(verified).toEqual(['good', 'good', 'good', 'good']);
    });
  });
});

describe('identity', () => {
  test('a service gets a signed identity, the client and the address it used, and no credentials', async () => {
    const response = await call('/api/dcim/sites/?q=x', { headers: { cookie: 'a=b', 'x-forwarded-for': '192.0.2.9' } });
    expect(response.status).toBe(200);
    const { headers, url } = seen[0]!;
    expect(url).toBe('/api/dcim/sites/?q=x');
    expect(await verifyIdentity(String(headers['x-cadastre-identity']))).toEqual({
      anonymous: false,
      userId: 7,
      username: 'ada',
      superuser: true,
      permissionsVersion: 42,
      tokenId: 1,
      writeEnabled: true,
    });
    expect(headers).toMatchObject({ 'x-cadastre-client-ip': '192.0.2.9', 'x-cadastre-base': base });
    expect(headers.authorization).toBeUndefined();
    expect(headers.cookie).toBeUndefined();
    expect(headers['x-request-id']).toBe(response.headers.get('x-request-id'));
  });

  test('what a client says about identity and request id is dropped', async () => {
    const response = await call('/api/dcim/sites/', {
      headers: {
        'X-Cadastre-Identity': 'forged',
        'x-cadastre-base': 'http://evil',
        'x-cadastre-more': '1',
        'x-request-id': '11111111-1111-4111-8111-111111111111',
      },
    });
    expect(response.headers.get('x-request-id')).not.toMatch(/^1111/);
    expect(seen[0]!.headers['x-cadastre-identity']).not.toBe('forged');
    expect(seen[0]!.headers['x-cadastre-base']).toBe(base);
    expect(seen[0]!.headers['x-cadastre-more']).toBeUndefined();
  });

  test('refusals, without any service being asked', async () => {
    const refused = async (token: string | null, init: RequestInit = {}) =>
      detail(await call('/api/dcim/sites/', { token, ...init }));
    expect(await refused(null)).toBe('403 Authentication credentials were not provided.');
    expect(await refused(null, { method: 'POST', body: '{}' })).toBe(
      '403 Authentication credentials were not provided.',
    );
    expect(await refused('nobody')).toBe('403 Invalid v1 token');
    expect(await refused('svc_key.nobody')).toBe('403 Invalid v2 token');
    expect(await refused('a b')).toMatch(/^403 Invalid authorization header: Must be/);
    expect(await refused('disabled')).toBe('403 Token disabled');
    expect(await refused('old')).toBe('403 Token expired');
    expect(await refused('bound')).toBe('403 Source IP 127.0.0.1 is not permitted to authenticate using this token.');
    expect(await refused('readonly', { method: 'PATCH', body: '[]' })).toBe(
      '403 You do not have permission to perform this action.',
    );
    expect(seen).toEqual([]);
    expect(
      (await call('/api/dcim/sites/', { token: 'bound', headers: { 'x-forwarded-for': '192.0.2.7' } })).status,
    ).toBe(200);
    expect((await call('/api/dcim/sites/', { token: 'readonly' })).status).toBe(200);
    expect((await call('/api/dcim/sites/', { token: 'readonly', method: 'OPTIONS' })).status).toBe(200);
  });

  test('what a client says of its address and ours counts for nothing where nobody is trusted', () =>
    within({ TRUSTED_PROXIES: 'none' }, async (at) => {
      const headers = {
        'x-forwarded-for': '192.0.2.7',
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'https',
      };
      expect(await detail(await call('/api/dcim/sites/', { token: 'bound', headers }, at))).toBe(
        '403 Source IP 127.0.0.1 is not permitted to authenticate using this token.',
      );
      expect((await call('/api/dcim/sites/', { headers }, at)).headers.get('strict-transport-security')).toBeNull();
      expect(seen[0]!.headers).toMatchObject({ 'x-cadastre-client-ip': '127.0.0.1', 'x-cadastre-base': at });
    }));

  test('a host that is not ours is refused, whoever names it and whatever is asked for', () =>
    within({ ALLOWED_HOSTS: '.cadastre.example, 127.0.0.1' }, async (at) => {
      const asked = (host: string, path = '/api/dcim/sites/', more = '') =>
        bytes(
          `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Token good\r\n${more}Connection: close\r\n\r\n`,
          30_000,
          at,
        );
      for (const host of ['cadastre.example', 'WWW.Cadastre.Example:8443', 'cadastre.example.'])
        expect(await asked(host)).toMatch(/^HTTP\/1\.1 200 /);
      expect(await asked('inner', undefined, 'X-Forwarded-Host: cadastre.example\r\n')).toMatch(/^HTTP\/1\.1 200 /);
      for (const path of ['/api/dcim/sites/', '/api/', '/', '/api/schema/', '/login/', '/nowhere/']) {
        for (const answer of [
          await asked('evil.example', path),
          await asked('cadastre.example', path, 'X-Forwarded-Host: evil.example\r\n'),
          await asked('xcadastre.example', path),
        ]) {
          expect(answer).toMatch(/^HTTP\/1\.1 400 (?!.*evil).*does not answer to the host/s);
        }
      }
    }));

  test('a token is verified once, until something about it changes', async () => {
    await Promise.all(Array.from({ length: 10 }, () => call('/api/dcim/sites/')));
    expect(verified).toEqual(['good']);
    parts.changed({ objectType: 'users.token', objectId: 2 });
    await call('/api/dcim/sites/');
    expect(verified).toEqual(['good']);
    parts.changed({ objectType: 'users.token', objectId: 1 });
    await call('/api/dcim/sites/');
    expect(verified).toEqual(['good', 'good']);
  });

  test('a first token is had without one', async () => {
    expect((await call('/api/users/tokens/provision/', { token: null, method: 'POST', body: '{}' })).status).toBe(201);
    expect(await verifyIdentity(String(seen[0]!.headers['x-cadastre-identity']))).toEqual({ anonymous: true });
    expect((await call('/api/users/tokens/', { token: null, method: 'POST', body: '{}' })).status).toBe(403);
  });
});

describe('modes', () => {
  test('maintenance: reading goes on, writing is 503', () =>
    within({ MAINTENANCE_MODE: 'true' }, async (at) => {
      expect((await call('/api/dcim/sites/', {}, at)).status).toBe(200);
      const refused = await call('/api/dcim/sites/', { method: 'POST', body: '{}' }, at);
      expect(refused.headers.get('retry-after')).toBe('60');
      expect(await detail(refused)).toMatch(/^503 The system is in maintenance mode/);
      expect(await detail(await call('/api/dcim/sites/', { method: 'POST', body: '{}', token: null }, at))).toMatch(
        /^403/,
      );
    }));
  test('exempted reading: services are asked on behalf of nobody, the own views are not open', () =>
    within({ EXEMPT_VIEW_PERMISSIONS: 'dcim.site' }, async (at) => {
      expect((await call('/api/dcim/sites/', { token: null }, at)).status).toBe(200);
      expect(await verifyIdentity(String(seen[0]!.headers['x-cadastre-identity']))).toEqual({ anonymous: true });
      expect((await call('/api/dcim/sites/', { token: null, method: 'POST', body: '{}' }, at)).status).toBe(403);
      expect((await call('/api/', { token: null }, at)).status).toBe(403);
    }));
  test('without the auth service nobody comes in, and it says when to try again', () =>
    within({ AUTH_GRPC_ADDRESS: '127.0.0.1:1', GRPC_TIMEOUT_MS: '200' }, async (at) => {
      const refused = await call('/api/dcim/sites/', {}, at);
      expect(refused.headers.get('retry-after')).toBe('1');
      expect(await detail(refused)).toBe('503 Tokens cannot be checked at present. Please try again.');
      expect(seen).toEqual([]);
    }));
  test('without required login the root is open', () =>
    within({ LOGIN_REQUIRED: 'false' }, async (at) => {
      expect((await call('/api/', { token: null }, at)).status).toBe(200);
      expect(await detail(await call('/api/', { token: 'nobody' }, at))).toBe('403 Invalid v1 token');
    }));
});

describe('passing on', () => {
  test('status, headers and bodies of any size go through', async () => {
    const body = 'x'.repeat(3_000_000),
      response = await call('/api/dcim/sites/', { method: 'POST', body });
    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({ size: body.length });
    expect(response.headers.get('allow')).toBe('GET, POST');
    expect(response.headers.get('vary')).toBe('Accept, Authorization, Cookie, X-Of-Service');
    expect(response.headers.get('api-version')).toBe('4.6');
    expect((await call('/api/dcim/sites/1/', { method: 'DELETE' })).status).toBe(204);
    expect((await call('/api/dcim/sites/', { method: 'DELETE', body: '[{"id": 1}]' })).status).toBe(204);
    expect(seen.at(-1)!.body).toBe('[{"id": 1}]');
    const head = await call('/api/dcim/sites/', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  test('a body without a length is streamed', async () => {
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('ab'));
        controller.enqueue(new TextEncoder().encode('cd'));
        controller.close();
      },
    });
    expect(
      await (await call('/api/dcim/sites/', { method: 'POST', body: stream, duplex: 'half' } as RequestInit)).json(),
    ).toEqual({ size: 4 });
  });

  test('connections of the client are its own affair', async () => {
    const auth = 'Host: h\r\nAuthorization: Token good\r\n';
    const closed = await bytes(
      `GET /api/dcim/sites/ HTTP/1.1\r\n${auth}Connection: close\r\nUpgrade: x\r\nTE: trailers\r\n\r\n`,
    );
    expect(closed).toMatch(/^HTTP\/1\.1 200 .*connection: close/is);
    expect(seen[0]!.headers).toMatchObject({ connection: 'keep-alive' });
    expect(seen[0]!.headers.upgrade).toBeUndefined();
    expect(await bytes(`GET /api/dcim/sites/ HTTP/1.0\r\n${auth}\r\n`)).toMatch(/^HTTP\/1\.[01] 200 /);
    const two = `GET /api/dcim/sites/ HTTP/1.1\r\n${auth}\r\n`;
    expect((await bytes(two + two, 3_000)).match(/HTTP\/1\.1 200/g)).toHaveLength(2);
  });

  test('a service that is silent', () =>
    within({ PROXY_TIMEOUT_MS: '300' }, async (at) => {
      expect(await detail(await call('/api/dcim/sites/silent/', {}, at))).toBe(
        '504 The dcim service did not answer in time.',
      );
      expect(await detail(await call('/api/dcim/sites/silent/', { method: 'POST', body: '{}' }, at))).toMatch(/^504/);
    }));

  test('services that are down, broken or strange', async () => {
    const down = await call('/api/ipam/vlans/');
    expect(down.headers.get('retry-after')).toBe('1');
    expect(await detail(down)).toBe('503 The ipam service is not available. Please try again.');
    expect(await detail(await call('/api/ipam/vlans/', { method: 'POST', body: '{}' }))).toMatch(/^503/);
    expect(await detail(await call('/api/extras/tags/'))).toBe('502 The raw service gave an answer that is not HTTP.');
    await expect(call('/api/dcim/sites/halfway/').then((response) => response.text())).rejects.toThrow();
    expect((await call('/api/dcim/sites/')).status).toBe(200);
  });

  test('a client that goes away harms nobody', async () => {
    await Promise.all(
      Array.from(
        { length: 20 },
        (_, i) =>
          new Promise<void>((done) => {
            const sent = request(`${base}/api/dcim/sites/${i % 2 ? 'silent' : i}/`, {
              method: 'POST',
              headers: { authorization: 'Token good', 'content-length': 1000 },
            });
            sent
              .on('error', () => done())
              .on('close', () => done())
              .write('x');
            setTimeout(() => sent.destroy(), 5 + i);
          }),
      ),
    );
    expect((await call('/api/dcim/sites/')).status).toBe(200);
  });

  test('whatever bytes come, the process lives', async () => {
    const lines = [
      'GET / HTTP/9.9',
      'GET',
      '\0\x01\x02',
      `GET /${'a'.repeat(70_000)} HTTP/1.1`,
      'GET /%E0%A4%A/ HTTP/1.1',
      'GET /api/dcim/sites/%00/ HTTP/1.1',
      'OPTIONS * HTTP/1.1',
      'GET http://other/api/dcim/sites/ HTTP/1.1',
      'BREW /api/dcim/sites/ HTTP/1.1',
      'CONNECT a:1 HTTP/1.1',
      'TRACE /api/dcim/sites/ HTTP/1.1',
      'GET //evil.example/ HTTP/1.1',
      'GET /api/schema/swagger-ui/../../../../package.json HTTP/1.1',
    ];
    const headers = [
      'Authorization: Token good',
      `X-Long: ${'x'.repeat(100_000)}`,
      'Content-Length: -1',
      'Content-Length: 5\r\nTransfer-Encoding: chunked',
      'Transfer-Encoding: gzip',
      'Connection: upgrade\r\nUpgrade: websocket',
      'Authorization: Bearer svc_\xff.\xfe',
      'Accept: application/json; indent=99999999999999999999',
    ];
    await Promise.all(
      lines.flatMap((line) =>
        headers.map((header) => bytes(`${line}\r\nHost: h\r\nConnection: close\r\n${header}\r\n\r\n{}`, 1_000)),
      ),
    );
    expect((await call('/api/dcim/sites/')).status).toBe(200);
  });

  test('a service that is restarted between two requests is asked again, not given up', async () => {
    await call('/api/dcim/sites/');
    // What a restart does to kept-alive connections, as late as possible: when the next request has been written to
    // them.
    service.once('request', (req) => req.socket.destroy());
    expect((await call('/api/dcim/sites/')).status).toBe(200);
  });
});

describe('paths', () => {
  test('unknown ones are 404 as JSON, with the usual headers', async () => {
    for (const path of [
      '/api/nope/',
      '/api/dcim/nope/',
      '/api/dcim/nope',
      '/nope',
      '/api/dcim/sites/../../internal/workers',
      '/api/dcim/sites/%2e%2e/x/',
      '/internal/workers',
    ]) {
      const answer = await bytes(`GET ${path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 404 /);
      expect(answer).toMatch(/API-Version: 4\.6/i);
      expect(answer).toContain('{"detail":"Not found."}');
    }
    expect(seen).toEqual([]);
  });

  test('a missing slash is put right for reading only, without asking who it is', async () => {
    for (const [path, to] of [
      ['/api/dcim/sites', '/api/dcim/sites/'],
      ['/api/dcim/sites/1?a=/b&c', '/api/dcim/sites/1/?a=/b&c'],
      ['/api', '/api/'],
      ['/api/dcim', '/api/dcim/'],
      ['/api/schema/swagger-ui', '/api/schema/swagger-ui/'],
    ]) {
      const response = await call(path!, { token: null });
      expect([response.status, response.headers.get('location')]).toEqual([302, to]);
      expect(response.headers.get('x-request-id')).not.toBeNull();
    }
    expect(await detail(await call('/api/dcim/sites', { method: 'POST', body: '{}' }))).toBe('404 Not found.');
  });

  test('a Host that cannot stand in a URL is refused', async () => {
    expect(
      await bytes(
        'GET /api/dcim/sites/ HTTP/1.1\r\nHost: a"b\r\nAuthorization: Token good\r\nConnection: close\r\n\r\n',
      ),
    ).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe('own answers', () => {
  const json = async (path: string, init?: RequestInit & { token?: string | null }) => (await call(path, init)).json();
  test('the hierarchy', async () => {
    expect(await json('/api/')).toEqual(
      Object.fromEntries(
        ['core', 'dcim', 'extras', 'ipam', 'plugins', 'status', 'users'].map((name) => [name, `${base}/api/${name}/`]),
      ),
    );
    const dcim = await (await call('/api/dcim/', { headers: { accept: 'application/json; indent=2' } })).text();
    expect(dcim).toBe(`{\n  "regions": "${base}/api/dcim/regions/",\n  "sites": "${base}/api/dcim/sites/"\n}`);
    expect(await json('/api/plugins/')).toEqual({ 'installed-plugins': `${base}/api/plugins/installed-plugins/` });
    expect(await json('/api/plugins/installed-plugins/')).toEqual([]);
    expect(await json('/api/', { method: 'OPTIONS' })).toMatchObject({ name: 'API Root' });
    expect(await json('/api/', { method: 'POST' })).toEqual({ detail: 'Method "POST" not allowed.' });
    expect(await json('/api/', { token: null })).toEqual({ detail: 'Authentication credentials were not provided.' });
  });

  test('the status', async () => {
    expect(await json('/api/status/')).toEqual({
      hostname: expect.any(String),
      installed_apps: {},
      'netbox-version': '4.6.8',
      'netbox-full-version': '4.6.8',
      plugins: {},
      'rq-workers-running': 3,
    });
  });

  test('the schema, as JSON and YAML, revalidated', async () => {
    const response = await call('/api/schema/', { token: null });
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const document = (await response.json()) as Record<string, unknown>;
    expect(document).toMatchObject({
      openapi: '3.1.0',
      paths: openapi.paths,
      info: { 'x-missing-services': ['ipam', 'raw'] },
    });
    expect(parse(await (await call('/api/schema/?format=yaml')).text())).toEqual(document);
    expect(
      (await call('/api/schema/', { headers: { accept: 'application/vnd.oai.openapi' } })).headers.get('content-type'),
    ).toMatch(/^application\/vnd\.oai\.openapi/);
    expect(
      (
        await call('/api/schema/', {
          headers: { 'if-none-match': response.headers.get('etag')!, 'cache-control': 'max-age=0' },
        })
      ).status,
    ).toBe(304);
    expect((await call('/api/schema/?format=toml')).status).toBe(406);
    expect((await call('/api/schema/', { method: 'POST' })).status).toBe(405);
  });

  test('the schema of one app, and compressed for those who can read that', async () => {
    openapi.paths['/api/dcim/regions/'] = { get: { responses: {} } };
    const other = await start();
    try {
      const whole = (await (await call('/api/schema/', {}, other.base)).json()) as { info: object };
      expect(await (await call('/api/schema/?app=dcim', {}, other.base)).json()).toMatchObject({
        info: whole.info,
        paths: openapi.paths,
        components: { securitySchemes: {} },
      });
      expect(await detail(await call('/api/schema/?app=nope', {}, other.base))).toMatch(
        /^404 There is no app of this name/,
      );
      expect(await (await call('/api/schema/swagger-ui/apps.json', { token: null }, other.base)).json()).toEqual([
        'core',
        'dcim',
      ]);
    } finally {
      delete openapi.paths['/api/dcim/regions/'];
      await other.parts.http.close();
      other.parts.close();
    }
    const packed = await bytes(
      'GET /api/schema/ HTTP/1.1\r\nHost: h\r\nConnection: close\r\nAccept-Encoding: gzip\r\n\r\n',
    );
    expect(packed).toMatch(/content-encoding: gzip/i);
    expect(await bytes('GET /api/schema/ HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n')).not.toMatch(
      /content-encoding/i,
    );
  });

  test('the documentation comes from here alone', async () => {
    const page = await call('/api/schema/swagger-ui/', { token: null });
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    const text = await page.text();
    expect(text).not.toMatch(/https?:/);
    for (const [, file] of text.matchAll(/(?:src|href)="([^"]+)"/g)) {
      const asset = await call(`/api/schema/swagger-ui/${file}`, { token: null });
      expect(asset.status).toBe(200);
      await asset.arrayBuffer();
    }
    expect(await (await call('/', { token: null })).text()).toContain('href="/api/schema/swagger-ui/"');
  });
});

test('files are asked for at the service that keeps them, by who is known', async () => {
  expect((await call('/media/photos/a_b.png')).status).toBe(200);
  expect(seen.at(-1)).toMatchObject({ url: '/media/photos/a_b.png' });
  expect((await call('/media/photos/a_b.png', { token: null })).status).toBe(403);
  for (const path of ['/media/other/a.png', '/media/', '/media/photos/%2e%2e/x'])
    expect((await call(path)).status).toBe(404);
});

// The way to the web pages, with a service behind the gateway that tells what has reached it.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadConfig } from '@cadastre/service/config';
import type { GrpcServer } from '@cadastre/service/grpc';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { testKeys } from '../../../tools/testing/secrets/keys.ts';
import { endAll, gatewayAlone, startAuth } from '../testing/fixtures.ts';
import { csrfTokens } from '../identify/csrf-tokens.ts';
import { sessions } from '../identify/sessions.ts';
import type { GatewayParts } from '../start.ts';

const keys = testKeys('gateway', 'auth');
type Seen = { method: string; url: string; headers: IncomingMessage['headers']; body: string };
let seen: Seen[] = [];
let service: Server;
let auth: GrpcServer;
let parts: GatewayParts;
let open: (more?: Record<string, string>) => GatewayParts;
let base: string;
let ended = false;

const config = loadConfig(keys('gateway'));
const secret = config.serviceSecret!;
const csrf = csrfTokens(secret, 3_600);
const cookieOf = (userId: number) => sessions(secret, 3_600).begin(userId, 'stamp');
const sessionOf = async (cookie: string) => (await sessions(secret, 3_600).open(cookie))!;

beforeAll(async () => {
  service = createServer((req, res) => {
    let body = '';
    req.on('data', (chunk: Buffer) => (body += chunk.toString('latin1')));
    req.on('end', () => {
      const { method = '', url = '', headers } = req;
      seen.push({ method, url, headers, body });
      if (method === 'POST') res.setHeader('x-cadastre-write-position', 'dcim:5-6:1,ipam:7-8:1');
      res.end('a page');
    });
  });
  await new Promise<void>((done) => service.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  auth = await startAuth(
    keys('auth'),
    () => ({
      ok: true,
      user: { id: 7, username: 'ada', superuser: true, active: true },
      token: { id: 1, write_enabled: true, expires: '', allowed_ips: [], enabled: true, version: 1 },
      permissions_version: 1,
    }),
    ({ user_id }) =>
      ended
        ? { ok: false }
        : { ok: true, user: { id: user_id, username: 'ada', superuser: false, active: true }, permissions_version: 1 },
  );
  const env = {
    ...keys('gateway'),
    AUTH_GRPC_ADDRESS: `127.0.0.1:${auth.port}`,
    AUTH_HTTP_URL: url,
    WEB_HTTP_URL: url,
    DCIM_HTTP_URL: url,
  };
  open = (more = {}) =>
    gatewayAlone(
      { ...env, ...more },
      { served: [{ app: 'dcim', path: 'sites', service: 'dcim' }], web: new Set(['', 'dcim', 'search']) },
    );
  parts = open();
  base = `http://127.0.0.1:${await parts.http.listen(0, '127.0.0.1')}`;
});
afterAll(() => endAll(parts, auth, service));
beforeEach(() => {
  seen = [];
  ended = false;
  parts.invalidate('all');
});

let cookie: string;
beforeEach(async () => {
  cookie = await cookieOf(7);
});
const csrfToken = async (of = cookie): Promise<string> => csrf.issue('session', (await sessionOf(of)).id);
const visit = (path: string, { headers, ...init }: RequestInit = {}) =>
  fetch(base + path, {
    redirect: 'manual',
    ...init,
    headers: { cookie: `cadastre_session=${cookie}`, ...(headers as Record<string, string>) },
  });
const send = (fields: Record<string, string>, init: RequestInit = {}) =>
  visit('/dcim/sites/add/', { method: 'POST', body: new URLSearchParams(fields), ...init });

describe('a page', () => {
  test('goes to the service in the name of who has logged in, without the cookie', async () => {
    const response = await visit('/dcim/sites/?q=a&page=2', {
      headers: { 'x-cadastre-identity': 'forged', 'x-cadastre-csrf-token': 'forged', 'x-cadastre-base': 'http://evil' },
    });
    expect([response.status, await response.text()]).toEqual([200, 'a page']);
    const [{ url, headers }] = seen as [Seen];
    expect([url, headers.cookie, headers.authorization, headers['x-cadastre-base']]).toEqual([
      '/dcim/sites/?q=a&page=2',
      undefined,
      undefined,
      base,
    ]);
    expect(headers['x-cadastre-identity']).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    // The CSRF token for its forms is valid for this session only.
    const { id } = await sessionOf(cookie);
    const given = String(headers['x-cadastre-csrf-token']);
    expect([csrf.verify(given, 'session', id), csrf.verify(given, 'session', 'another')]).toEqual([true, false]);
  });

  test('asks whoever has not logged in to do so, and leads back', async () => {
    const nobody = { headers: { cookie: '' } };
    const response = await visit('/dcim/sites/?q=a', nobody);
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      `/login/?next=${encodeURIComponent('/dcim/sites/?q=a')}`,
    ]);
    expect((await visit('/search/', nobody)).headers.get('location')).toContain('/login/');
    // First-time visitors get the start page.
    expect((await visit('/', nobody)).status).not.toBe(303);
    ended = true;
    parts.invalidate('all');
    expect((await visit('/dcim/sites/')).headers.get('location')).toContain('/login/');
    expect(seen).toEqual([]);
  });

  test('asks for the login where nothing may be read without one, too', async () => {
    const closed = open({ LOGIN_REQUIRED: 'true' });
    const at = `http://127.0.0.1:${await closed.http.listen(0, '127.0.0.1')}`;
    try {
      const response = await fetch(`${at}/dcim/sites/`, { redirect: 'manual' });
      expect([response.status, response.headers.get('location')]).toEqual([303, '/login/?next=%2Fdcim%2Fsites%2F']);
    } finally {
      await closed.http.close();
      closed.close();
    }
  });

  test('is not for tokens, which ask the API', async () => {
    const response = await visit('/dcim/sites/', { headers: { cookie: '', authorization: 'Token x' } });
    expect([response.status, response.headers.get('location')]).toEqual([303, '/login/?next=%2Fdcim%2Fsites%2F']);
  });

  test('has a slash at its end, and reads or takes forms', async () => {
    const moved = await visit('/dcim/sites?q=a');
    expect([moved.status, moved.headers.get('location')]).toEqual([302, '/dcim/sites/?q=a']);
    expect((await visit('/dcim/sites/', { method: 'DELETE' })).status).toBe(405);
    expect((await visit('/dcim/sites/', { method: 'PUT', body: '{}' })).status).toBe(405);
    expect((await visit('/nowhere/')).status).toBe(404);
    expect(seen).toEqual([]);
  });
});

describe('files of the pages', () => {
  test('are for everybody, and nobody is asked who he is', async () => {
    const response = await visit('/static/web/web.0123456789abcdef.css', {
      headers: { authorization: 'Token x', 'x-cadastre-identity': 'forged' },
    });
    expect(response.status).toBe(200);
    const [{ headers }] = seen as [Seen];
    expect([headers.cookie, headers.authorization, headers['x-cadastre-identity']]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('a form', () => {
  test('with the CSRF token of its session first goes on as it is', async () => {
    const fields = { csrf_token: await csrfToken(), name: 'x & y' };
    const response = await send(fields);
    expect(response.status).toBe(200);
    expect(seen[0]).toMatchObject({ method: 'POST', body: new URLSearchParams(fields).toString() });
    expect(seen[0]!.headers['x-cadastre-identity']).toBeDefined();
  });

  test('with a file goes on likewise', async () => {
    const form = new FormData();
    form.set('csrf_token', await csrfToken());
    form.set('image', new Blob(['\x00\x01binary']), 'a.png');
    expect((await visit('/dcim/sites/add/', { method: 'POST', body: form })).status).toBe(200);
    expect(seen[0]!.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(seen[0]!.body).toContain('\x00\x01binary');
  });

  test('of a script brings its CSRF token as a header', async () => {
    const headers = { 'content-type': 'application/json', 'x-csrf-token': await csrfToken() };
    expect((await visit('/dcim/sites/add/', { method: 'POST', body: '{"a":1}', headers })).status).toBe(200);
    expect(seen[0]!.body).toBe('{"a":1}');
  });

  test.each([
    ['none', async () => ({ name: 'x' })],
    ['one that is not the first field', async () => ({ name: 'x', csrf_token: await csrfToken() })],
    ['one of another session', async () => ({ csrf_token: await csrfToken(await cookieOf(7)), name: 'x' })],
    ['one of the login page', async () => ({ csrf_token: csrf.issue('login', 'x'), name: 'x' })],
    [
      'one that is over',
      async () => ({ csrf_token: csrfTokens(secret, -1).issue('session', (await sessionOf(cookie)).id), name: 'x' }),
    ],
    ['one that somebody has made up', async () => ({ csrf_token: `${'n'.repeat(22)}.9999999999.${'s'.repeat(43)}` })],
  ])('with %s is refused, and nobody hears of it', async (_, fields) => {
    const response = await send((await fields()) as Record<string, string>);
    expect([response.status, seen]).toEqual([403, []]);
    expect(await response.text()).toContain('does not come from a page that was opened in this session');
  });

  test('of somebody whose session has ended leads to the login, and back to the page', async () => {
    const fields = { csrf_token: await csrfToken(), name: 'x' };
    ended = true;
    parts.invalidate('all');
    const response = await send(fields, { headers: { referer: `${base}/dcim/sites/add/?site=1` } });
    expect([response.status, response.headers.get('location'), seen]).toEqual([
      303,
      `/login/?next=${encodeURIComponent('/dcim/sites/add/?site=1')}`,
      [],
    ]);
  });

  test('without any session leads there too', async () => {
    const response = await send({ name: 'x' }, { headers: { cookie: '' } });
    expect([response.status >= 300 && response.status < 500, seen]).toEqual([true, []]);
  });

  test('tells the services that are asked next what its page has written in others', async () => {
    expect(
      (await send({ csrf_token: await csrfToken(), name: 'x' })).headers.get('x-cadastre-write-position'),
    ).toBeNull();
    await visit('/dcim/sites/');
    expect(String(seen[1]!.headers['x-cadastre-pending-writes'])).toContain('dcim:5-6:1');
    expect(String(seen[1]!.headers['x-cadastre-pending-writes'])).toContain('ipam:7-8:1');
    const read = await fetch(`${base}/api/dcim/sites/`, { headers: { authorization: 'Token x' } });
    await read.text();
    expect(String(seen[2]!.headers['x-cadastre-pending-writes'])).toContain('ipam:7-8:1');
  });
});

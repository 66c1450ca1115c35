// What anybody can try at the gateway without an account: internal paths, requests that two parsers would read
// differently, answers that must not be cached.
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { adminToken, useSystem } from '../support/system.ts';

const used = useSystem();
const sites = '/api/dcim/sites/?limit=1';

/** Sends arbitrary bytes, and returns all that is answered. */
const talk = (text: string) =>
  new Promise<string>((done, fail) => {
    const { hostname, port } = new URL(used.system.base);
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let answer = '';
    socket
      .on('data', (chunk) => {
        answer += chunk;
      })
      .on('close', () => done(answer))
      .on('error', fail)
      .setTimeout(60_000, () => socket.destroy());
  });
const lines = (path: string, ...headers: string[]) =>
  talk(`GET ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\nConnection: close\r\n\r\n`);

test('health, metrics and what services tell each other are not to be had', async () => {
  const secret = /process_resident_memory_bytes|http_request_duration|"status":"ok"|running/;
  for (const path of [
    '/metrics',
    '/metrics/',
    '/health',
    '/health/',
    '/health/live',
    '/health/ready',
    '/ready',
    '/live',
    '/internal/openapi.json',
    '/internal/workers',
    '//metrics',
    '/./metrics',
    '/%6detrics',
    '/api/../metrics',
    '/api/%2e%2e/metrics',
    '/health/live?x',
    '/METRICS',
  ]) {
    for (const authorization of ['X-Nothing: 1', `Authorization: Token ${adminToken}`]) {
      const answer = await lines(path, 'Host: h', authorization);
      expect([path, answer.slice(0, 12)]).toEqual([path, 'HTTP/1.1 404']);
      expect(answer).not.toMatch(secret);
    }
  }
});

test('those who run the system find them elsewhere, on this machine alone', async () => {
  const { services } = JSON.parse(readFileSync(join(used.system.folder, 'run.json'), 'utf8')) as {
    services: { name: string; operations: string }[];
  };
  expect(services.map(({ name }) => name)).toEqual(expect.arrayContaining(['auth', 'dcim', 'gateway']));
  for (const { operations } of services) {
    expect(new URL(operations).hostname).toBe('127.0.0.1');
    expect((await fetch(`${operations}/health/ready`)).status).toBe(200);
    expect(await (await fetch(`${operations}/metrics`)).text()).toContain('process_resident_memory_bytes');
    for (const path of ['/', '/api/', sites, '/internal/openapi.json'])
      expect((await fetch(operations + path, { headers: { authorization: `Token ${adminToken}` } })).status).toBe(404);
  }
});

test('a request that can be read in two ways is refused', async () => {
  const { key, token } = await used.admin.make('/api/users/tokens/', {
    user: (await used.admin.read('/api/users/users/?username=admin')).results[0].id,
  });
  const good = `Authorization: Token ${adminToken}`;
  const other = `Authorization: Bearer svc_${key}.${token}`;
  const bad = 'authorization: Token nobody';
  for (const [twice, what] of [
    [['Host: h', good, bad], 'Authorization'],
    [['Host: h', bad, good], 'Authorization'],
    [['Host: h', good, other], 'Authorization'],
    [['Host: h', good, good], 'Authorization'],
    [['Host: h', good, 'Host: evil.example'], 'Host'],
    [['Host: h', good, 'Content-Type: a/b', 'Content-Type: c/d'], 'Content-Type'],
  ] as const) {
    const answer = await lines(sites, ...twice);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain(`{"detail":"The request has more than one ${what} header."}`);
  }
  expect(
    await lines('/extras/webhook-deliveries/', 'Host: h', 'Cookie: cadastre_session=a', 'Cookie: cadastre_session=b'),
  ).toMatch(/^HTTP\/1\.1 400 /);
  expect(await lines(sites, 'Host: h', good, 'Cookie: a=1', 'Cookie: b=2')).toMatch(/^HTTP\/1\.1 200 /);
});

test('no answer of the API is kept by anybody, or taken for something else', async () => {
  const { id } = await used.admin.make('/api/extras/tags/', { name: `door ${Date.now()}`, slug: `door-${Date.now()}` });
  const nobody = used.admin.as();
  const wrong = used.admin.as('Token nobody');
  const answers = [
    await used.admin.get(sites, { Origin: 'https://evil.example' }),
    await used.admin.get(`/api/extras/tags/${id}/`),
    await used.admin.get('/api/'),
    await used.admin.get('/api/status/'),
    await used.admin.ask('OPTIONS', '/api/dcim/sites/'),
    await nobody.get(sites),
    await wrong.get(sites),
    await used.admin.get('/api/nowhere/'),
    await used.admin.get('/api/dcim/sites/0/'),
    await used.admin.post('/api/dcim/sites/', {}),
    await nobody.get('/media/x/y.png'),
  ];
  for (const { status, headers } of answers) {
    expect([status, headers.get('x-content-type-options'), headers.get('cache-control')]).toEqual([
      status,
      'nosniff',
      'no-store',
    ]);
    expect([headers.get('content-security-policy'), headers.get('referrer-policy')]).toEqual([
      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'same-origin',
    ]);
    for (const name of ['Authorization', 'Cookie', 'Accept']) expect(headers.get('vary')).toContain(name);
    // Pages of other origins cannot read anything here (no CORS).
    expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  }
  expect(answers[1]!.headers.get('etag')).not.toBeNull();
  expect(await talk('no http\r\n\r\n')).toMatch(
    /^HTTP\/1\.1 400 .*x-content-type-options: nosniff.*cache-control: no-store/is,
  );
  // The same for everybody, and cached as their headers say.
  expect((await nobody.get('/api/schema/')).headers.get('cache-control')).toBe('no-cache');
  expect((await nobody.get('/api/schema/swagger-ui/swagger-ui.css')).headers.get('cache-control')).toContain('public');
});

test('who comes by TLS is told to come in no other way, and nobody else is', async () => {
  expect((await used.admin.get(sites, { 'X-Forwarded-Proto': 'https' })).headers.get('strict-transport-security')).toBe(
    'max-age=31536000; includeSubDomains',
  );
  expect((await used.admin.get(sites)).headers.get('strict-transport-security')).toBeNull();
});

test('a version 1 token is answered with the notice that it is deprecated', async () => {
  const user = (await used.admin.read('/api/users/users/?username=admin')).results[0].id;
  const { key, token } = await used.admin.make('/api/users/tokens/', { user, version: 2 });
  expect((await used.admin.get(sites)).headers.get('deprecation')).toMatch(/^@\d{10}$/);
  expect((await used.admin.as('Token nobody').get(sites)).headers.get('deprecation')).toMatch(/^@\d{10}$/);
  expect((await used.admin.as(`Bearer svc_${key}.${token}`).get(sites)).headers.get('deprecation')).toBeNull();
});

test('the API document has one form for each type of media, however it is asked for', async () => {
  const texts = await Promise.all(
    ['application/json', 'application/json; indent=8', 'application/json; indent=4, */*'].map((accept) =>
      used.admin.get('/api/schema/', { Accept: accept }),
    ),
  );
  expect(new Set(texts.map(({ text }) => text)).size).toBe(1);
  expect(new Set(texts.map(({ headers }) => headers.get('etag'))).size).toBe(1);
});

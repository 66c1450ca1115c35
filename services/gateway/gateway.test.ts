import { describe, expect, test } from '@jest/globals';
import { loadConfig } from '@cadastre/service/config';
import { createIdentityVerifier } from '@cadastre/service/identity';
import { identityKeys } from '@cadastre/service/key-pairs';
import { keys, verified, seen, parts, base, call, within, detail, bytes } from './testing/gateway.ts';

const verifyIdentity = createIdentityVerifier(identityKeys(loadConfig(keys('gateway'))));

describe('what has been written', () => {
  const unseen = () => seen.map(({ headers }) => headers['x-cadastre-pending-writes']);
  test('is told to other services until they know of it, and never by clients or to them', async () => {
    const written = await call('/api/dcim/sites/', {
      method: 'POST',
      headers: { 'x-cadastre-pending-writes': 'auth:1-9:*' },
    });
    for (let i = 0; i < 2; i++)
      for (const path of ['/api/dcim/sites/', '/api/users/tokens/'])
        expect([...(await call(path)).headers.keys()].filter((name) => name.startsWith('x-cadastre'))).toEqual([]);
    expect(unseen()).toEqual([undefined, undefined, 'dcim:5-6:1', undefined, undefined]);
    expect([...written.headers.keys()].filter((name) => name.startsWith('x-cadastre'))).toEqual([]);
  });
  test('is carried by a client to another gateway, which believes nobody else', async () => {
    const position = (await call('/api/dcim/sites/', { method: 'POST' })).headers.get('x-write-position')!;
    await call('/api/users/tokens/');
    seen.length = 0;
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

test('files are asked for at the service that keeps them, by who is known', async () => {
  expect((await call('/media/photos/a_b.png')).status).toBe(200);
  expect(seen.at(-1)).toMatchObject({ url: '/media/photos/a_b.png' });
  expect((await call('/media/photos/a_b.png', { token: null })).status).toBe(403);
  for (const path of ['/media/other/a.png', '/media/', '/media/photos/%2e%2e/x'])
    expect((await call(path)).status).toBe(404);
});

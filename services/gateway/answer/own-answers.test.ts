import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { openapi, base, start, call, detail, bytes } from '../testing/gateway.ts';

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

  test('the status, with the version that runs', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(await json('/api/status/')).toEqual({
      hostname: expect.any(String),
      installed_apps: {},
      'netbox-version': '4.6.8',
      'netbox-full-version': `4.6.8-cadastre-${version}`,
      plugins: {},
      'rq-workers-running': 3,
    });
  });

  test('the schema, as JSON and YAML, revalidated', async () => {
    const response = await call('/api/schema/', { token: null });
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const document = (await response.json()) as Record<string, unknown>;
    expect(JSON.stringify(document['info'])).toContain('`nbt_<key>.<token>`');
    expect(JSON.stringify(document['components'])).toContain('`nbt_<key>.<token>`');
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

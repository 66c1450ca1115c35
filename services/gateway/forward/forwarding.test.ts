import { request } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { seen, service, base, call, within, detail, bytes } from '../testing/gateway.ts';

describe('passing on', () => {
  test('status, headers and bodies of any size go through', async () => {
    const body = 'x'.repeat(3_000_000);
    const response = await call('/api/dcim/sites/', { method: 'POST', body });
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
    // Closes kept-alive connections, like a restart of the service, at the last possible moment: after the next request
    // has been written to them.
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
      expect(answer).toMatch(/Content-Security-Policy: default-src 'none';[^\r\n]*frame-ancestors 'none'\r\n/i);
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

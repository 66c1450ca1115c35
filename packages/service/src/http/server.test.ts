import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { bodiesWithin } from './bodies.ts';
import { bodyLimits, Room, roomLimits } from '@cadastre/body';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../../../../tests/support/eventually.ts';
import { badRequest, HttpError } from './errors.ts';
import { createHttpServer, type HttpServer } from './server.ts';
import { createLog, currentRequestId } from '../observe/log.ts';

const lines: string[] = [];
const log = createLog(
  'test',
  { logLevel: 'warn', logFormat: 'json' },
  {
    write: (line) => {
      lines.push(line);
    },
  },
);
const bodies = bodiesWithin({ ...bodyLimits, size: { bytes: 1024, ratio: 200 } }, new Room(roomLimits));
let http: HttpServer;
let base: string;

beforeAll(async () => {
  http = createHttpServer({
    log,
    routes: (app) => {
      app.get('/id', (_request, response) => {
        response.json({ id: currentRequestId() });
      });
      app.post('/echo', (request, response, next) => {
        bodies
          .of(request, response, 'u')!
          .json()
          .then((body) => response.json({ body }), next);
      });
      app.get('/fields', () => {
        throw badRequest({ name: ['This field is required.'] });
      });
      app.get('/teapot', () => {
        throw new HttpError(418, { detail: 'x' }, { 'X-Kind': 'pot' });
      });
      app.get('/fault', async () => {
        throw new Error('inner detail');
      });
      app.get('/slow-statement', () => {
        throw Object.assign(new Error('canceling statement'), { code: '57014' });
      });
      app.get('/no-database', () => {
        throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
      });
      app.get('/full-disk', () => {
        throw Object.assign(new Error('could not extend file "base/1/2": No space left on device'), { code: '53100' });
      });
      app.get('/lost-connection', () => {
        throw new Error('Connection terminated unexpectedly');
      });
      app.get('/no-neighbour', () => {
        throw Object.assign(new Error('14 UNAVAILABLE'), { code: 14 });
      });
      app.get('/hang', (_request, response) => {
        response.flushHeaders();
        setTimeout(() => response.end('done'), 200);
      });
      app.get('/item/:name', (request, response) => {
        response.json(request.params);
      });
    },
    api: async (request, response) => {
      const { url } = request;
      if (url === '/api/fields/') throw badRequest({ name: ['This field is required.'] });
      if (url === '/api/teapot/') throw new HttpError(418, { detail: 'x' }, { 'X-Kind': 'pot' });
      if (url === '/api/fault/') throw new Error('fault below /api/');
      response.locals['route'] = '/api';
      response.end(JSON.stringify({ id: currentRequestId(), body: await bodies.of(request, response, 'u')?.json() }));
    },
  });
  base = `http://127.0.0.1:${await http.listen(0, '127.0.0.1')}`;
});
afterAll(() => http.close());

const get = (path: string, init?: RequestInit) => fetch(base + path, init);

test('every response carries the version and the request id', async () => {
  const own = await get('/id');
  expect(own.headers.get('api-version')).toBe('4.6');
  expect(own.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(await own.json()).toEqual({ id: own.headers.get('x-request-id') });
  const id = '0197ad9e-0000-7000-8000-000000000001';
  expect((await get('/nowhere', { headers: { 'x-request-id': id } })).headers.get('x-request-id')).toBe(id);
  expect((await get('/id', { headers: { 'x-request-id': 'not a uuid' } })).headers.get('x-request-id')).not.toBe(
    'not a uuid',
  );
});

test('errors are JSON', async () => {
  for (const [path, status, body] of [
    ['/nowhere', 404, { detail: 'Not found.' }],
    ['/fields', 400, { name: ['This field is required.'] }],
    ['/no-database', 503, { detail: 'The database is not available.' }],
    ['/full-disk', 507, { detail: expect.stringContaining('disk of the database is full') }],
    ['/lost-connection', 503, { detail: 'A part of the system is not available at present. Please try again.' }],
    ['/no-neighbour', 503, { detail: 'A part of the system is not available at present. Please try again.' }],
    ['/item/%E0%A4%A', 400, { detail: expect.any(String) }],
    ['/slow-statement', 400, { detail: expect.stringContaining('too long') }],
  ] as const) {
    const response = await get(path);
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(await response.json()).toEqual(body);
  }
  expect((await get('/teapot')).headers.get('x-kind')).toBe('pot');
});

test('a fault tells the client nothing and the log everything', async () => {
  const response = await get('/fault');
  const body = await response.text();
  expect(response.status).toBe(500);
  expect(body).not.toContain('inner detail');
  const line = JSON.parse(lines.find((one) => one.includes('inner detail')) ?? '{}') as { request_id: string };
  expect(line.request_id).toBe(response.headers.get('x-request-id'));
});

test('bodies are read up to the limit, compressed or not', async () => {
  const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
    get('/echo', { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });
  expect(await (await post('{"a":1}')).json()).toEqual({ body: { a: 1 } });
  expect(await (await post(gzipSync('{"a":1}'), { 'content-encoding': 'gzip' })).json()).toEqual({ body: { a: 1 } });
  for (const response of [
    await post('x'.repeat(1025)),
    await post(gzipSync('x'.repeat(1025)), { 'content-encoding': 'gzip' }),
  ]) {
    expect(response.status).toBe(413);
    expect(await response.json()).toEqual({ detail: 'The request body is larger than 1024 bytes.' });
  }
  expect((await post('x', { 'content-encoding': 'unknown' })).status).toBe(415);
  expect((await post('not gzip', { 'content-encoding': 'gzip' })).status).toBe(400);
});

test('what is below /api/ is answered without the routes, after the same first steps', async () => {
  const own = await get('/api/id/?q=1');
  expect(own.headers.get('api-version')).toBe('4.6');
  expect(await own.json()).toEqual({ id: own.headers.get('x-request-id') });
  const post = (body: string) =>
    get('/api/echo/', { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  expect(await (await post('{"a":1}')).json()).toMatchObject({ body: { a: 1 } });
  const large = await post('x'.repeat(1025));
  expect([large.status, await large.json()]).toEqual([413, { detail: 'The request body is larger than 1024 bytes.' }]);
  const refused = await get('/api/fields/');
  expect(refused.headers.get('content-type')).toBe((await get('/fields')).headers.get('content-type'));
  expect([refused.status, await refused.json()]).toEqual([400, { name: ['This field is required.'] }]);
  expect((await get('/api/teapot/')).headers.get('x-kind')).toBe('pot');
  const fault = await get('/api/fault/');
  expect([fault.status, await fault.text()]).toEqual([500, expect.not.stringContaining('below')]);
  expect(lines.find((one) => one.includes('fault below /api/'))).toContain(fault.headers.get('x-request-id'));
  expect(await http.metrics.registry.metrics()).toMatch(/_count\{method="GET",route="\/api",status="200"\} 1/);
  // The path of a neighbour's name only begins like it.
  expect((await get('/apiary/')).status).toBe(404);
});

test('health and metrics are not to be had where others come in', async () => {
  for (const path of ['/health/live', '/health/ready', '/metrics', '/health/', '/health', '/metrics/'])
    expect((await get(path)).status).toBe(404);
});

test('a body that nobody waits for any more may not come for ever', async () => {
  const impatient = createHttpServer({
    log,
    limits: {
      headersTimeoutMs: 300,
      requestTimeoutMs: 60_000,
      bodyTimeoutMs: 200,
      bodyBufferBytes: 65_536,
      maxConnections: 2,
    },
    routes: (app) => {
      app.post('/refused', (_request, response) => {
        response.status(403).json({ detail: 'no' });
      });
    },
  });
  const port = await impatient.listen(0, '127.0.0.1');
  const talk = (text: string) =>
    new Promise<string>((done) => {
      let answer = '';
      const socket = connect(port, '127.0.0.1', () => socket.write(text));
      socket
        .on('data', (chunk) => {
          answer += chunk;
        })
        .on('error', () => undefined)
        .on('close', () => done(answer));
    });
  try {
    expect(await talk('POST /refused HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nx')).toMatch(/^HTTP\/1\.1 403 /);
    // Slow headers, and connections on which nothing is sent, are cut off as well; and the number of connections is
    // limited.
    const slow = [talk('GET /refused HTTP/1.1\r\nHost: h\r\n'), talk('')];
    expect(await talk('GET /refused HTTP/1.1\r\nHost: h\r\n\r\n')).toBe('');
    expect((await Promise.all(slow))[0]).toMatch(/^HTTP\/1\.1 408 /);
  } finally {
    await impatient.close();
  }
});

test('the rest of a body is dropped as it comes, also when somebody has looked at its beginning', async () => {
  const early = createHttpServer({
    log,
    routes: (app) => {
      app.post('/refused', (request, response) => {
        request.once('readable', () => {
          response.status(403).json({ detail: 'no' });
        });
      });
    },
  });
  const port = await early.listen(0, '127.0.0.1');
  const length = 5_000_000;
  const head = `POST /refused HTTP/1.1\r\nHost: h\r\nContent-Length: ${length}\r\n\r\n`;
  let answers = '';
  const socket = connect(port, '127.0.0.1').on('data', (chunk) => {
    answers += chunk;
  });
  const refusals = () => answers.split('HTTP/1.1 403 ').length - 1;
  try {
    // All of it is taken: the next request on the connection is answered, too.
    for (const n of [1, 2]) {
      await new Promise<void>((sent, failed) => {
        socket.once('error', failed).write(Buffer.concat([Buffer.from(head), Buffer.alloc(length)]), () => sent());
      });
      await eventually(() => expect(refusals()).toBe(n));
    }
  } finally {
    socket.destroy();
    await early.close();
  }
});

test('a connection on which many bodies come too late keeps nothing of them', async () => {
  const refusing = createHttpServer({
    log,
    routes: (app) => {
      app.post('/refused', (_request, response) => {
        response.status(403).json({ detail: 'no' });
      });
    },
  });
  const listeners: number[] = [];
  refusing.server.on('request', ({ socket }) => listeners.push(socket.listenerCount('close')));
  const port = await refusing.listen(0, '127.0.0.1');
  const socket = connect(port, '127.0.0.1');
  for (let i = 0; i < 12; i += 1) {
    socket.write('POST /refused HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\n');
    await new Promise((answered) => {
      socket.once('data', answered);
    });
    socket.write('x');
  }
  socket.destroy();
  await refusing.close();
  // The last byte of a body may come in one piece with the next request: what waited for it is taken away right after.
  expect(Math.max(...listeners.slice(1)) - Math.min(...listeners.slice(1))).toBeLessThanOrEqual(1);
});

test('closing lets requests finish and takes no new ones', async () => {
  const running = await get('/hang');
  const closed = http.close();
  expect(await running.text()).toBe('done');
  await closed;
  await expect(get('/id')).rejects.toThrow();
});

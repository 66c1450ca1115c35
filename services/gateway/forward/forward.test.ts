// What clients and the gateway may rely on when a request is passed on, be the service in the same process or not.
import { Agent, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { receive } from '@cadastre/body';
import { createHttpServer, type HttpServer } from '@cadastre/service/http';
import { createLog } from '@cadastre/service/log';
import type { Way } from '@cadastre/service/peer-http';
import { writtenHeader } from '@cadastre/service/write-positions';
import { forwarder } from './forward.ts';
import type { Forward } from './forwarding.ts';

const log = createLog('test', { logLevel: 'silent', logFormat: 'json' });
// A busy machine may stall for some hundred milliseconds, which is not to fail the tests.
const TIMEOUT_MS = 1_000;

let service: HttpServer;
let gateway: HttpServer;
let base: string;
let forward: Forward & { close(): void };
let heard: string[];
let ended: string[];
let routes: string[];
let streams: (() => void)[];
let failures: string[];

/** A service that does what its paths say. */
const answers = (): HttpServer =>
  createHttpServer({
    log,
    routes: (app) => {
      app.get('/hello', (req, res) => {
        res.locals['route'] = 'of the service';
        res.setHeader(writtenHeader, 'dcim:1-1').setHeader('Vary', 'X-Kind').setHeader('X-Answer', 'yes');
        res.json({ method: req.method, url: req.originalUrl });
      });
      app.post('/echo', async (req, res) => {
        const body = await receive(req, 100_000);
        res.status(201).type('application/octet-stream').send(body);
      });
      app.get('/none', (_req, res) => {
        res.status(204).end();
      });
      app.get('/large', (_req, res) => {
        res.end('x'.repeat(5_000_000));
      });
      app.get('/fault', () => {
        throw new Error('inner detail');
      });
      app.get('/silent', (_req, res) => {
        res.once('close', () => ended.push('silent'));
        setTimeout(() => res.setHeader('X-Late', 'yes').status(200).json({ too: 'late' }), 2 * TIMEOUT_MS);
      });
      app.get('/stops', (_req, res) => {
        res.write('half');
      });
      app.get('/breaks', (_req, res) => {
        res.write('half', () => res.destroy());
      });
      app.get('/events', (_req, res) => {
        res.type('text/event-stream').write('data: 1\n\n');
        res.once('close', () => ended.push('events'));
      });
      app.get('/waits', (_req, res) => {
        res.once('close', () => ended.push('waits'));
      });
    },
  });

async function overConnection(): Promise<Way> {
  const port = await service.listen(0, '127.0.0.1');
  return { url: new URL(`http://127.0.0.1:${port}`), agent: (options) => new Agent(options) };
}
const inProcess = async (): Promise<Way> => ({
  here: () => ({ http: service.listener, inside: <T>(work: () => T): T => work() }),
});

describe.each([
  ['over a connection', overConnection, { url: new URL('http://127.0.0.1:1'), agent: () => new Agent() } as Way],
  ['in the same process', inProcess, { here: () => undefined } as Way],
])('%s', (_name, wayTo, gone) => {
  beforeEach(async () => {
    [heard, ended, routes, streams, failures] = [[], [], [], [], []];
    service = answers();
    forward = forwarder({
      ways: new Map([
        ['dcim', await wayTo()],
        ['ipam', gone],
      ]),
      timeoutMs: TIMEOUT_MS,
      maxSockets: 4,
      answered: (name, headers) => {
        heard.push(`${name} ${String(headers[writtenHeader])}`);
        delete headers[writtenHeader];
        headers['x-write-position'] = 'there';
      },
      streaming: (_req, _res, end) => streams.push(end),
      failed: (name, _error, req) => failures.push(`${name} ${req.url}`),
    });
    gateway = createHttpServer({
      log,
      routes: (app) => {
        app.use((req, res) => {
          res.setHeader('Vary', 'Accept');
          const { locals } = res;
          locals['route'] = 'of the gateway';
          res.once('finish', () => routes.push(String(locals['route'])));
          forward(req.headers['x-to'] === 'ipam' ? 'ipam' : 'dcim', req, res);
          if (req.headers['x-abandon']) setTimeout(() => abandonIt(req, res), 50);
        });
      },
    });
    base = `http://127.0.0.1:${await gateway.listen(0, '127.0.0.1')}`;
  });
  afterEach(async () => {
    gateway.server.closeAllConnections();
    await gateway.close();
    service.server.closeAllConnections();
    forward.close();
    if (service.server.listening) await service.close();
  });

  /** The gateway's refusal of a client that is too slow. */
  function abandonIt(req: IncomingMessage, res: ServerResponse): void {
    res.writeHead(408).end('too slow');
    forward.abandon(req);
  }

  test('request and answer arrive whole; what services tell the gateway stays there', async () => {
    const response = await fetch(`${base}/hello?q=1`, { headers: { te: 'trailers' } });
    expect(await response.json()).toEqual({ method: 'GET', url: '/hello?q=1' });
    const { headers } = response;
    expect([headers.get('x-answer'), headers.get(writtenHeader), headers.get('x-write-position')]).toEqual([
      'yes',
      null,
      'there',
    ]);
    expect(headers.get('vary')).toBe('Accept, X-Kind');
    expect([heard, routes]).toEqual([['dcim dcim:1-1'], ['of the gateway']]);
  });

  test('bodies of any size and kind, both ways', async () => {
    const sent = Buffer.alloc(80_000, 'äö');
    const echoed = await fetch(`${base}/echo`, { method: 'POST', body: sent });
    expect([echoed.status, Buffer.from(await echoed.arrayBuffer()).equals(sent)]).toEqual([201, true]);
    const tooLarge = await fetch(`${base}/echo`, { method: 'POST', body: Buffer.alloc(200_000) });
    expect(tooLarge.status).toBe(413);
    const none = await fetch(`${base}/none`);
    expect([none.status, await none.text(), none.headers.get('x-write-position')]).toEqual([204, '', 'there']);
    expect((await (await fetch(`${base}/large`)).text()).length).toBe(5_000_000);
  });

  test('a body without a length', async () => {
    const answer = await new Promise<string>((resolve, reject) => {
      const asked = request(`${base}/echo`, { method: 'POST' }, (res) => {
        let text = '';
        res.on('data', (chunk: Buffer) => (text += String(chunk))).once('end', () => resolve(text));
      });
      asked.once('error', reject);
      asked.write('one ');
      setTimeout(() => asked.end('two'), 30);
    });
    expect(answer).toBe('one two');
  });

  test('failures of the service are its own answers; one that is away is 503, one that is silent 504', async () => {
    expect((await fetch(`${base}/fault`)).status).toBe(500);
    expect((await fetch(`${base}/unknown`)).status).toBe(404);
    const away = await fetch(`${base}/hello`, { headers: { 'x-to': 'ipam' } });
    expect([away.status, away.headers.get('retry-after'), await away.json()]).toEqual([
      503,
      '1',
      { detail: 'The ipam service is not available. Please try again.' },
    ]);
    const silent = await fetch(`${base}/silent`);
    expect([silent.status, await silent.json()]).toEqual([504, { detail: 'The dcim service did not answer in time.' }]);
    // The late answer is dropped, and the next request is served.
    await sleep(2 * TIMEOUT_MS);
    expect((await fetch(`${base}/hello`)).status).toBe(200);
    expect(failures).toContain('dcim /silent');
  });

  test('an answer that stops or breaks off is cut', async () => {
    for (const path of ['/breaks', '/stops']) {
      const response = await fetch(base + path);
      await expect(response.text()).rejects.toThrow();
    }
  });

  test('a client that leaves is told to the service', async () => {
    const leaving = new AbortController();
    const left = fetch(`${base}/waits`, { signal: leaving.signal }).catch(() => 'left');
    await sleep(50);
    leaving.abort();
    expect(await left).toBe('left');
    await until(() => ended.includes('waits'));
    expect((await fetch(`${base}/hello`)).status).toBe(200);
  });

  test('a client that has another answer gets no second one', async () => {
    const response = await fetch(`${base}/silent`, { headers: { 'x-abandon': 'yes' } });
    expect([response.status, await response.text()]).toEqual([408, 'too slow']);
    await sleep(2 * TIMEOUT_MS);
    expect((await fetch(`${base}/hello`)).status).toBe(200);
  });

  test('an answer that goes on can be ended, and ends with the gateway', async () => {
    const first = await fetch(`${base}/events`);
    expect(first.headers.get('content-type')).toContain('text/event-stream');
    expect(streams).toHaveLength(1);
    streams[0]!();
    expect(await first.text()).toBe('data: 1\n\n');
    await until(() => ended.includes('events'));
    const second = await fetch(`${base}/events`);
    void gateway.close();
    expect(await second.text()).toBe('data: 1\n\n');
  });

  test('whatever is sent on a connection, one answer follows the other', async () => {
    const { port } = new URL(base);
    const socket = connect(Number(port), '127.0.0.1');
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += String(chunk)));
    socket.write('GET /hello HTTP/1.1\r\nHost: x\r\n\r\nGET /none HTTP/1.1\r\nHost: x\r\n\r\n');
    await until(() => (text.match(/HTTP\/1\.1 /g) ?? []).length === 2);
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 204']);
    socket.destroy();
  });
});

async function until(is: () => boolean): Promise<void> {
  for (let tries = 0; !is(); tries += 1) {
    if (tries === 200) throw new Error('it never was');
    await sleep(10);
  }
}

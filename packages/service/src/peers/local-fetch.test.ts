import type { RequestListener } from 'node:http';
import { Readable, pipeline } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import express from 'express';
import { localFetch } from './local-fetch.ts';

const here = (http: RequestListener) => ({ http, inside: <T>(work: () => T): T => work() });

test('a service is asked as by fetch: method, path, headers and body arrive, and so does the answer', async () => {
  const echo = here(async (req, res) => {
    const { method, url, headers } = req;
    res.setHeader('Set-Cookie', ['a=1', 'b=2']).setHeader('ETag', '"x"');
    res.end(JSON.stringify({ method, url, kind: headers['x-kind'], body: await text(req) }));
  });
  const answer = await localFetch(echo, '/api/?q=1', { method: 'POST', body: 'häuser', headers: { 'X-Kind': 'k' } });
  expect(await answer.json()).toEqual({ method: 'POST', url: '/api/?q=1', kind: 'k', body: 'häuser' });
  expect([answer.status, answer.headers.get('etag'), answer.headers.getSetCookie()]).toEqual([
    200,
    '"x"',
    ['a=1', 'b=2'],
  ]);
});

test('a deletion may have a body, too, and a body may be bytes', async () => {
  const echo = here(async (req, res) => void res.end(await text(req)));
  for (const body of ['{"a":"ü"}', Buffer.from('{"a":"ü"}')])
    expect(await (await localFetch(echo, '/', { method: 'DELETE', body })).text()).toBe('{"a":"ü"}');
});

test('answers without a body, and large ones', async () => {
  const none = await localFetch(
    here((_req, res) => res.writeHead(304).end()),
    '/',
  );
  expect([none.status, await none.text()]).toEqual([304, '']);
  const large = await localFetch(
    here((_req, res) => res.writeHead(200).end('x'.repeat(5_000_000))),
    '/',
  );
  expect((await large.text()).length).toBe(5_000_000);
});

test('one that is silent is left when the signal says so, one that breaks off or is not there is a failure', async () => {
  const silent = here(() => undefined);
  await expect(localFetch(silent, '/', { signal: AbortSignal.timeout(50) })).rejects.toThrow(/abort/i);
  await expect(
    localFetch(
      here((_req, res) => res.write('half', () => res.destroy())),
      '/',
    ),
  ).rejects.toThrow();
  await expect(localFetch(undefined, '/')).rejects.toThrow('does not answer');
});

test('a service of express answers as it does to others', async () => {
  const app = express();
  app.get('/list/', (_req, res) => {
    res.status(203).set('X-A', 'b').json({ a: 1 });
  });
  app.get('/stream/', (_req, res) => {
    res.writeHead(200, { 'X-Early': '1' });
    pipeline(Readable.from(['one ', 'two']), res, () => undefined);
  });
  const list = await localFetch(here(app), '/list/');
  expect([list.status, list.ok, list.headers.get('x-a'), await list.json()]).toEqual([203, true, 'b', { a: 1 }]);
  const stream = await localFetch(here(app), '/stream/');
  expect([stream.headers.get('X-Early'), await stream.text()]).toEqual(['1', 'one two']);
  const head = await localFetch(here(app), '/list/', { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([203, '7', '']);
});

test('who waits no longer is one that has left, for the service', async () => {
  const left = Promise.withResolvers<boolean>();
  const slow = here((_req, res) => void res.once('close', () => left.resolve(res.destroyed)));
  const leaving = new AbortController();
  const asked = localFetch(slow, '/', { signal: leaving.signal });
  leaving.abort(new Error('enough'));
  await expect(asked).rejects.toThrow('enough');
  expect(await left.promise).toBe(true);
});

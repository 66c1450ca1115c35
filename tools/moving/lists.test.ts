import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from '@jest/globals';
import type { Thing } from './json.ts';
import { countOf, listsOf, pagesOf } from './lists.ts';
import { readerOf, Unreadable } from './reader.ts';
import { type Installation, type InstallationOptions, installation } from './testing/installation.ts';

const SITES = '/api/dcim/sites/';
const sites = (count: number): Thing[] => Array.from({ length: count }, (_, i) => ({ id: 3 * i + 1, name: `s${i}` }));

const running: Installation[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.close()));
});

async function opened(options: Partial<InstallationOptions>, retries = 2) {
  const source = await installation({ lists: { [SITES]: sites(25) }, token: 't', mostAtOnce: 10, ...options });
  running.push(source);
  return { source, reader: readerOf(source.base, { authorization: 'Token t', retries, pauseMs: 1, timeoutMs: 2_000 }) };
}

const idsIn = async (reader: ReturnType<typeof readerOf>): Promise<number[]> => {
  const ids: number[] = [];
  for await (const page of pagesOf(reader, SITES)) ids.push(...page.map(({ id }) => id));
  return ids;
};

test.each([
  ['by ids', true],
  ['by offsets, where a server knows no other way', false],
])('a list is read whole, %s', async (_, cursor) => {
  const { source, reader } = await opened({ cursor });
  expect(await idsIn(reader)).toEqual(sites(25).map(({ id }) => id));
  expect(source.asked).toHaveLength(cursor ? 3 : 4);
});

test.each([true, false])('what a server shows twice is read once (by ids: %p)', async (cursor) => {
  const { reader } = await opened({ cursor, lists: { [SITES]: [...sites(12), ...sites(12)].toSorted() } });
  expect(await idsIn(reader)).toEqual(sites(12).map(({ id }) => id));
});

test('all lists of all apps are found; what is no list of objects has no size', async () => {
  const { reader } = await opened({
    lists: { [SITES]: sites(3), '/api/ipam/vrfs/': [], '/api/core/background-workers/': [{ name: 'w' }] },
  });
  expect(await listsOf(reader)).toEqual(['/api/core/background-workers/', SITES, '/api/ipam/vrfs/']);
  expect(await countOf(reader, SITES)).toBe(3);
  expect(await countOf(reader, '/api/ipam/vrfs/')).toBe(0);
  expect(await countOf(reader, '/api/core/background-workers/')).toBeUndefined();
});

test('what fails for a moment is asked for again; what is refused is not', async () => {
  let failing = 2;
  const { source, reader } = await opened({
    instead(request, response) {
      if ((failing -= 1) < 0) return false;
      if (failing === 1) response.writeHead(429, { 'retry-after': '0' }).end('slower');
      else request.socket.destroy();
      return true;
    },
  });
  expect(await idsIn(reader)).toHaveLength(25);
  expect(source.asked).toHaveLength(5);
  const stranger = readerOf(source.base, { authorization: 'Token x', pauseMs: 1 });
  await expect(stranger.get(SITES)).rejects.toThrow(
    new Unreadable(`GET ${source.base}${SITES} was answered with 401: {"detail":"Invalid token."}`, 401),
  );
  expect(source.asked).toHaveLength(6);
});

test.each<[string, NonNullable<InstallationOptions['instead']>, RegExp, number]>([
  [
    'that always fails',
    (_request, response) => Boolean(response.writeHead(503).end('down')),
    /answered with 503: down/,
    3,
  ],
  ['that hangs up', (request) => Boolean(request.socket.destroy()), /does not answer \(GET .*: .+\)/, 3],
  ['that is none', (_request, response) => Boolean(response.end('<html>')), /no JSON: <html>/, 1],
  ['that holds no list', (_request, response) => Boolean(response.end('{}')), /is no list/, 1],
])('a server %s is told of, after as many attempts as make sense', async (_, instead, message, attempts) => {
  const { source, reader } = await opened({ instead });
  await expect(idsIn(reader)).rejects.toThrow(message);
  expect(source.asked).toHaveLength(attempts);
});

test.each<[string, NonNullable<InstallationOptions['instead']>, RegExp]>([
  [
    'that never ends',
    (_request, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(' '.repeat(60_000)));
      };
      response.on('drain', more);
      more();
      return true;
    },
    /more than 1000000 bytes \(--max-answer\)/,
  ],
  [
    'that is small as long as it is packed',
    (_request, response) =>
      Boolean(response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50_000_000, 32)))),
    /more than 1000000 bytes \(--max-answer\)/,
  ],
  ['that is nested without end', (_request, response) => Boolean(response.end('['.repeat(900_000))), /1000 levels/],
  [
    'whose pages lead to each other',
    (_request, response) =>
      Boolean(response.end(JSON.stringify({ count: 1, next: '?limit=1000&start=1', results: [{ id: 1 }] }))),
    /lead nowhere/,
  ],
])('an answer %s ends the reading, and is not asked for again', async (_, instead, message) => {
  const { source } = await opened({ instead });
  const reader = readerOf(source.base, { authorization: 'Token t', pauseMs: 1, maxBytes: 1_000_000 });
  await expect(idsIn(reader)).rejects.toThrow(message);
  expect(source.asked.length).toBeLessThanOrEqual(2);
});

test('of a refusal only the beginning is read', async () => {
  const { source } = await opened({
    instead(_request, response) {
      response.writeHead(400);
      const more = (): void => {
        while (!response.destroyed && response.write('no '.repeat(20_000)));
      };
      response.on('drain', more);
      more();
      return true;
    },
  });
  const reader = readerOf(source.base, { authorization: 'Token t', pauseMs: 1 });
  await expect(idsIn(reader)).rejects.toThrow(/answered with 400: no no/);
});

test('a pause that a server asks for is kept', async () => {
  let first = true;
  const { reader } = await opened({
    instead(_request, response) {
      if (!first) return false;
      first = false;
      response.writeHead(429, { 'retry-after': '1' }).end();
      return true;
    },
  });
  const began = performance.now();
  await idsIn(reader);
  expect(performance.now() - began).toBeGreaterThanOrEqual(990);
});

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Model } from '@cadastre/model';
import { afterEach, expect, test } from '@jest/globals';
import { readerOf } from '../../reader.ts';
import { type Installation, type InstallationOptions, installation } from '../../testing/installation.ts';
import { apiSource } from './api.ts';
import type { Source } from './source.ts';

const SITES = '/api/dcim/sites/';
const sites = (count: number) => Array.from({ length: count }, (_, i) => ({ id: i + 1, name: `s${i}` }));
const running: Installation[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.close()));
});

async function opened(options: Partial<InstallationOptions>): Promise<{ source: Source; server: Installation }> {
  const server = await installation({ lists: { [SITES]: sites(5) }, token: 't', mostAtOnce: 2, ...options });
  running.push(server);
  const types = new Map([['dcim/sites', { name: 'dcim.site' } as Model]]);
  const reader = readerOf(server.base, { authorization: 'Token t', retries: 0 });
  return { server, source: apiSource({ reader, types, parallel: 2 }) };
}

test('lists are told with their types; what is not known has its path, plugins among them', async () => {
  const json: Record<string, object> = {
    '/api/plugins/': { 'installed-plugins': 'x', topology: 'x' },
    '/api/plugins/topology/': { maps: 'x' },
    '/api/plugins/topology/maps/': { count: 3, next: null, previous: null, results: [{ id: 1 }] },
  };
  const instead = (_: IncomingMessage, response: ServerResponse, path: string): boolean =>
    json[path] !== undefined && Boolean(response.end(JSON.stringify(json[path])));
  const lists = { [SITES]: sites(5), '/api/vpn/tunnels/': [], '/api/core/background-workers/': [{ name: 'w' }] };
  const { source } = await opened({ lists, instead });
  expect(await source.collections()).toEqual([
    { type: 'dcim.site', path: 'dcim/sites', count: 5 },
    { type: 'vpn/tunnels', path: 'vpn/tunnels', count: 0 },
    { type: 'plugins/topology/maps', path: 'plugins/topology/maps', count: 3 },
  ]);
});

test.each([true, false])('objects come in the order of their ids, from any id on (cursors: %p)', async (cursor) => {
  const { source } = await opened({ cursor });
  const collection = { type: 'dcim.site', path: 'dcim/sites', count: 5 };
  const ids = async (after?: number) => (await Array.fromAsync(source.read(collection, after))).map(({ id }) => id);
  expect([await ids(), await ids(3), await ids(5)]).toEqual([[1, 2, 3, 4, 5], [4, 5], []]);
});

test('files are fetched; a deleted one is skipped', async () => {
  const { source, server } = await opened({
    instead(request, response, path) {
      if (!path.startsWith('/media/')) return false;
      const isThere = path === '/media/images/a%20b.png' && request.headers.authorization === 'Token t';
      response.writeHead(isThere ? 200 : 404).end(isThere ? 'bytes' : '');
      return true;
    },
  });
  expect((await source.file('images/a b.png'))?.toString()).toBe('bytes');
  expect(await source.file('images/other.png')).toBeUndefined();
  await server.close();
});

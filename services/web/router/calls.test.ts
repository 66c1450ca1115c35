import { beforeAll, expect, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { type Catalogue, loadCatalogue } from '@cadastre/model';
import { unavailable } from '@cadastre/service/errors';
import { addressesOf } from '../schema/addresses.ts';
import { type Pages, pagesOf } from './pages.ts';
import { LANGUAGES } from '../ui/texts/texts.ts';
import type { PageRequest } from '../context/pageRequest.ts';

let catalogue: Catalogue;
let pages: Pages;
beforeAll(async () => {
  catalogue = await loadCatalogue(fileURLToPath(new URL('../..', import.meta.url)));
  pages = pagesOf({
    catalogue,
    addresses: addressesOf(catalogue),
    parts: { panels: [], pages: [], actions: [], listActions: [], banners: [], cells: [], widgets: [] },
    bulk: { items: 100, bytes: 1_000_000 },
    imports: {} as never,
    renderer: { render: async () => ({ text: '', url: '' }) } as never,
  });
});

const object = (path: string, id: number) => ({
  id,
  url: `http://x${path}${id}/`,
  display: `object ${id}`,
  name: `object ${id}`,
  tags: [{ id, slug: `t${id}`, display: `t${id}` }],
  custom_fields: {},
  created: '2026-01-01T00:00:00Z',
  comments: '',
  kind: { value: 'info', label: 'Info' },
});

/** The requests that a page makes when each list has a given number of objects. */
async function asked(address: string, rows: number): Promise<string[]> {
  return (await visited(address, rows)).calls;
}

async function visited(
  address: string,
  rows: number,
  away: readonly string[] = [],
  sent: URLSearchParams | undefined = undefined,
) {
  const calls: string[] = [];
  const previewed: number[] = [];
  const url = new URL(address, 'http://x');
  const answerTo = (path: string): unknown => {
    calls.push(path);
    const [, list, id] = /^(\/api\/[^?]*?\/)(?:(\d+)\/)?(?:\?|$)/.exec(path)!;
    if (id !== undefined) return object(list!, Number(id));
    return { count: rows, results: Array.from({ length: rows }, (_, i) => object(list!, i + 1)) };
  };
  const request = {
    user: { userId: 1, username: 'u', superuser: true, anonymous: false },
    api: {
      get: async (path: string) => answerTo(path),
      text: async (path: string) => JSON.stringify(answerTo(path)),
      ask: async (_: string, path: string, { body }: { body?: unknown[] } = {}) => {
        const headers = new Headers();
        if (!path.endsWith('deletion-preview/')) return { status: 200, body: answerTo(path), headers };
        previewed.push(body!.length);
        return { status: 200, body: { deleted: [], protecting: [], changed: [], clashing: [] }, headers };
      },
      found: async (service: string) => {
        calls.push(service);
        if (away.includes(service)) throw unavailable('The service is not available.');
        return [];
      },
    },
    catalogue,
    path: url.pathname,
    query: url.searchParams,
    submitted: { fields: sent ?? new URLSearchParams(), files: new Map() },
    csrfToken: '',
    partial: false,
    texts: LANGUAGES[0].texts,
    language: LANGUAGES[0],
    preferences: { scheme: 'system', language: undefined, zone: undefined, perPage: undefined },
    config: {},
    may: async () => true,
  } as unknown as PageRequest;
  return { calls, previewed, answer: await pages.answer(request, sent ? 'POST' : 'GET') };
}

test.each([
  ['/dcim/sites/?limit=1000', 1],
  ['/tenancy/tenants/?group_id=1', 2],
  ['/tenancy/tenants/1/', undefined],
  ['/dcim/devices/1/', undefined],
  ['/tenancy/tenants/1/journal/', undefined],
])('%s asks as often for one row as for many', async (address, often) => {
  const [one, many] = [await asked(address, 1), await asked(address, 100)];
  expect(many).toHaveLength(one.length);
  if (often !== undefined) expect(one).toHaveLength(often);
});

test('the search asks each service once, and nobody for nothing', async () => {
  const services = await asked('/search/?q=x', 1);
  expect(new Set(services).size).toBe(services.length);
  expect(services).toEqual(expect.arrayContaining(['dcim', 'ipam', 'tenancy', 'circuits']));
  expect(await asked('/search/?q=+', 1)).toEqual([]);
});

test('a search goes on without services that are away, and names them', async () => {
  const { answer } = await visited('/search/?q=x', 1, ['ipam', 'dcim']);
  expect(answer).toMatchObject({ view: 'search', data: { away: 'dcim, ipam' } });
});

test.each([
  [60, 60, undefined],
  [250, 100, 100],
])('before %d are deleted, it is said what that would do to the first %d', async (count, first, said) => {
  const sent = new URLSearchParams(Array.from({ length: count }, (_, i): [string, string] => ['pk', String(i + 1)]));
  sent.set('csrf_token', 'x');
  const { previewed, answer } = await visited('/dcim/sites/delete/', count, [], sent);
  expect(previewed).toEqual([first]);
  expect(answer).toMatchObject({ view: 'bulk-delete', data: { count, foreseen: said } });
});

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Thing } from '../json.ts';
import type { Listed, Pages } from '../lists.ts';
import { readerOf } from '../reader.ts';
import { type Installation, installation, type Lists } from '../testing/installation.ts';
import { compare } from './compare.ts';
import { differences } from './differences.ts';
import { pairsOf } from './pairs.ts';
import { reportJson, reportOf } from './report.ts';
import { apiSide } from './side.ts';
import { ignoring, isEqual } from './tally.ts';

const url = (host: string, id: number): string => `${host}/api/dcim/sites/${id}/`;

describe('two objects', () => {
  const left = (more: Thing = {}): Thing => ({ url: url('https://a.example/netbox', 1), id: 1, ...more });
  const right = (more: Thing = {}): Thing => ({ url: url('http://localhost:8000', 1), id: 1, ...more });

  test('are alike wherever they are served', () => {
    const about = (host: string): Thing => ({
      region: { id: 2, url: `${host}/api/dcim/regions/2/` },
      images: [`${host}/media/x.png`],
    });
    expect(differences(left(about('https://a.example/netbox')), right(about('http://localhost:8000')))).toEqual([]);
    expect(differences(left({ note: 'http://localhost:8000/x' }), right({ note: '/x' }))).toHaveLength(1);
  });

  test('are alike in whichever order their tags stand, but not their other lists', () => {
    const tags = [
      { id: 1, name: 'a' },
      { id: 2, name: 'b' },
    ];
    expect(differences(left({ tags }), right({ tags: tags.toReversed() }))).toEqual([]);
    expect(differences(left({ unit: [1, 2] }), right({ unit: [2, 1] }))).toEqual([
      { field: 'unit', left: [1, 2], right: [2, 1] },
    ]);
  });

  test.each<[string, Thing, Thing, string[]]>([
    ['a value', { name: 'a' }, { name: 'b' }, ['name']],
    ['a kind of value', { asn: 1 }, { asn: '1' }, ['asn']],
    ['null and nothing', { x: null }, {}, ['x']],
    [
      'a member deep inside',
      { status: { value: 'a', label: 'A' } },
      { status: { value: 'b', label: 'A' } },
      ['status.value'],
    ],
    ['an object and none', { site: { id: 1 } }, { site: null }, ['site']],
    ['a longer list', { tags: [{ id: 1 }] }, { tags: [{ id: 1 }, { id: 2 }] }, ['tags']],
    ['a member of one in a list', { tags: [{ id: 1, name: 'a' }] }, { tags: [{ id: 1, name: 'b' }] }, ['tags']],
    ['several', { a: 1, b: 2, c: 3 }, { a: 2, b: 2, c: 4 }, ['a', 'c']],
  ])('differ in %s', (_, one, other, fields) =>
    expect(differences(left(one), right(other)).map(({ field }) => field)).toEqual(fields),
  );
});

describe('two lists', () => {
  const of = async function* (...pages: number[][]): Pages {
    for (const page of pages) yield page.map((id): Listed => ({ id }));
  };
  const met = async (left: Pages, right: Pages) => {
    const pairs: (number | undefined)[][] = [];
    for await (const [one, other] of pairsOf(left, right)) pairs.push([one?.id, other?.id]);
    return pairs.toSorted((a, b) => (a[0] ?? a[1]!) - (b[0] ?? b[1]!));
  };

  test('meet by ids, whatever their order and their pages', async () => {
    const both = [1, 2, 3, 4, 5].map((id) => [id, id]);
    expect(await met(of([1, 2, 3], [4, 5]), of([1], [2], [3], [4], [5]))).toEqual(both);
    expect(await met(of([5, 4], [3, 2, 1]), of([1, 2, 3, 4, 5]))).toEqual(both);
  });

  test('what only one of them has is told', async () =>
    expect(await met(of([1, 2], [9]), of([2, 3]))).toEqual([
      [1, undefined],
      [2, 2],
      [undefined, 3],
      [9, undefined],
    ]));
});

test('fields are left out everywhere or in one list, with all that is below them', () => {
  const ignored = ignoring(['last_updated', 'dcim/sites:region'], '/api/dcim/sites/');
  expect(['last_updated', 'region', 'region.name', 'regions', 'name'].map(ignored)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
  expect(ignoring(['dcim/sites:region'], '/api/dcim/racks/')('region')).toBe(false);
});

describe('two installations', () => {
  const site = (id: number, more: Thing = {}): Thing => ({
    id,
    url: `{base}/api/dcim/sites/${id}/`,
    display: `site ${id}`,
    status: { value: 'active', label: 'Active' },
    ...more,
  });
  const lists: Lists = {
    '/api/dcim/sites/': Array.from({ length: 40 }, (_, i) => site(i + 1)),
    '/api/ipam/vrfs/': [{ id: 1, url: '{base}/api/ipam/vrfs/1/', display: 'v', name: 'v' }],
    '/api/core/background-workers/': [{ name: 'only here' }],
  };
  const changed: Lists = {
    '/api/dcim/sites/': [
      ...lists['/api/dcim/sites/']!.slice(2),
      site(2, { status: { value: 'planned', label: 'Planned' } }),
      site(99),
    ],
    '/api/ipam/vrfs/': lists['/api/ipam/vrfs/']!,
    '/api/vpn/tunnels/': [{ id: 7, url: '{base}/api/vpn/tunnels/7/', display: 't' }],
    '/api/wireless/wireless-lans/': [],
  };
  const running: Installation[] = [];
  beforeAll(async () => {
    for (const [one, more] of [[lists], [lists], [changed], [changed, '/api/ipam/vrfs/']] as [Lists, string?][])
      running.push(
        await installation({
          lists: one,
          token: 't',
          mostAtOnce: 7,
          instead: (_request, response, path) =>
            path === more && Boolean(response.writeHead(403).end('{"detail":"no"}')),
        }),
      );
  });
  afterAll(() => Promise.all(running.map((one) => one.close())));

  const compared = async (left: number, right: number, more: { only?: string[]; ignore?: string[] } = {}) => {
    const sides = [left, right].map((i) =>
      apiSide(readerOf(running[i]!.base, { authorization: 'Token t', retries: 0 })),
    );
    const told: { done: number; total: number }[] = [];
    const tallies = await compare({
      left: sides[0]!,
      right: sides[1]!,
      only: [],
      ignore: [],
      parallel: 2,
      progress: ({ done, total }) => told.push({ done, total }),
      ...more,
    });
    return { tallies, told, report: reportOf(tallies, ['there', 'here']) };
  };

  test('that hold the same are found to', async () => {
    const { tallies, told, report } = await compared(0, 1);
    expect(tallies.map(({ list, same }) => [list, same])).toEqual([
      ['/api/dcim/sites/', 40],
      ['/api/ipam/vrfs/', 1],
    ]);
    expect(tallies.every(isEqual)).toBe(true);
    expect(told.at(-1)).toEqual({ done: 41, total: 41 });
    expect(report).toContain('Both have the same: 41 objects in 2 lists.');
  });

  test('that differ are shown with what differs, and the first cases', async () => {
    const { tallies, report } = await compared(0, 2);
    expect(report).toBe(`list               same  different  only there  only here
/api/dcim/sites/     38          1           1          1
/api/ipam/vrfs/       1          0           0          0
/api/vpn/tunnels/     0          0           0          1

/api/dcim/sites/
  only at there: 1 (ids 1)
  only at here: 1 (ids 99)
  status.value: 1
    2 site 2: "active" → "planned"
  status.label: 1
    2 site 2: "Active" → "Planned"

/api/vpn/tunnels/
  only at here: 1 (ids 7)

2 of 4 lists differ; 40 objects were compared.`);
    const [sites] = JSON.parse(reportJson(tallies)) as [{ fields: Thing; onlyLeft: Thing }];
    expect(sites.onlyLeft).toEqual({ count: 1, ids: [1] });
    expect(sites.fields['status.value']).toEqual({
      count: 1,
      examples: [{ id: 2, display: 'site 2', left: 'active', right: 'planned' }],
    });
  });

  test('count what has two addresses once, and know by what it says what has other ids on each side', async () => {
    const record = (id: number): Thing => ({ id, url: `{base}/api/core/object-changes/${id}/`, display: 'r' });
    const tagged = (id: number, object: number, slug: string): Thing => ({
      id,
      url: `{base}/api/extras/tagged-objects/${id}/`,
      object_type: 'dcim.site',
      object_id: object,
      tag: { id: 1, slug },
    });
    const side = (...tags: Thing[]): Lists => ({
      '/api/core/object-changes/': [record(1), record(2)],
      '/api/extras/object-changes/': [record(1), record(2)],
      '/api/extras/tagged-objects/': tags,
    });
    const first = running.length;
    for (const one of [side(tagged(7, 1, 'a'), tagged(9, 2, 'a')), side(tagged(1, 2, 'a'), tagged(2, 2, 'b'))])
      running.push(await installation({ lists: one, token: 't' }));
    const { tallies } = await compared(first, first + 1);
    expect(tallies.map(({ list, same, different }) => [list, same, different])).toEqual([
      ['/api/core/object-changes/', 2, 0],
      ['/api/extras/tagged-objects/', 1, 0],
    ]);
    expect(tallies[1]).toMatchObject({
      onlyLeft: { count: 1, ids: ['dcim.site 1 a'] },
      onlyRight: { count: 1, ids: ['dcim.site 2 b'] },
    });
    // A list that is asked for by its other name is compared all the same.
    const { tallies: only } = await compared(first, first + 1, { only: ['extras/object-changes'] });
    expect(only.map(({ list, same }) => [list, same])).toEqual([['/api/extras/object-changes/', 2]]);
  });

  test('have actions among their lists, which want more than a list does and are no objects', async () => {
    const ACTION = '/api/dcim/connected-device/';
    const refusing = (status: number, list: Lists[string] = []) =>
      installation({
        lists: { [ACTION]: list, '/api/ipam/vrfs/': lists['/api/ipam/vrfs/']! },
        token: 't',
        instead: (_request, response, path) =>
          path === ACTION && status !== 200 && Boolean(response.writeHead(status).end('{"detail":"no"}')),
      });
    const first = running.length;
    for (const one of [refusing(400), refusing(404), refusing(200, [{ id: 1 }]), refusing(403)])
      running.push(await one);
    const found = async (left: number, right: number) => {
      const { tallies } = await compared(first + left, first + right);
      return [tallies.every(isEqual), tallies.map(({ list }) => list)];
    };
    expect(await found(0, 1)).toEqual([true, ['/api/ipam/vrfs/']]);
    expect(await found(0, 0)).toEqual([true, ['/api/ipam/vrfs/']]);
    // Where one side has objects, or access is refused, it is no proof.
    expect(await found(0, 2)).toEqual([false, [ACTION, '/api/ipam/vrfs/']]);
    expect(await found(3, 3)).toEqual([false, [ACTION, '/api/ipam/vrfs/']]);
  });

  test('are compared in part, and without some fields', async () => {
    const { tallies } = await compared(0, 2, { only: ['dcim'], ignore: ['status'] });
    expect(tallies.map(({ list, same, different }) => [list, same, different])).toEqual([['/api/dcim/sites/', 39, 0]]);
    expect((await compared(0, 2, { only: ['ipam/vrfs'] })).tallies.every(isEqual)).toBe(true);
  });

  test('what one of them does not show is no proof, and told', async () => {
    const { tallies, report } = await compared(0, 3, { only: ['ipam'] });
    expect(tallies.map(({ problem }) => problem)).toEqual([
      expect.stringContaining('was answered with 403: {"detail":"no"}'),
    ]);
    expect(tallies.some(isEqual)).toBe(false);
    expect(report).toContain('not compared');
  });
});

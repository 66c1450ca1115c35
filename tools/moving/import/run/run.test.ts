import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Thing } from '../../json.ts';
import { brief, countsOf, type Move, move, shown, toldOf } from '../testing/moves.ts';

const moves: Move[] = [];
afterEach(async () => {
  await Promise.all(moves.splice(0).map((one) => one.end()));
});
const between = async (...asked: Parameters<typeof move>): Promise<Move> => {
  const one = await move(...asked);
  moves.push(one);
  return one;
};

const SITES = '/api/dcim/sites/';
const REGIONS = '/api/dcim/regions/';
const DEVICES = '/api/dcim/devices/';
const INTERFACES = '/api/dcim/interfaces/';
const ADDRESSES = '/api/ipam/ip-addresses/';
const sites = (count: number): Thing[] =>
  Array.from({ length: count }, (_, i) => shown(3 * i + 1, { name: `s${i}`, slug: `s${i}`, region: null }));

/** A device whose primary address belongs to its interface: a circle of three types. */
const circle = (): Record<string, Thing[]> => ({
  [DEVICES]: [shown(4, { name: 'd', primary_ip4: brief(9), last_updated: '2021-01-01T00:00:00Z' })],
  [INTERFACES]: [
    shown(5, { name: 'e0', device: brief(4), mtu: 1500, lag: brief(6) }),
    shown(6, { name: 'lag', device: brief(4) }),
  ],
  [ADDRESSES]: [shown(9, { address: '10.0.0.1/24', assigned_object_type: 'dcim.interface', assigned_object_id: 5 })],
});

test('most of a type is deleted only when that is meant, as a token that sees a part of it looks the same', async () => {
  const { run, lists } = await between({ [SITES]: sites(300) });
  await run();
  lists[SITES] = sites(120);
  const careful = await run();
  expect(countsOf(careful)).toEqual({ 'dcim.site': [0, 0, 120, 0] });
  expect(careful.tallies.find(({ type }) => type === 'dcim.site')!.told.stayed.count).toBe(180);
  expect(toldOf(careful, 'stayed')[0]).toMatchObject({ told: expect.stringContaining('--delete-many') });
  expect(countsOf(await run({ deleteMany: true }))).toEqual({ 'dcim.site': [0, 0, 120, 180] });
});

test('everything comes with its id, circles too, and a second import changes nothing', async () => {
  const { run, target } = await between(circle());
  const first = await run();
  expect(countsOf(first)).toEqual({
    'dcim.device': [1, 0, 0, 0],
    'dcim.interface': [2, 0, 0, 0],
    'ipam.ipaddress': [1, 0, 0, 0],
  });
  expect(target.objects('dcim.device').get(4)?.object).toMatchObject({ name: 'd', primary_ip4: 9 });
  expect(target.objects('dcim.interface').get(5)?.object).toMatchObject({ device: 4, lag: 6 });
  expect(target.objects('ipam.ipaddress').get(9)?.object).toMatchObject({ assigned_object_id: 5 });
  expect(toldOf(first, 'refused')).toEqual([]);
  const second = await run();
  expect(countsOf(second)).toEqual({
    'dcim.device': [0, 0, 1, 0],
    'dcim.interface': [0, 0, 2, 0],
    'ipam.ipaddress': [0, 0, 1, 0],
  });
});

test('a reference that changes counts as a change of its object', async () => {
  const { run, lists, target } = await between(circle());
  await run();
  lists[ADDRESSES]!.push(shown(10, { address: '10.0.0.2/24' }));
  lists[DEVICES]![0]!['primary_ip4'] = brief(10);
  const { 'dcim.device': devices } = countsOf(await run());
  expect(devices).toEqual([0, 1, 0, 0]);
  expect(target.objects('dcim.device').get(4)?.object['primary_ip4']).toBe(10);
});

test('trees are stored from above, whatever their ids', async () => {
  const region = (id: number, parent: number | null): Thing =>
    shown(id, { name: `r${id}`, slug: `r${id}`, parent: parent === null ? null : brief(parent) });
  const { run, target } = await between({ [REGIONS]: [region(1, 2), region(2, 3), region(3, null), region(4, 1)] });
  const done = await run();
  expect(countsOf(done)).toEqual({ 'dcim.region': [4, 0, 0, 0] });
  expect(target.asked).toEqual([
    'POST dcim/regions 1',
    'POST dcim/regions 1',
    'POST dcim/regions 1',
    'POST dcim/regions 1',
  ]);
});

test('new objects are added, changed ones updated, deleted ones deleted; those still in use stay and are reported', async () => {
  const { run, lists, target } = await between({ [REGIONS]: [shown(1, { name: 'r', slug: 'r' })], [SITES]: sites(4) });
  await run();
  target.objects('dcim.site').set(99, { object: { id: 99, name: 'own', slug: 'own', region: 1 }, imported: false });
  lists[REGIONS] = [];
  lists[SITES] = [...sites(4).slice(1, 3), shown(20, { name: 'new', slug: 's0' })];
  lists[SITES][0]!['name'] = 'changed';
  const done = await run();
  expect(countsOf(done)).toEqual({ 'dcim.site': [1, 1, 1, 2] });
  expect([...target.objects('dcim.site').keys()].toSorted((a, b) => a - b)).toEqual([4, 7, 20, 99]);
  expect(toldOf(done, 'stayed')).toEqual([{ type: 'dcim.region', id: 1, told: 'id: is in use' }]);
});

test('a dry run tells the same and writes nothing', async () => {
  const { run, target } = await between({ ...circle(), '/api/plugins-like/things/': [shown(1)] });
  const tried = await run({ dryRun: true });
  expect(countsOf(tried)).toMatchObject({ 'dcim.device': [1, 0, 0, 0], 'dcim.interface': [2, 0, 0, 0] });
  expect(toldOf(tried, 'missing')).toEqual([
    { type: 'plugins-like/things', id: 1, display: 'no. 1', told: 'is of a type that is not here' },
  ]);
  expect([target.asked, target.objects('dcim.device').size]).toEqual([[], 0]);
});

test('what rules refuse is told although it is there; what cannot be there is told as refused', async () => {
  const { run } = await between({
    [DEVICES]: [shown(4, { name: 'd', site: brief(77) })],
    [INTERFACES]: [shown(5, { name: 'e0', device: brief(4), mtu: 1 })],
    [SITES]: [shown(1, { name: 'a', slug: 'a' }), shown(2, { name: 'b', slug: 'a' })],
  });
  const done = await run();
  expect(toldOf(done, 'refused')).toEqual([
    { type: 'dcim.site', id: 2, display: 'no. 2', told: 'slug: is taken' },
    { type: 'dcim.device', id: 4, display: 'no. 4', told: 'site: there is no dcim.site 77' },
    { type: 'dcim.interface', id: 5, display: 'no. 5', told: 'device: there is no dcim.device 4' },
  ]);
});

test('without history, journals stay away', async () => {
  const journal = { '/api/extras/journal-entries/': [shown(1, { comments: 'x' })], [SITES]: sites(1) };
  const { run } = await between(journal);
  expect(Object.keys(countsOf(await run({ history: false })))).toEqual(['dcim.site']);
});

describe('when something fails', () => {
  test('an import goes on where it was, when the source comes back', async () => {
    let answers = 8;
    const { run, source, target } = await between(
      { [SITES]: sites(4000) },
      {
        source: {
          instead(request) {
            if (!request.url!.includes('start=') || (answers -= 1) >= 6) return false;
            request.socket.destroy();
            return true;
          },
        },
      },
    );
    await expect(run()).rejects.toThrow(/does not answer/);
    const stored = target.objects('dcim.site').size;
    expect(stored).toBeGreaterThan(0);
    answers = 1000;
    const before = source.asked.length;
    const done = await run();
    expect([done.resumed, target.objects('dcim.site').size]).toEqual([true, 4000]);
    expect(source.asked.slice(before).filter((url) => url.includes('start=0'))).toEqual([]);
    expect(countsOf(done)['dcim.site']).toEqual([4000, 0, 0, 0]);
    expect((await run()).resumed).toBe(false);
  });

  test('a busy target is asked again, one that does not answer is reported', async () => {
    let failing = 0;
    const { run, target } = await between(
      { [SITES]: sites(1200) },
      {
        target: {
          instead(request, response) {
            if (request.method !== 'POST' || (failing += 1) % 2 === 0) return false;
            response.writeHead(failing % 4 === 1 ? 429 : 503, { 'retry-after': '0' }).end('{"detail":"slower"}');
            return true;
          },
        },
      },
    );
    await expect(run()).rejects.toThrow(/was answered with (429|503): slower/);
    expect(
      countsOf(await run({ retries: 3 }))
        ['dcim.site']!.slice(0, 3)
        .reduce((a, b) => a + b, 0),
    ).toBe(1200);
    expect(target.objects('dcim.site').size).toBe(1200);
  });

  test('a request that is too large is halved', async () => {
    const { run, target } = await between(
      { [SITES]: sites(300) },
      {
        target: {
          instead(request, response) {
            if (Number(request.headers['content-length'] ?? 0) < 6_000) return false;
            response.writeHead(413).end();
            return true;
          },
        },
      },
    );
    expect(countsOf(await run())).toEqual({ 'dcim.site': [300, 0, 0, 0] });
    expect(target.asked.length).toBeGreaterThan(1);
  });

  test('an import API that is off is reported in its own words', async () => {
    const { run } = await between(
      { [SITES]: sites(1) },
      {
        target: {
          instead: (_request, response) =>
            Boolean(response.writeHead(403).end('{"detail":"The import API is off: set IMPORT_API."}')),
        },
      },
    );
    await expect(run()).rejects.toThrow(/403: The import API is off: set IMPORT_API\./);
  });
});

describe('other objects at the same ids', () => {
  const own = {
    'dcim.site': [
      { id: 1, name: 'own', slug: 'own' },
      { id: 50, name: 's1', slug: 's1' },
    ],
  };
  const lists = {
    [SITES]: sites(3),
    [DEVICES]: [shown(2, { name: 'd', site: brief(1) }), shown(3, { name: 'e', site: brief(4) })],
  };

  test('are told, and nothing is changed', async () => {
    const { run, target } = await between(lists, { target: { objects: own } });
    const { conflicts, tallies } = await run();
    expect(conflicts).toEqual([{ type: 'dcim.site', id: 1, display: 'no. 1', why: 'id: another object has this id' }]);
    expect([tallies, target.asked]).toEqual([[], []]);
  });

  test('are left alone with --map-ids: references follow, and the next import knows them', async () => {
    const { run, target, folder } = await between(lists, { target: { objects: own } });
    const done = await run({ mapIds: true });
    expect(done.conflicts).toEqual([]);
    // One has the same name as an object of the target: it is matched with that object.
    expect(readFileSync(join(folder, 'ids.csv'), 'utf8')).toBe('type,old id,new id\ndcim.site,4,50\ndcim.site,1,51\n');
    expect(target.objects('dcim.site').get(1)?.object['name']).toBe('own');
    expect(target.objects('dcim.site').get(51)?.object['name']).toBe('s0');
    expect(target.objects('dcim.device').get(2)?.object['site']).toBe(51);
    expect(target.objects('dcim.device').get(3)?.object['site']).toBe(50);
    expect(countsOf(await run({ mapIds: true }))).toEqual({ 'dcim.site': [0, 0, 3, 0], 'dcim.device': [0, 0, 2, 0] });
  });

  test('tokens get other ids anyhow: the target has some always, and they are known by their secrets', async () => {
    const token = (id: number): Thing => shown(id, { key: `key${id}`, version: 2, user: brief(1) });
    const { run, target, lists } = await between(
      { '/api/users/users/': [shown(1, { username: 'admin' })], '/api/users/tokens/': [token(1), token(2)] },
      {
        target: {
          objects: { 'users.user': [{ id: 1, username: 'admin' }], 'users.token': [{ id: 1, key: 'ours', user: 1 }] },
        },
      },
    );
    const done = await run();
    expect([done.conflicts, countsOf(done)]).toEqual([[], { 'users.user': [0, 0, 1, 0], 'users.token': [2, 0, 0, 0] }]);
    expect([...target.objects('users.token')].map(([id, { object }]) => [id, object['key']]).toSorted()).toEqual([
      [1, 'ours'],
      [2, 'key2'],
      [3, 'key1'],
    ]);
    expect(countsOf(await run())['users.token']).toEqual([0, 0, 2, 0]);
    // The source creates an object with its next id: it must not be taken for the one that got that id at the target.
    lists['/api/users/tokens/']!.push(token(3));
    expect(countsOf(await run())['users.token']).toEqual([1, 0, 2, 0]);
    expect([1, 2, 3, 4].map((id) => target.objects('users.token').get(id)?.object['key'])).toEqual([
      'ours',
      'key2',
      'key1',
      'key3',
    ]);
  });
});

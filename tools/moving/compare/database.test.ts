import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Catalogue, type Dict, loadCatalogue } from '@cadastre/model';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { databaseSource } from '../import/sources/database/source.ts';
import { eachRecording } from '../import/sources/database/testing/eachRecording.ts';
import { restore } from '../import/sources/database/testing/restore.ts';
import { smallNetBox } from '../import/sources/database/testing/small.ts';
import type { Thing } from '../json.ts';
import { readerOf } from '../reader.ts';
import { type Installation, installation, type Lists } from '../testing/installation.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/servers/postgres.ts';
import { compare } from './compare.ts';
import { databaseSides } from './database.ts';
import { apiSide } from './side.ts';
import { isEqual, type Tally } from './tally.ts';

let catalogue: Catalogue;
beforeAll(async () => {
  catalogue = await loadCatalogue('services');
});

/** Compares a database with an API that has the given lists. */
async function compared(url: string, lists: Lists, only: string[] = [], ignore: string[] = []): Promise<Tally[]> {
  const api = await installation({ lists, token: 't' });
  const source = await databaseSource(url, { models: catalogue.models });
  try {
    const reader = readerOf(api.base, { authorization: 'Token t', retries: 0 });
    const [left, right] = await databaseSides(source, apiSide(reader), catalogue);
    return await compare({
      left: left!,
      right: right!,
      only,
      ignore: ['display', ...ignore],
      parallel: 2,
      progress: () => {},
    });
  } finally {
    await source.close();
    await api.close();
  }
}

const listOf = (path: string) => `/api/${path}/`;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await smallNetBox(database.url);
});
afterAll(() => database?.drop());

/** The small NetBox as its API would show it, including what tables do not hold. */
async function asShown(): Promise<Lists> {
  const source = await databaseSource(database.url, { models: catalogue.models });
  const lists: Lists = {};
  for (const collection of await source.collections())
    if (catalogue.models.has(collection.type))
      lists[listOf(collection.path)] = (await Array.fromAsync(source.read(collection))).map(
        (one): Thing => ({ ...one, url: `{base}${listOf(collection.path)}${String(one['id'])}/`, device_count: 3 }),
      );
  return lists;
}

const SITES = '/api/dcim/sites/';

test('tables and an API that say the same are the same, although the API says more', async () => {
  const shown = await asShown();
  const sites = shown[SITES]!.map((site): Thing => {
    const { region, asns, status, ...rest } = site as Dict;
    return {
      ...rest,
      display: 'called otherwise',
      status: { value: status!, label: 'Active' },
      region: region === null ? null : { id: region!, name: 'r' },
      asns: (asns as number[]).map((id) => ({ id, asn: 64_512 })).toReversed(),
      tags: ((site['tags'] ?? []) as number[]).map((id) => ({ id, slug: `t${id}` })),
    } as Thing;
  });
  const tallies = await compared(
    database.url,
    { ...shown, [SITES]: sites, '/api/ipam/vrfs/': [{ id: 1, name: 'v' }] },
    ['dcim', 'extras'],
  );
  expect(tallies.filter((one) => !isEqual(one))).toEqual([]);
  expect(tallies.find(({ list }) => list === SITES)).toMatchObject({ same: 25 });
});

test('what differs, is missing, or is more is told, and what tables have of types that nobody knows here', async () => {
  const shown = await asShown();
  const [first, second, ...others] = shown[SITES]!;
  const tallies = await compared(database.url, {
    ...shown,
    [SITES]: [{ ...first!, latitude: 1 }, ...others, { ...second!, id: 99 }],
  });
  expect(tallies.find(({ list }) => list === SITES)).toMatchObject({
    same: 23,
    different: 1,
    onlyLeft: { count: 1, ids: [2] },
    onlyRight: { count: 1, ids: [99] },
  });
  expect([...tallies.find(({ list }) => list === SITES)!.fields.keys()]).toEqual(['latitude']);
  expect(tallies.find(({ list }) => list === '/api/vpn/tunnel/')).toMatchObject({ onlyLeft: { count: 1 } });
});

test('the command takes the address of a database, and keeps its password to itself', async () => {
  const api: Installation = await installation({ lists: await asShown(), token: 'ours' });
  const run = (...words: string[]): Promise<{ code: number; out: string; err: string }> =>
    new Promise((resolve) => {
      execFile(
        process.execPath,
        [fileURLToPath(new URL('./main.ts', import.meta.url)), ...words],
        { env: { PATH: process.env['PATH'] } },
        (error, out, err) => resolve({ code: Number(error?.code ?? 0), out, err }),
      );
    });
  try {
    const to = ['--to', api.base, '--to-token', 'ours', '--only', 'dcim'];
    const same = await run('--from', database.url, ...to);
    expect([same.code, same.out]).toEqual([0, expect.stringContaining('Both have the same: 25 objects')]);
    const wrong = new URL(database.url);
    wrong.password = 'of-nobody';
    wrong.pathname = '/not-there';
    const failed = await run('--from', wrong.toString(), ...to);
    expect([failed.code, failed.out + failed.err]).toEqual([2, expect.stringContaining('cannot be read')]);
    expect(failed.out + failed.err).not.toContain('of-nobody');
  } finally {
    await api.close();
  }
});

eachRecording('the database of $name', (recording) => {
  let recorded: TestDatabase;
  beforeAll(async () => {
    recorded = await createTestDatabase();
    await restore(recording.dump, recorded.url);
  });
  afterAll(() => recorded?.drop());

  test('is found to hold what its API shows', async () => {
    const lists: Lists = {};
    for (const { app, path } of catalogue.models.values()) {
      const list = recording.list(`${app}/${path}`);
      // A list that was read by unordered pages holds some objects twice, and lacks others.
      if (list && new Set(list.map(({ id }) => id)).size === list.length)
        lists[listOf(`${app}/${path}`)] = list as Thing[];
    }
    // The token was used while the lists were read.
    const tallies = (await compared(recorded.url, lists, [])).filter(({ list }) => lists[list]);
    expect(
      tallies.flatMap(({ list, different, onlyLeft, onlyRight, problem, fields }) =>
        different || onlyLeft.count || onlyRight.count || problem
          ? [{ list, different, onlyLeft, onlyRight, problem, fields: [...fields].slice(0, 3) }]
          : [],
      ),
    ).toEqual([]);
    expect(tallies.reduce((sum, { same }) => sum + same, 0)).toBeGreaterThan(10_000);
  });
});

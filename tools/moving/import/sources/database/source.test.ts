import { type Catalogue, loadCatalogue } from '@cadastre/model';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../../testing/servers/postgres.ts';
import type { Collection } from '../source.ts';
import { snapshotOf } from './snapshot.ts';
import { type DatabaseSource, databaseSource } from './source.ts';
import { smallNetBox } from './testing/small.ts';

let database: TestDatabase;
let catalogue: Catalogue;
let source: DatabaseSource;
beforeAll(async () => {
  [database, catalogue] = await Promise.all([createTestDatabase(), loadCatalogue('services')]);
  await smallNetBox(database.url);
  source = await databaseSource(database.url, { models: catalogue.models, page: 10, connections: 2 });
});
afterAll(async () => {
  await source?.close();
  await database?.drop();
});

const sites: Collection = { type: 'dcim.site', path: 'dcim/sites', count: 25 };

const idsOf = async (collection: Collection, after?: number): Promise<unknown[]> =>
  (await Array.fromAsync(source.read(collection, after))).map(({ id }) => id);

/** The numbers from one to another. */
const numbers = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

test('says which types there are, with their counts: those that we know, and those that we miss something of', async () => {
  const found = await source.collections();
  expect(found.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
    { type: 'core.objectchange', path: 'core/object-changes', count: 2 },
    { type: 'dcim.region', path: 'dcim/regions', count: 0 },
    sites,
    { type: 'extras.customfield', path: 'extras/custom-fields', count: 4 },
    { type: 'extras.taggeditem', path: 'extras/tagged-objects', count: 3 },
    { type: 'users.token', path: 'users/tokens', count: 1 },
    { type: 'users.user', path: 'users/users', count: 1 },
    { type: 'vpn/tunnel', path: 'vpn/tunnel', count: 1 },
  ]);
  expect(await Array.fromAsync(source.read(found.find(({ type }) => type === 'vpn/tunnel')!))).toEqual([
    { id: 4, display: 'to the moon' },
  ]);
});

test('shows an object as the API does, and of what we have no field for what it holds', async () => {
  const [first, second] = await Array.fromAsync(source.read(sites));
  expect(first).toEqual({
    id: 1,
    display: 'site 1',
    name: 'site 1',
    status: 'active',
    time_zone: null,
    latitude: 47.5,
    region: null,
    asns: [],
    tags: [],
    custom_fields: { colour: null, floor: 3, seen: '2026-01-31T08:00:00Z' },
    created: '2026-01-31T08:00:00.500000Z',
    last_updated: null,
  });
  expect(second).toEqual({
    ...first,
    id: 2,
    display: 'site 2',
    name: 'site 2',
    region: 6,
    asns: [20, 30],
    tags: [4, 9],
    colour_of_door: 'red',
    shelves: [5],
  });
});

test('shows change records without what NetBox keeps for itself', async () => {
  const changes = await Array.fromAsync(source.read({ type: '', path: 'core/object-changes', count: 0 }));
  expect(changes).toEqual([
    {
      id: 1,
      display: '1',
      changed_object_type: 'dcim.region',
      changed_object_id: 1,
      prechange_data: {},
      postchange_data: { name: 'r' },
    },
    {
      id: 2,
      display: '4',
      changed_object_type: 'vpn.tunnel',
      changed_object_id: 4,
      prechange_data: { name: 't', created: 'x', level: 7 },
      postchange_data: {},
    },
  ]);
});

test('reads all objects by their ids, or those above one, and lets itself be left in the middle', async () => {
  expect(await idsOf(sites)).toEqual(numbers(1, 25));
  expect(await idsOf(sites, 10)).toEqual(numbers(11, 25));
  expect(await idsOf(sites, 25)).toEqual([]);
  for (let i = 0; i < 10; i += 1) for await (const { id } of source.read(sites)) if (id === 3) break;
  expect(await Promise.all(numbers(1, 10).map(() => idsOf(sites)))).toEqual(numbers(1, 10).map(() => numbers(1, 25)));
});

test('shows one state, whatever is written meanwhile', async () => {
  const reading = source.read(sites)[Symbol.asyncIterator]();
  await reading.next();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query('delete from dcim_site where id > 5');
    expect(await idsOf(sites)).toEqual(numbers(1, 25));
    const later = await databaseSource(database.url, { models: catalogue.models });
    expect(await Array.fromAsync(later.read(sites))).toHaveLength(5);
    await later.close();
  } finally {
    await client.end();
  }
});

test('changes nothing', async () => {
  const snapshot = await snapshotOf(database.url, 'it', 1);
  await expect(snapshot.ask('delete from dcim_site')).rejects.toThrow(/^it cannot be read: .*read-only transaction/);
  expect(await snapshot.ask('select count(*)::int from vpn_tunnel')).toEqual([[1]]);
  await snapshot.close();
});

test('gives users and tokens by the statement that operators run, also of a NetBox before 4.5', async () => {
  const [user, token, ...more] = await Array.fromAsync(source.accounts());
  expect(more).toEqual([]);
  expect(user).toMatchObject({ kind: 'user', id: 3, username: 'ann', last_name: '"\\', is_superuser: true });
  expect(user).toMatchObject({ config: { ui: { colormode: 'dark' } } });
  expect(token).toMatchObject({
    kind: 'token',
    version: 1,
    key: null,
    plaintext: 'TEST-VALUE-DO-NOT-USE',
    hmac_digest: null,
    enabled: true,
    description: 'two\nlines',
    allowed_ips: ['10.0.0.0/8', '::1/128'],
  });
});

test('tells nobody a secret: not in objects of users and tokens, not in its name', async () => {
  const shown = await Promise.all(
    ['users/users', 'users/tokens'].map((path) => Array.fromAsync(source.read({ type: '', path, count: 0 }))),
  );
  expect(shown.flat()).toMatchObject([
    { username: 'ann', is_superuser: true },
    { user: 3, write_enabled: true },
  ]);
  expect(JSON.stringify(shown)).not.toContain('TEST-VALUE');
  expect(source.name).toBe(`postgres://${new URL(database.url).host}${new URL(database.url).pathname}`);
});

test('says what is wrong with a database, and not the password', async () => {
  const empty = await createTestDatabase();
  try {
    await expect(databaseSource(empty.url, { models: catalogue.models })).rejects.toThrow(
      /^postgres:.* is not the database of a NetBox: it has no table django_content_type\.$/,
    );
  } finally {
    await empty.drop();
  }
  const wrong = new URL(database.url);
  wrong.password = 'TEST-VALUE-DO-NOT-USE';
  wrong.pathname = '/no_such_database';
  const refused = await databaseSource(wrong.href, { models: catalogue.models }).catch((error: Error) => error);
  expect(String(refused)).toMatch(/^Error: postgres:.*\/no_such_database cannot be read: /);
  expect(String(refused)).not.toContain('TEST-VALUE');
  expect(() => source.read({ type: 'a.b', path: 'a/b', count: 0 })).toThrow(/has no a\/b$/);
});

import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { resolve } from 'node:path';
import pg from 'pg';
import { typeId } from '@cadastre/model';
import { createLog, openDatabase, type Database } from '@cadastre/service';
import { migrationsOf } from '@cadastre/service/schema/index';
import { createTestDatabase, type TestDatabase } from '../../tools/testing/servers/postgres.ts';
import { forgetLostUsers, forgetUsers, unrecorded } from './changeLog.ts';
import { trimChanges } from './retention.ts';

const folder = resolve(import.meta.dirname, '..');
let database: TestDatabase;
let opened: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  opened = await openDatabase({
    url: database.url,
    migrations: migrationsOf(folder, 'extras'),
    config: { databasePool: 4, databaseWaitMs: 10_000, statementTimeoutMs: 30_000 },
    log: createLog('test', { logLevel: 'fatal', logFormat: 'json' }),
  });
});
afterAll(async () => {
  await opened?.close();
  await database?.drop();
});
beforeEach(async () => {
  await opened.pool.query(
    'delete from core_objectchange; delete from replica.users_user; delete from cache_invalidation',
  );
});

/** Change records of users that are a number of days old. */
const write = (...records: [days: number, user: number | null][]) =>
  opened.pool.query(
    `insert into core_objectchange (event_id, time, user_id, user_name, request_id, action, changed_object_type, changed_object_id, object_repr, message, changed_object_label)
   select gen_random_uuid(), now() - make_interval(days => d), u, 'somebody', gen_random_uuid(), 'update', 'dcim.site', 1, 'x', '', 'DCIM | site' from unnest($1::int[], $2::bigint[]) as r (d, u)`,
    [records.map(([days]) => days), records.map(([, user]) => user)],
  );
const users = async () =>
  (await opened.pool.query('select user_id::int as u from core_objectchange order by id')).rows.map(
    ({ u }) => u as number | null,
  );
const days = async () =>
  (
    await opened.pool.query('select extract(day from now() - time)::int as d from core_objectchange order by time desc')
  ).rows.map(({ d }) => d as number);

test('old records are removed in portions, and others are told', async () => {
  await write([1, 1], [29, 1], [31, 1], [60, 1], [90, 1], [400, 1], [500, 1]);
  expect(await trimChanges(opened.pool, 30, { batch: 2 })).toBe(5);
  expect(await days()).toEqual([1, 29]);
  expect((await opened.pool.query('select distinct type from cache_invalidation')).rows).toEqual([
    { type: typeId('core.objectchange') },
  ]);
  await opened.pool.query('truncate cache_invalidation');
  expect(await trimChanges(opened.pool, 30)).toBe(0);
  expect((await opened.pool.query('select 1 from cache_invalidation')).rows).toEqual([]);
});

test('one process removes them at a time', async () => {
  await write([60, 1]);
  const other = new pg.Client({ connectionString: database.url });
  await other.connect();
  try {
    await other.query(
      `begin; select pg_advisory_xact_lock(hashtextextended('cadastre retention of core.objectchange', 0))`,
    );
    expect(await trimChanges(opened.pool, 30)).toBe(0);
    expect(await days()).toEqual([60]);
  } finally {
    await other.end();
  }
});

test('users who are gone are taken out of their records', async () => {
  await write([1, 7], [2, 8], [3, 7], [4, null]);
  await forgetUsers([7], opened.pool);
  expect(await users()).toEqual([null, 8, null, null]);
});

test('so are those whose last changes arrived after they were gone, but not those who are too new to be known', async () => {
  await opened.pool.query('insert into replica.users_user (id, _version) values (3, 1), (9, 1)');
  await write([1, 3], [1, 4], [1, 9], [1, 4], [1, 10], [1, null]);
  await forgetLostUsers(opened.pool);
  expect(await users()).toEqual([3, null, 9, null, 10, null]);
});

test('says of which events there is no record, parked ones apart', async () => {
  await write([1, 1]);
  const {
    rows: [record],
  } = await opened.pool.query<{ event_id: string }>('select event_id from core_objectchange');
  const lost = '019a0000-0000-7000-8000-000000000001';
  const parked = '019a0000-0000-7000-8000-000000000002';
  await opened.pool.query(
    `insert into parked_message ("group", topic, partition, position, key, value, error, headers) values ('g', 't', 0, 1, 'k', 'v', 'e', $1), ('g', 't', 0, 2, 'k', 'v', 'e', null)`,
    [JSON.stringify({ 'event-id': parked })],
  );
  expect(await unrecorded([record!.event_id, lost, parked], opened.pool)).toEqual([lost]);
});

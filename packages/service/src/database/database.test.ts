import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type FaultProxy, startFaultProxy } from '../../../../tests/faults/system/faultProxy.ts';
import { createTestDatabase, type TestDatabase } from '../../../../tools/testing/servers/postgres.ts';
import { withDatabase } from '../settings/config.ts';
import { type Database, openDatabase } from './database.ts';
import { transaction } from '@cadastre/rest';
import { asHttpError } from '../http/errors.ts';
import { executor, rawText } from './executor.ts';
import { createLog } from '../observe/log.ts';
import { countStatements } from './statements.ts';

const config = { databasePool: 4, databaseWaitMs: 300, statementTimeoutMs: 400 };
const log = createLog('test', { logLevel: 'silent', logFormat: 'json' });
const migrations = fileURLToPath(new URL('./fixtures/migrations', import.meta.url));
let place: TestDatabase;
let database: Database;
let other: Database;

beforeAll(async () => {
  place = await createTestDatabase();
  const options = { url: place.url, migrations, config, log };
  [database, other] = await Promise.all([openDatabase(options), openDatabase(options)]);
});
afterAll(async () => {
  await Promise.all([database?.close(), other?.close()]);
  await place?.drop();
});

describe('openDatabase', () => {
  test('migrates once although two processes opened it at the same time', async () => {
    const { rows } = await database.pool.query('select name from mikro_orm_migrations');
    expect(rows).toEqual([{ name: 'Migration20260101000000' }]);
  });

  test('has the extensions', async () => {
    const { rows } = await database.pool.query<{ extname: string }>('select extname from pg_extension');
    expect(rows.map((row) => row.extname)).toEqual(expect.arrayContaining(['citext', 'pg_trgm', 'btree_gist']));
  });

  test('stops statements that take too long', async () => {
    await expect(database.pool.query('select pg_sleep(5)')).rejects.toMatchObject({ code: '57014' });
    await database.check();
  });

  test('waits for a database only so long, and shows no password', async () => {
    const url = withDatabase(place.url, 'absent');
    const error: Error = await openDatabase({ url, config, log }).then(
      () => new Error('opened'),
      (reason: Error) => reason,
    );
    expect(error.message).toContain('absent');
    expect(error.message).not.toContain(new URL(url).password);
  });

  test('says at once that a password is wrong', async () => {
    const url = new URL(place.url);
    url.password = 'wrong';
    const started = Date.now();
    await expect(
      openDatabase({ url: url.toString(), config: { ...config, databaseWaitMs: 120_000 }, log }),
    ).rejects.toThrow('password authentication failed');
    expect(Date.now() - started).toBeLessThan(60_000);
  });
});

describe('transaction', () => {
  const names = async () =>
    (await executor(database.pool).query<{ name: string }>({ text: 'select name from thing order by id' })).rows.map(
      (row) => row.name,
    );

  test('commits, or rolls everything back', async () => {
    expect(
      await transaction(
        database.pool,
        async (connection) =>
          (await connection.query({ text: 'insert into thing (name) values ($1)', values: ['a'] })).rowCount,
      ),
    ).toBe(1);
    await expect(
      transaction(database.pool, async (connection) => {
        await connection.query({ text: 'insert into thing (name) values ($1)', values: ['b'] });
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await names()).toEqual(['a']);
  });

  test('a connection that broke is not used again', async () => {
    await expect(
      transaction(database.pool, async (connection) => {
        const { rows } = await connection.query<{ pid: number }>({ text: 'select pg_backend_pid() as pid' });
        await other.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
        await connection.query({ text: 'select 1' });
      }),
    ).rejects.toThrow();
    for (let i = 0; i < 8; i++) await database.check();
  });
});

describe('a network that swallows what is sent', () => {
  let proxy: FaultProxy;
  let behind: Database;
  beforeAll(async () => {
    const url = new URL(place.url);
    const port = Number(url.port);
    proxy = await startFaultProxy(() => port);
    Object.assign(url, { hostname: '127.0.0.1', port: proxy.port });
    behind = await openDatabase({
      url: url.toString(),
      migrations,
      // A new connection has as long as a statement: where all cores are busy, it takes a while to be there.
      config: { ...config, databasePool: 2, statementTimeoutMs: 2_000 },
      log,
    });
  });
  afterAll(async () => {
    await proxy?.close();
    await behind?.close();
  });
  const pid = async () => (await behind.pool.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid;

  test('is noticed soon after a statement would have been stopped, and its connections are not used again', async () => {
    const known = new Set(await Promise.all([pid(), pid()]));
    expect(known.size).toBe(2);
    const inHand = Promise.withResolvers<void>();
    const forgotten = Promise.withResolvers<void>();
    const working = transaction(behind.pool, async (connection) => {
      await connection.query('select 1');
      inHand.resolve();
      await forgotten.promise;
      await connection.query(`insert into thing (name) values ('on its way')`);
    });
    working.catch(() => {});
    await inHand.promise;
    proxy.forget();
    forgotten.resolve();
    const failures = await Promise.all(
      [working, behind.check()].map((one) =>
        one.then(
          () => undefined,
          (error: unknown) => error,
        ),
      ),
    );
    for (const error of failures) {
      expect(error).toMatchObject({ message: 'Query read timeout' });
      expect(asHttpError(error)).toMatchObject({ status: 503 });
    }
    // Both at once, so that each has a connection of its own.
    for (const id of await Promise.all([pid(), pid()])) expect(known).not.toContain(id);
    expect((await behind.pool.query(`select from thing where name = 'on its way'`)).rowCount).toBe(0);
  });
});

test('an executor hands over raw text in the order of the columns', async () => {
  const { rows } = await executor(database.pool).query<string[]>({
    name: 'raw',
    text: 'select 1::bigint, null, $1::timestamptz, array[1,2]',
    values: ['2026-01-01T00:00:00Z'],
    rowMode: 'array',
    types: rawText,
  });
  expect(rows).toEqual([['1', null, expect.stringContaining('2026-01-01'), '{1,2}']]);
});

test('statements are counted, those of transactions too', async () => {
  const counter = countStatements(database.pool);
  await database.pool.query('select 1');
  await executor(database.pool).query({ text: 'select 2' });
  const client = await database.pool.connect();
  await client.query('select 3');
  client.release();
  await transaction(database.pool, (connection) => connection.query({ text: 'select 4' }));
  expect(counter.texts).toEqual(['select 1', 'select 2', 'select 3', 'begin', 'select 4', 'commit']);
  expect(counter.count).toBe(4);
  counter.reset();
  expect(counter.count).toBe(0);
  counter.stop();
  await database.pool.query('select 5');
  expect(counter.count).toBe(0);
});

import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../../../tools/testing/servers/postgres.ts';
import { openDatabase } from '../database.ts';
import { createLog } from '../../observe/log.ts';

const config = { databasePool: 2, databaseWaitMs: 300, statementTimeoutMs: 2_000 };
const log = createLog('test', { logLevel: 'silent', logFormat: 'json' });
/** The migrations of three versions of a program, each with more than the one before. */
type Version = 'migrations' | 'later' | 'later-still';
let place: TestDatabase;

/** Starts a version as a service does; returns undefined, or why it refused. */
async function start(version: Version): Promise<{ name: string; message: string } | undefined> {
  const migrations = fileURLToPath(new URL(`../fixtures/${version}`, import.meta.url));
  try {
    const database = await openDatabase({ url: place.url, migrations, config, log });
    await database.close();
    return undefined;
  } catch (error) {
    return { name: (error as Error).name, message: (error as Error).message };
  }
}

async function ask<Row extends object>(statement: string): Promise<Row[]> {
  const client = new Client({ connectionString: place.url });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}
const had = async () =>
  (await ask<{ name: string }>('select name from mikro_orm_migrations order by id')).map(({ name }) => name);

beforeEach(async () => {
  place = await createTestDatabase();
});
afterEach(() => place.drop());

test('an earlier program refuses tables that a later one has changed, in a sentence that says what is where', async () => {
  expect(await start('later-still')).toBeUndefined();
  const name = new URL(place.url).pathname.slice(1);
  const refusal = {
    name: 'NewerSchema',
    message: expect.stringMatching(
      new RegExp(
        `^A later version of Cadastre has changed the tables of the database ${name} \\(there: Migration20280101000000_names; this version knows: Migration20270101000000_size\\)[^.]*\\.$`,
      ),
    ),
  };
  expect(await start('later')).toEqual(refusal);
  expect(await start('migrations')).toMatchObject({ name: 'NewerSchema' });
  expect(await start('later-still')).toBeUndefined();
});

test('it goes on beside a later one whose migrations say that it may', async () => {
  expect(await start('migrations')).toBeUndefined();
  expect(await start('later')).toBeUndefined();
  expect(await start('migrations')).toBeUndefined();
  expect(await start('later-still')).toBeUndefined();
  expect(await start('migrations')).toMatchObject({ name: 'NewerSchema' });
});

test('one that knows some and lacks others brings nothing of its own', async () => {
  expect(await start('migrations')).toBeUndefined();
  // For example a migration of another branch.
  await ask(`insert into mikro_orm_migrations (name) values ('Migration20260606000000_elsewhere')`);
  expect(await start('later')).toMatchObject({
    name: 'NewerSchema',
    message: expect.stringContaining('there: Migration20260606000000_elsewhere'),
  });
  expect(await had()).toEqual(['Migration20260101000000', 'Migration20260606000000_elsewhere']);
});

test('of two that start at once on an empty database the earlier one refuses, or was first', async () => {
  const [earlier, later] = await Promise.all([start('later'), start('later-still')]);
  expect(later).toBeUndefined();
  if (earlier) expect(earlier.name).toBe('NewerSchema');
  expect(await start('later')).toMatchObject({ name: 'NewerSchema' });
  expect(await had()).toEqual([
    'Migration20260101000000',
    'Migration20270101000000_size',
    'Migration20280101000000_names',
  ]);
});

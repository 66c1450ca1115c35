import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../../../tools/testing/servers/postgres.ts';
import { layoutStatements, refuseNewerLayout } from './layout.ts';
import { createPostgresLog } from '../log.ts';

let database: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 2 });
});
afterAll(async () => {
  await pool?.end();
  await database?.drop();
});
/** The program of this version, which opens the log and closes it again. */
const start = async (): Promise<void> => (await createPostgresLog({ connection: database.url })).close();
/** What a program with that layout writes down at its start. */
const startOf = async (version: number, oldest: number): Promise<void> => {
  for (const statement of layoutStatements(version, oldest)) await pool.query(statement);
};
const noted = async () => (await pool.query(`select "version", "oldest" from "log"."layout"`)).rows;

it('notes its layout, and an earlier program refuses one that it must not use', async () => {
  await start();
  expect(await noted()).toEqual([{ version: 1, oldest: 1 }]);
  // A later version has added something that this version can work without.
  await startOf(2, 1);
  await start();
  expect(await noted()).toEqual([{ version: 2, oldest: 1 }]);
  await startOf(3, 3);
  await expect(start()).rejects.toMatchObject({
    name: 'NewerSchema',
    message: expect.stringMatching(
      /^A later version .* the event log in the database \S+ \(there: layout 3; this version knows: layout 1\)[^.]*\.$/,
    ),
  });
  await startOf(2, 1);
  expect(await noted()).toEqual([{ version: 3, oldest: 3 }]);
  const client = await pool.connect();
  await refuseNewerLayout(client, 3).finally(() => client.release());
});

it('takes a log from before layouts were noted', async () => {
  await pool.query(`drop table "log"."layout"`);
  await start();
  expect(await noted()).toEqual([{ version: 1, oldest: 1 }]);
});

import { expect, test } from '@jest/globals';
import pg from 'pg';
import { isAlive } from '../../local/processes/identify.ts';
import { createTestDatabase } from './postgres.ts';

test('each database is new and empty, and dropped after use', async () => {
  const [one, two] = [await createTestDatabase(), await createTestDatabase()];
  const client = new pg.Client({ connectionString: one.url });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('create table t (id int)');
  const other = new pg.Client({ connectionString: two.url });
  await other.connect();
  expect((await other.query(`select to_regclass('t') as found`)).rows).toEqual([{ found: null }]);
  await other.end();
  await Promise.all([one.drop(), two.drop()]);
  await expect(new pg.Client({ connectionString: one.url }).connect()).rejects.toThrow();
});

test('a process that does not exist is not alive', () => {
  expect(isAlive(process.pid)).toBe(true);
  expect(isAlive(2 ** 22 + 1)).toBe(false);
});

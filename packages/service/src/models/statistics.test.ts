import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../../tools/testing/postgres.ts';
import { analyzeOutgrown } from './statistics.ts';

let database: TestDatabase, pool: pg.Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 1 });
  await pool.query('create schema replica; create table replica."A b" (id bigint primary key, text text) with (autovacuum_enabled = false)');
});
afterAll(async () => { await pool?.end(); await database?.drop(); });

const grow = (rows: number) => pool.query(`insert into replica."A b" select n, repeat('x', 200) from generate_series((select count(*) + 1 from replica."A b"), (select count(*) + $1::int from replica."A b")) n`, [rows]);
const plan = async () => (await pool.query<{ 'QUERY PLAN': string }>(`explain execute find('[{"id": 5}]')`)).rows.map((row) => row['QUERY PLAN']).join('\n');

test('a table that has grown many times over is looked at, once, and statements are planned anew', async () => {
  await pool.query(`prepare find(jsonb) as select t.* from replica."A b" t, jsonb_to_recordset($1) as r(id bigint) where t.id = r.id`);
  for (let i = 0; i < 6; i++) await plan();
  await grow(2_000);
  expect(await analyzeOutgrown(pool)).toEqual([]);
  await grow(20_000);
  expect(await plan()).toContain('Seq Scan on "A b"');
  expect(await analyzeOutgrown(pool)).toEqual(['replica."A b"']);
  expect(await plan()).toContain('Index Scan');
  expect(await analyzeOutgrown(pool)).toEqual([]);
  await grow(20_000);
  expect(await analyzeOutgrown(pool)).toEqual([]);
});

test('one that another is looking at is left to him', async () => {
  await grow(200_000);
  const other = new pg.Client(database.url);
  await other.connect();
  try {
    await other.query('begin; lock table replica."A b" in share update exclusive mode');
    expect(await analyzeOutgrown(pool)).toEqual(['replica."A b"']);
    await other.query('commit');
    expect(await analyzeOutgrown(pool)).toEqual(['replica."A b"']);
    expect(await analyzeOutgrown(pool)).toEqual([]);
  } finally { await other.end(); }
});

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { PoolClient } from 'pg';
import { openTown, type Town } from '../testing/database.ts';
import { idsIn } from './sql.ts';

let town: Town;
let client: PoolClient;
beforeAll(async () => {
  town = await openTown();
  await town.sql(
    `insert into town_house (id, name, slug) select i, 'h' || i, 'h' || i from generate_series(1, 5000) i`,
  );
  await town.sql('analyze town_house');
  client = await town.pool.connect();
});
afterAll(async () => {
  client?.release();
  await town?.close();
});

/** How often a plan was made anew for the last ten of thirty questions for some ids. */
async function made(name: string, condition: string, ids: readonly number[]): Promise<number> {
  const plans = async (): Promise<number> =>
    (
      await client.query<{ made: number }>(
        'select custom_plans::int as made from pg_prepared_statements where name = $1',
        [name],
      )
    ).rows[0]?.made ?? 0;
  let before = 0;
  for (let i = 0; i < 30; i++) {
    if (i === 20) before = await plans();
    const { rows } = await client.query<{ id: string }>({
      name,
      text: `select id from town_house t where t.id = ${condition}`,
      values: [ids],
    });
    expect(rows.map(({ id }) => Number(id)).sort((a, b) => a - b)).toEqual(ids);
  }
  return (await plans()) - before;
}

test('a look-up by ids is planned once, which the usual words for it are not', async () => {
  expect(await made('usual', 'any($1::bigint[])', [7])).toBe(10);
  expect(await made('one', idsIn('$1'), [7])).toBe(0);
  expect(
    await made(
      'many',
      idsIn('$1'),
      Array.from({ length: 500 }, (_, i) => i + 1),
    ),
  ).toBe(0);
});

test('it goes by the index', async () => {
  const { rows } = await client.query(`explain (costs off) execute one('{1}')`);
  expect(JSON.stringify(rows)).toContain('town_house_pkey');
});

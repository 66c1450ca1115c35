import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { typeId } from '@cadastre/model';
import type { Engine } from '../../engine.ts';
import { list } from './list.ts';
import { parseQuery } from '../query/query.ts';
import { openTown, type Town } from '../../testing/database.ts';
import { house, superuser } from '../../testing/town.ts';

let town: Town;
let engine: Engine;
let asked: string[] = [];
// Rows that are remembered are not looked for.
const forgetful = (): Engine => {
  const { settings } = town.engine();
  return town.engine({ settings: { ...settings, rowTextBytes: 0 } });
};
const ROWS = 20_000;
const page = async (query: string): Promise<{ count: number; names: string[] }> => {
  const { count, results } = JSON.parse(
    await list(engine, house, parseQuery(query, engine.settings), superuser, { base: '', path: '/' }),
  ) as { count: number; results: { name: string }[] };
  return { count, names: results.map((r) => r.name) };
};
const along = () => asked.map((text) => Number(/limit (\d+)\) t/.exec(text)?.[1] ?? 0)).filter(Boolean);

beforeAll(async () => {
  town = await openTown();
  // Every tenth has three floors; those of five are the last in the order.
  await town.sql(
    `insert into town_house (id, name, slug, floors) select i, 'h' || i, 'h' || i, case when i > ${ROWS} - 2000 then 5 when i % 10 = 0 then 3 else 1 end from generate_series(1, ${ROWS}) i`,
  );
  await town.sql('vacuum analyze town_house');
  const query = town.pool.query.bind(town.pool) as (...given: unknown[]) => unknown;
  (town.pool as { query: unknown }).query = (...given: unknown[]) => {
    asked.push((given[0] as { text?: string }).text ?? '');
    return query(...given);
  };
});
beforeEach(() => {
  engine = forgetful();
  asked = [];
});
afterAll(async () => {
  await town?.close();
});

test('a page of a list that many objects match is found along the order, and is the same', async () => {
  for (const query of ['floors=3&limit=20', 'floors=3&limit=20&offset=300', 'floors=3&limit=20&brief=true']) {
    engine = forgetful();
    asked = [];
    const cold = await page(query);
    // The total is not known yet.
    expect(along()).toEqual([]);
    expect(cold.names).toHaveLength(20);
    for (let i = 0; i < 3; i++) expect(await page(query)).toEqual(cold);
    expect(along()).toEqual([4096, 4096, 4096]);
  }
});

test('one that is not among those that come first is looked for further on, and then left to PostgreSQL', async () => {
  const cold = await page('floors=5&limit=20');
  for (let i = 0; i < 4; i++) expect(await page('floors=5&limit=20')).toEqual(cold);
  expect(along()).toEqual([4096, 16384]);
});

test.each(['floors=3&limit=20&ordering=-name', 'floors=3&limit=20&start=5', 'floors=3&name=h10&limit=20', 'limit=20'])(
  'no other page is: %s',
  async (query) => {
    const cold = await page(query);
    expect(await page(query)).toEqual(cold);
    expect(along()).toEqual([]);
  },
);

test('what was written before is there', async () => {
  await page('floors=3&limit=3');
  await town.sql(`insert into town_house (id, name, slug, floors) values (90001, 'a first one', 'a', 3)`);
  await town.sql('insert into cache_invalidation (type, id) values ($1, 90001)', [typeId('town.house')]);
  expect((await page('floors=3&limit=3')).names[0]).toBe('a first one');
  expect((await page('floors=3&limit=3')).names[0]).toBe('a first one');
});

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { typeId } from '@cadastre/model';
import type { Engine } from '../../engine.ts';
import { list } from './list.ts';
import { parseQuery } from '../query/query.ts';
import { openTown, type Town } from '../../testing/database.ts';
import { house, superuser } from '../../testing/town.ts';

let town: Town;
let engine: Engine;
const ROWS = 3000;
const page = async (query: string): Promise<{ count: number; next: string | null; names: string[] }> => {
  const { count, next, results } = JSON.parse(
    await list(engine, house, parseQuery(query, engine.settings), superuser, { base: '', path: '/' }),
  ) as { count: number; next: string | null; results: { name: string }[] };
  return { count, next, names: results.map((r) => r.name) };
};

beforeAll(async () => {
  town = await openTown();
  engine = town.engine();
  await town.sql(
    `insert into town_house (id, name, slug, floors) select i, 'h' || i, 'h' || i, case when i % 3 = 0 then i % 50 end from generate_series(1, ${ROWS}) i`,
  );
});
afterAll(async () => {
  await town?.close();
});

test.each(['', '&ordering=-name', '&ordering=floors', '&ordering=-floors,-name', '&floors__empty=false'])(
  'a page far from the beginning is the same when it is read from the end %s',
  async (more) => {
    for (const offset of [1000, 1600, 2970, 2990, 3000, 5000]) {
      const query = `limit=20&offset=${offset}${more}`;
      // The first time the total is not known yet, so the page is read from the beginning.
      engine = town.engine();
      const cold = await page(query);
      expect(await page(query)).toEqual(cold);
    }
  },
);

test('what was written before counts, the total among it', async () => {
  const query = 'limit=10&offset=2995';
  await page(query);
  await town.sql(`insert into town_house (id, name, slug) values (9001, 'h9001', 'h9001')`);
  await town.sql('insert into cache_invalidation (type, id) values ($1, 9001)', [typeId('town.house')]);
  expect(await page(query)).toEqual({
    count: ROWS + 1,
    next: null,
    names: ['h2996', 'h2997', 'h2998', 'h2999', 'h3000', 'h9001'],
  });
});

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { detail } from '../../read/detail.ts';
import { parseQuery } from '../../read/query/query.ts';
import { openTown, type Town } from '../../testing/database.ts';
import { house, superuser } from '../../testing/town.ts';
import type { WriteContext } from '../context/context.ts';
import { updateOne } from '../update/update.ts';

let town: Town;
const context: WriteContext = {
  who: superuser,
  base: '',
  cause: { id: '019a0000-0000-7000-8000-0000000000cc', method: 'PATCH', path: '/', user: 'root', userId: 1 },
};

beforeAll(async () => {
  town = await openTown();
  await town.sql(`insert into town_house (id, name, slug) values (1, 'A', 'a')`);
  await town.sql(`insert into town_note (id, text, seen) values (1, 'one', '{1}'), (2, 'two', '{}')`);
});
afterAll(async () => {
  await town?.close();
});

test('the answer to a write and its record show the lists that the write has changed, although the old ones are remembered', async () => {
  const engine = town.engine();
  const shown = async () =>
    (
      JSON.parse((await detail(engine, house, '1', parseQuery('', engine.settings), superuser, '')).text) as {
        seen_in: { id: number }[];
      }
    ).seen_in;
  expect(await shown()).toEqual([{ id: 1 }]);
  const { texts } = await updateOne(engine, house, 1, { seen_in: [2] }, 'patch', undefined, context);
  expect((JSON.parse(texts[0]!) as { seen_in: { id: number }[] }).seen_in).toEqual([{ id: 2 }]);
  expect(
    await town.sql(`select body::jsonb -> 'data' -> 'seen_in' as seen from change where key = 'town.house:1'`),
  ).toEqual([{ seen: [{ id: 2 }] }]);
  expect(await shown()).toEqual([{ id: 2 }]);
});

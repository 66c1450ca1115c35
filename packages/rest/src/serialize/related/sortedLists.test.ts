import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { typeId } from '@cadastre/model';
import type { Engine } from '../../engine.ts';
import { openTown, type Town } from '../../testing/database.ts';
import { sortedIds, sortLists, sortLater, type ListsToSort } from './sortedLists.ts';

let town: Town;
let engine: Engine;

beforeAll(async () => {
  town = await openTown();
  await town.sql(
    `insert into town_district (id, name, slug, parent_id, _path, _sort) values (1, 'b', 'b', null, '{1}', '{b}'), (2, 'a', 'a', null, '{2}', '{a}'), (3, 'c', 'c', 2, '{2,3}', '{a,c}')`,
  );
  await town.sql(
    `insert into town_house (id, name, slug, district_id) values (1, 'n10', 'a', 1), (2, 'N9', 'b', 1), (3, 'n2', 'c', 1), (4, 'é', 'd', 1), (5, 'f', 'e', 1)`,
  );
});
beforeEach(() => {
  engine = town.engine();
});
afterAll(async () => {
  await town?.close();
});

const lists = (cells: [type: string, cell: string | null][]): ListsToSort => {
  const all: ListsToSort = new Map();
  for (const [type, cell] of cells) sortLater(all, type, cell);
  return all;
};

/** The ids of lists in order, and how many statements it took. */
async function sorted(...cells: [type: string, cell: string | null][]) {
  const readContext = await engine.readContext();
  const before = town.statements();
  const found = await sortLists(readContext, lists(cells));
  return {
    ids: cells.map(([type, cell]) => sortedIds(found.get(type), cell).join()),
    statements: town.statements() - before,
  };
}

const house = 'town.house';

test('lists have the order of their type: names as people sort them, trees branch by branch', async () => {
  expect(
    await sorted([house, '{1,2,3}'], [house, '{5,4}'], ['town.district', '{1,2,3}'], [house, '{2}'], [house, null]),
  ).toEqual({ ids: ['3,2,1', '4,5', '2,3,1', '2', ''], statements: 1 });
});

test('nothing is asked of what is remembered, nor of lists of one', async () => {
  await sorted([house, '{1,2}']);
  expect(await sorted([house, '{1,2}'])).toEqual({ ids: ['2,1'], statements: 0 });
  expect((await sorted([house, '{1,2}'], [house, '{1,3}'])).statements).toBe(1);
  expect((await sorted([house, '{1}'], [house, '{}'])).statements).toBe(0);
});

test('a rename changes the order, also of what is remembered', async () => {
  await sorted([house, '{1,2,3}']);
  await town.sql(`update town_house set name = 'a' where id = 1`);
  engine.cache.invalidate(typeId(house), '1');
  expect((await sorted([house, '{1,2,3}'])).ids).toEqual(['1,3,2']);
  await town.sql(`update town_house set name = 'n10' where id = 1`);
});

test('a transaction sees what it has written, and keeps that for itself', async () => {
  await sorted([house, '{1,2,3}']);
  const client = await town.pool.connect();
  try {
    await client.query('begin');
    await client.query(`update town_house set name = 'a' where id = 1`);
    const readContext = await engine.readContext(client);
    const written = { created: new Map(), stored: new Map([[house, new Set(['1'])]]) };
    const found = await sortLists({ ...readContext, written }, lists([[house, '{1,2,3}']]));
    expect(sortedIds(found.get(house), '{1,2,3}')).toEqual(['1', '3', '2']);
    expect((await sorted([house, '{1,2,3}'])).ids).toEqual(['3,2,1']);
  } finally {
    await client.query('rollback');
    client.release();
  }
});

test('what is gone stays behind what it stood behind', async () => {
  expect((await sorted([house, '{99,1,98,3}'])).ids).toEqual(['99,3,1,98']);
});

test('of what is not here the order is as it was given', async () => {
  expect(await sorted(['people.unheard', '{3,1}'])).toEqual({ ids: ['3,1'], statements: 0 });
});

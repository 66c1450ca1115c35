import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { typeId } from '@cadastre/model';
import type { Pool } from 'pg';
import { eventually } from '../../../../tests/support/eventually.ts';
import { openTown, type Town } from '../testing/database.ts';
import { tables } from '../testing/town.ts';
import { AutoAnalyze } from './autoAnalyze.ts';

const HOUSE = typeId('town.house');
const PERSON = typeId('people.person');

let town: Town;
let growth: AutoAnalyze;
beforeAll(async () => {
  town = await openTown();
  await town.sql('alter table town_house set (autovacuum_enabled = false)');
});
afterAll(async () => {
  await town?.close();
});
beforeEach(async () => {
  growth = new AutoAnalyze(town.pool, tables);
  await town.sql('truncate town_house cascade');
  await town.sql(`insert into town_house (id, name, slug) select i, 'h' || i, 'h' || i from generate_series(1, 10) i`);
});

/** How many rows PostgreSQL believes that there are; -1 where it has never looked. */
const believed = async () =>
  Number((await town.sql(`select reltuples from pg_class where relname = 'town_house'`))[0]!['reltuples']);
const grow = () =>
  town.sql(`insert into town_house (id, name, slug) select i, 'h' || i, 'h' || i from generate_series(11, 6000) i`);
const touch = (type: number, id: string, times: number): void => {
  for (let i = 0; i < times; i++) growth.noteChange(type, id);
};

test('a table that was small is looked at when much has been written', async () => {
  await town.sql('analyze town_house');
  await grow();
  touch(HOUSE, '7', 4_999);
  touch(PERSON, '7', 4_999);
  expect(await believed()).toBe(10);
  touch(HOUSE, '7', 1);
  await eventually(async () => expect(await believed()).toBe(6000));
});

test('all objects of a type count as many', async () => {
  await town.sql('analyze town_house');
  await grow();
  touch(HOUSE, '0', 20);
  await eventually(async () => expect(await believed()).toBe(6000));
});

test('one that is known to be large is left to PostgreSQL, as is one of which nothing is known, and what is kept elsewhere', async () => {
  const asked: string[] = [];
  const pool = {
    query: async (text: string, values?: unknown[]) => {
      asked.push(text.startsWith('analyze') ? text : 'small?');
      return town.pool.query(text, values);
    },
  } as unknown as Pool;
  growth = new AutoAnalyze(pool, tables);
  await grow();
  touch(HOUSE, '0', 20);
  await eventually(() => expect(asked).toHaveLength(1));
  await town.sql('analyze town_house');
  touch(HOUSE, '0', 20);
  await eventually(() => expect(asked).toHaveLength(2));
  touch(12345, '0', 4_999);
  expect(asked).toEqual(['small?', 'small?']);
});

test('one that fails is not the last, and the next look comes when there is twice as much', async () => {
  let asked = 0;
  const pool = {
    query: async () => {
      asked += 1;
      throw new Error('read-only');
    },
  } as unknown as Pool;
  growth = new AutoAnalyze(pool, tables);
  touch(HOUSE, '0', 20);
  touch(PERSON, '0', 20);
  await eventually(() => expect(asked).toBe(2));
  touch(HOUSE, '0', 19);
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked).toBe(2);
  touch(HOUSE, '0', 1);
  await eventually(() => expect(asked).toBe(3));
});

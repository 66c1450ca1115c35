import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { typeId } from '@cadastre/model';
import type { Engine } from '../engine.ts';
import type { Requester } from '../plan/permissions.ts';
import { detail, list } from '../read.ts';
import { writerFor } from '../plan/plan.ts';
import { parseQuery } from '../request/query.ts';
import { openTown, type Town } from '../testing/database.ts';
import { catalogue, house, note, superuser, user } from '../testing/town.ts';
import { CustomFieldDefinitions, NO_DEFINITIONS } from './customFields.ts';
import { shownIn } from './embedders.ts';

let town: Town;
let engine: Engine;
beforeAll(async () => {
  town = await openTown();
  await town.sql(`insert into replica.people_person (id, name, _version) values (1, 'Ann', 1)`);
  await town.sql(`insert into town_house (id, name, slug, keeper_id) values (1, 'A', 'a', 1), (2, 'B', 'b', null)`);
});
afterAll(async () => {
  await town?.close();
});
// The first look of a process forgets everything.
const fresh = async (rowTextBytes = 4_000_000) => {
  engine = town.engine();
  engine = town.engine({ settings: { ...engine.settings, rowTextBytes } });
  await engine.look.wait();
};
beforeEach(() => fresh());

interface House {
  id: number;
  url: string;
  name: string;
  comments: string;
  keeper: { name: string } | null;
  room_count: number;
}
const page = async (search = '', base = 'http://x') =>
  (
    JSON.parse(await list(engine, house, parseQuery(search, engine.settings), superuser, { base, path: '/' })) as {
      results: House[];
    }
  ).results;
const one = (who: Requester = superuser) =>
  detail(engine, house, '1', parseQuery('', engine.settings), who, 'http://x');
const touch = (type: string, id: number) =>
  town.sql('insert into touched (type, id) values ($1, $2)', [typeId(type), id]);

/** The statements that some work runs on the houses' table, as they begin. */
async function asked(work: () => Promise<unknown>): Promise<string[]> {
  const spy = jest.spyOn(town.pool, 'query');
  const { calls } = spy.mock;
  try {
    await work();
  } finally {
    spy.mockRestore();
  }
  const texts = calls
    .map(([given]) => (given as unknown as { text?: string }).text ?? String(given))
    .filter((text) => text.includes('from "town_house" t') && !text.includes('count(*)'));
  return texts.map((text) => (text.startsWith('select t.id, t.xmin from') ? 'marks' : 'rows'));
}

describe('texts of objects', () => {
  test('are remembered: the next page and the next detail ask only which rows there are', async () => {
    const first = await page();
    expect(
      await asked(async () => {
        expect(await page()).toEqual(first);
      }),
    ).toEqual(['marks']);
    expect(await asked(() => page('name=A'))).toEqual(['rows']);
    expect(await asked(() => page('name=A'))).toEqual(['marks']);
    const shown = await one();
    expect(
      await asked(async () => {
        expect(await one()).toEqual(shown);
      }),
    ).toEqual(['marks']);
  });
  test('do not count for a row that has changed, whoever changed it', async () => {
    await page();
    await one();
    await town.sql(`update town_house set comments = 'changed' where id = 1`);
    expect(
      await asked(async () => {
        expect((await page())[0]!.comments).toBe('changed');
      }),
    ).toEqual(['marks', 'rows']);
    expect((JSON.parse((await one()).text) as House).comments).toBe('changed');
  });
  test('do not count when something has changed that they show', async () => {
    expect((await page())[0]!.keeper!.name).toBe('Ann');
    await town.sql(`update replica.people_person set name = 'Bea' where id = 1`);
    await touch('people.person', 1);
    expect(
      await asked(async () => {
        expect((await page())[0]!.keeper!.name).toBe('Bea');
      }),
    ).toEqual(expect.arrayContaining(['rows']));
    expect((await page())[0]!.room_count).toBe(0);
    await town.sql(`insert into town_room (id, house_id, name) values (1, 1, 'hall')`);
    await touch('town.room', 1);
    expect((await page())[0]!.room_count).toBe(1);
    expect((JSON.parse((await one()).text) as House).room_count).toBe(1);
  });
  test('have the address that the client used', async () => {
    for (const base of ['http://x', 'http://y', 'http://x'])
      expect((await page('', base))[0]!.url).toBe(`${base}/api/town/houses/1/`);
  });
  test('are shown to nobody who may not see the object', async () => {
    await one();
    await expect(one(user({ 'view town.house': [{ name: 'B' }] }))).rejects.toMatchObject({ status: 404 });
  });
  test('are remembered of each shape for itself', async () => {
    await page('fields=name');
    expect(await asked(() => page('fields=name'))).toEqual(['marks']);
    expect(await asked(() => page('fields=name,id'))).toEqual(['rows']);
    expect((await page('fields=name'))[0]).toEqual({ name: 'A' });
  });
  test('are not remembered where there is no room', async () => {
    await fresh(0);
    await page();
    expect(await asked(() => page())).toEqual(['rows']);
  });
  test('make room for others', async () => {
    await fresh(1500);
    await page();
    expect(await asked(() => page())).toEqual(['rows']);
  });
});

describe('what is kept', () => {
  const row = { id: '1', mark: '5', text: 'text', etag: undefined };
  const shelved = (of: Engine) => of.texts.of(house, writerFor(of.tables, house, parseQuery('', of.settings)), '')!;
  test('is found in the state in which it was read', () => {
    const texts = shelved(engine);
    texts.begin()(NO_DEFINITIONS, [row], 'page');
    expect([
      texts.foresees('page'),
      texts.foresees('other'),
      texts.find([['1', '5']]),
      texts.find([['1', '6']]),
      texts.find([
        ['1', '5'],
        ['2', '5'],
      ]),
    ]).toEqual([true, false, [expect.objectContaining({ text: 'text' })], undefined, undefined]);
  });
  test('is a page for as long as its rows are the same, in the same states', () => {
    const texts = shelved(engine);
    const rows = ['1', '2'].map((id) => ({ ...row, id, text: `"${id}"` }));
    texts.begin()(NO_DEFINITIONS, rows, 'page');
    const marks = (...states: string[]) => states.map((mark, i) => [`${i + 1}`, mark]);
    const first = texts.page('page', marks('5', '5'));
    expect(String(first)).toBe('"1","2"');
    expect(texts.page('page', marks('5', '5'))).toBe(first);
    expect(String(texts.page('page', marks('5')))).toBe('"1"');
    expect(texts.page('page', marks('5', '6'))).toBeUndefined();
    engine.cache.touched(typeId('town.room'), '7');
    expect(texts.page('page', marks('5', '5'))).toBeUndefined();
  });
  test('was not overtaken by a change', () => {
    const texts = shelved(engine);
    const keep = texts.begin();
    engine.cache.touched(typeId('town.room'), '7');
    keep(NO_DEFINITIONS, [row], 'page');
    expect([texts.foresees('page'), texts.find([['1', '5']])]).toEqual([false, undefined]);
  });
  test('names no objects by custom fields, as these may be of any type', () => {
    const texts = shelved(engine);
    const friend = { name: 'friend', relatedType: 'people.person' } as never;
    texts.begin()(new CustomFieldDefinitions(new Map([['town.house', [friend]]])), [row]);
    expect(texts.find([['1', '5']])).toBeUndefined();
  });
});

test('what members show is known, over however many others', () => {
  expect(shownIn(catalogue, house, ['name'])).toEqual([]);
  expect(shownIn(catalogue, house, ['keeper'])).toEqual(expect.arrayContaining(['people.person']));
  // A district shows how many houses are in it and below.
  expect(shownIn(catalogue, house, ['district'])).toEqual(expect.arrayContaining(['town.district', 'town.house']));
  expect(shownIn(catalogue, note, ['about'])).toEqual(['*']);
});

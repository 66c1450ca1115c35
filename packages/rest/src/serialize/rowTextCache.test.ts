import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { typeId } from '@cadastre/model';
import type { Engine } from '../engine.ts';
import type { Requester } from '../core/requester.ts';
import { list } from '../read/list/list.ts';
import { detail } from '../read/detail.ts';
import { writerFor } from '../read/plan/plan.ts';
import { parseQuery } from '../read/query/query.ts';
import { openTown, type Town } from '../testing/database.ts';
import { catalogue, house, note, superuser, user } from '../testing/town.ts';
import { CustomFieldDefinitions, NO_DEFINITIONS } from '../cache/customFieldDefinitions.ts';
import { shownIn } from '../cache/embedders.ts';

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
// The first poll of a process forgets everything, and the next one reports again what was touched while others wrote.
const fresh = async (rowTextBytes = 4_000_000) => {
  engine = town.engine();
  engine = town.engine({ settings: { ...engine.settings, rowTextBytes } });
  await engine.invalidations.wait();
  await engine.invalidations.wait();
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
  town.sql('insert into cache_invalidation (type, id) values ($1, $2)', [typeId(type), id]);

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
    .filter((text) => text.includes('from "town_house" t') && !text.startsWith('select count(*)'));
  return texts.map((text) => (text.startsWith('select t.id, t.xmin from') ? 'marks' : 'rows'));
}

describe('texts of objects', () => {
  test('are remembered, and which rows they are of: the next page asks nothing, and the second detail', async () => {
    const first = await page();
    expect(
      await asked(async () => {
        expect(await page()).toEqual(first);
      }),
    ).toEqual([]);
    expect(await asked(() => page('name=A'))).toEqual(['rows']);
    expect(await asked(() => page('name=A'))).toEqual([]);
    const shown = await one();
    for (const expected of [['marks'], []])
      expect(
        await asked(async () => {
          expect(await one()).toEqual(shown);
        }),
      ).toEqual(expected);
  });
  test('of a page do not count for a row that has changed, and those of the others do', async () => {
    await page();
    await town.sql(`update town_house set comments = 'changed' where id = 1`);
    await touch('town.house', 1);
    expect(
      await asked(async () => {
        expect((await page())[0]!.comments).toBe('changed');
      }),
    ).toEqual(['marks', 'rows']);
    expect(await asked(() => page())).toEqual([]);
    // Their texts show nothing of it, and their rows stay what they are.
    await page('fields=name');
    await touch('town.house', 99);
    expect(await asked(() => page('fields=name'))).toEqual(['marks']);
    expect(await asked(() => page('fields=name'))).toEqual([]);
  });
  test('of an object do not count when its row has changed, nor when it is gone', async () => {
    for (let i = 0; i < 2; i++) await one();
    await town.sql(`update town_house set comments = 'by somebody' where id = 1`);
    await touch('town.house', 1);
    expect((JSON.parse((await one()).text) as House).comments).toBe('by somebody');
    for (let i = 0; i < 2; i++) await one();
    await town.sql(
      'begin; update town_house set id = 3 where id = 1; insert into cache_invalidation (type, id) values (' +
        typeId('town.house') +
        ', 1); commit',
    );
    await expect(one()).rejects.toMatchObject({ status: 404 });
    await town.sql(
      'begin; update town_house set id = 1 where id = 3; insert into cache_invalidation (type, id) values (' +
        typeId('town.house') +
        ', 1); commit',
    );
    expect((JSON.parse((await one()).text) as House).name).toBe('A');
  });
  test('of an object are shown to whom its row belongs, for as long as it does', async () => {
    const who = user({ 'view town.house': [{ keeper__name: 'Ann' }] });
    const name = async () => (JSON.parse((await one(who)).text) as House).name;
    await town.sql(`update replica.people_person set name = 'Ann' where id = 1`);
    await touch('people.person', 1);
    for (let i = 0; i < 3; i++) expect(await name()).toBe('A');
    await town.sql(`update replica.people_person set name = 'Bea' where id = 1`);
    await touch('people.person', 1);
    await expect(name()).rejects.toMatchObject({ status: 404 });
    await town.sql(`update replica.people_person set name = 'Ann' where id = 1`);
    await touch('people.person', 1);
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
    expect(await asked(() => page('fields=name'))).toEqual([]);
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

describe('which rows a page holds', () => {
  test.each([
    ['its own type', '', 'town.house'],
    ['the type of a filter', '&keeper_id=1', 'people.person'],
    ['the type that it is sorted by', '&ordering=keeper', 'people.person'],
    ['the type whose objects it is sorted by', '&ordering=room_count', 'town.room'],
  ])('is asked again when something of %s has changed', async (_, search, type) => {
    // Their texts show nothing of others.
    const ask = () => page(`fields=name${search}`);
    await ask();
    expect(await asked(ask)).toEqual([]);
    await touch('extras.tag', 99);
    expect(await asked(ask)).toEqual([]);
    await touch(type, 99);
    expect(await asked(ask)).toEqual(['marks']);
    expect(await asked(ask)).toEqual([]);
  });
  test('is asked again in each order, from each place, and for each size', async () => {
    for (const search of ['limit=1', 'limit=1&offset=1', 'limit=2', 'limit=1&ordering=-name', 'limit=1&start=1']) {
      const first = await page(search);
      expect(await asked(() => page(search))).toEqual([]);
      expect(await page(search)).toEqual(first);
    }
    expect((await page('limit=1'))[0]!.name).toBe('A');
    expect((await page('limit=1&offset=1'))[0]!.name).toBe('B');
  });
  test('is remembered of a page behind which there is more', async () => {
    await page('limit=1&start=1');
    expect(await asked(() => page('limit=1&start=1'))).toEqual([]);
  });
  test('is another matter for who may see others', async () => {
    await page();
    const who = user({ 'view town.house': [{ name: 'B' }] });
    const seen = JSON.parse(
      await list(engine, house, parseQuery('', engine.settings), who, { base: 'http://x', path: '/' }),
    ) as { results: House[] };
    expect(seen.results.map(({ name }) => name)).toEqual(['B']);
  });
  test('is not remembered as it was before a change that came while it was read', async () => {
    await page();
    await touch('town.house', 1);
    const { pool } = town;
    const query = pool.query.bind(pool) as (...given: unknown[]) => Promise<unknown>;
    const gate = Promise.withResolvers<void>();
    const spy = jest.spyOn(pool, 'query').mockImplementation((async (...given: unknown[]) => {
      const answer = await query(...given);
      if ((given[0] as { text?: string }).text?.startsWith('select t.id, t.xmin')) await gate.promise;
      return answer;
    }) as never);
    const waiting = page();
    while (!spy.mock.calls.some(([given]) => (given as { text?: string }).text?.startsWith('select t.id, t.xmin')))
      await new Promise((resolve) => setTimeout(resolve, 5));
    await query(`update town_house set comments = 'meanwhile' where id = 2`);
    await query('insert into cache_invalidation (type, id) values ($1, 2)', [typeId('town.house')]);
    await engine.invalidations.wait();
    gate.resolve();
    await waiting;
    spy.mockRestore();
    expect((await page())[1]!.comments).toBe('meanwhile');
  });
});

describe('what is kept', () => {
  const row = { id: '1', mark: '5', text: 'text', etag: undefined };
  const shelved = (of: Engine) => of.rowTexts.of(house, writerFor(of.tables, house, parseQuery('', of.settings)), '')!;
  // Types of which houses show nothing.
  const TYPES = ['people.group'];
  const marks = (...states: string[]) => states.map((mark, i) => [`${i + 1}`, mark]);
  const pageOf = (texts: ReturnType<typeof shelved>, ...states: string[]) => ({
    name: 'page',
    rows: marks(...states),
    since: texts.versionOf(TYPES),
  });
  test('is found in the state in which it was read', () => {
    const texts = shelved(engine);
    texts.begin()(NO_DEFINITIONS, [row], pageOf(texts, '5'));
    expect([
      texts.probablyHas('page'),
      texts.probablyHas('other'),
      texts.rows('page'),
      texts.rows('other'),
      texts.find([['1', '5']]),
      texts.find([['1', '6']]),
      texts.find([
        ['1', '5'],
        ['2', '5'],
      ]),
    ]).toEqual([
      true,
      false,
      [['1', '5']],
      undefined,
      [expect.objectContaining({ text: 'text' })],
      undefined,
      undefined,
    ]);
    engine.cache.invalidate(typeId('people.group'), '7');
    expect([texts.probablyHas('page'), texts.rows('page')]).toEqual([true, undefined]);
  });
  test('is a page for as long as its rows are the same, in the same states', () => {
    const texts = shelved(engine);
    const rows = ['1', '2'].map((id) => ({ ...row, id, text: `"${id}"` }));
    texts.begin()(NO_DEFINITIONS, rows, pageOf(texts, '5', '5'));
    const page = (states: string[], most = 50) => texts.page('page', marks(...states), most, texts.versionOf(TYPES));
    const first = page(['5', '5']);
    expect(String(first)).toBe('"1","2"');
    expect(page(['5', '5'])).toBe(first);
    // Something has changed that these do not show.
    engine.cache.invalidate(typeId('people.group'), '7');
    expect(page(['5', '5'])).toBe(first);
    expect(texts.rows('page')).toEqual(marks('5', '5'));
    expect(String(page(['5']))).toBe('"1"');
    expect(page(['5', '6'])).toBeUndefined();
    // One more was read than is shown.
    expect(String(page(['5', '5'], 1))).toBe('"1"');
    engine.cache.invalidate(typeId('town.room'), '7');
    expect(page(['5', '5'])).toBeUndefined();
  });
  test('was not overtaken by a change', () => {
    const texts = shelved(engine);
    const keep = texts.begin();
    const page = pageOf(texts, '5');
    engine.cache.invalidate(typeId('town.room'), '7');
    engine.cache.invalidate(typeId('people.group'), '7');
    keep(NO_DEFINITIONS, [row], page);
    expect([texts.probablyHas('page'), texts.rows('page'), texts.find([['1', '5']])]).toEqual([
      false,
      undefined,
      undefined,
    ]);
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

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { batched, Catalogue, linked, model, ref, text, typeId, type Values } from '@cadastre/model';
import type { Engine } from '../../engine.ts';
import { parseQuery } from '../../read/query/query.ts';
import { list } from '../../read/list/list.ts';
import { detail } from '../../read/detail.ts';
import { openTown, type Town } from '../../testing/database.ts';
import { catalogue, context, house, key, room, sign, superuser, tables } from '../../testing/town.ts';
import { create } from '../../write/create/create.ts';
import { updateMany } from '../../write/update/update.ts';
import { batchedTexts } from './batched.ts';
import { Cache } from '../../cache/cache.ts';

let town: Town;
let engine: Engine;
let other: Engine;

beforeAll(async () => {
  town = await openTown();
  engine = town.engine();
  other = town.engine();
});
afterAll(async () => {
  await town?.close();
});
beforeEach(async () => {
  await town.sql(
    'truncate town_house, town_room, town_sign, town_key, town_district, replica.people_person, replica.any_object, cache_invalidation, change, change_queue restart identity',
  );
  await town.sql(`insert into replica.people_person (id, _version, name, slug) values (1, 1, 'Ann', 'ann')`);
  await town.sql(`insert into town_house (name, slug) values ('A', 'a'), ('B', 'b')`);
  await town.sql(`insert into town_room (name, number, house_id) values ('r1', 5, 1), ('r2', null, 1)`);
  await town.sql(
    `insert into town_sign (text, place_type, place_id) values ('s1', 'town.house', 1), ('s2', 'people.person', 1), ('s3', 'town.house', 99)`,
  );
  await town.sql(
    `insert into town_key (name, house_id, sign_id) values ('k1', 1, 1), ('k2', 1, 2), ('k3', 2, 3), ('k4', 1, null)`,
  );
  for (const one of [engine, other]) {
    one.cache.invalidateAll();
    await one.invalidations.wait();
  }
});

const query = (search: string) => parseQuery(search, { paginateCount: 50, maxPageSize: 0 });
const page = async (search = 'fields=rooms,twins,opens,gone', from = other) =>
  (JSON.parse(await list(from, key, query(search), superuser, { base: '', path: '/' })) as { results: Values[] })
    .results;
const statements = async (search: string, from = other) => {
  const before = town.statements();
  await page(search, from);
  return town.statements() - before;
};
const names = (value: unknown) => (value as { name: string }[]).map((one) => one.name);

describe('values that are found for a page at once', () => {
  test('are text of a statement, or linked objects of any type', async () => {
    const rows = await page();
    expect(rows.map((one) => one['rooms'])).toEqual([
      { r1: 5, r2: null },
      { r1: 5, r2: null },
      {},
      { r1: 5, r2: null },
    ]);
    expect(rows.map((one) => names(one['twins']))).toEqual([['k2', 'k4'], ['k1', 'k4'], [], ['k1', 'k2']]);
    expect(rows.map((one) => (one['opens'] as Values | null)?.['display'])).toEqual([
      'A [a]',
      'Ann',
      undefined,
      undefined,
    ]);
    expect(
      JSON.parse((await detail(other, key, '1', query('fields=rooms,opens'), superuser, 'http://h')).text),
    ).toMatchObject({ rooms: { r1: 5 }, opens: { url: 'http://h/api/town/houses/1/' } });
  });
  test('may stand inside each other', async () => {
    expect((await page('fields=lodging')).map((one) => one['lodging']).slice(1, 3)).toEqual([
      expect.objectContaining({ name: 'A', room: expect.objectContaining({ name: 'r1' }) }),
      expect.objectContaining({ name: 'B', room: null }),
    ]);
  });
  test('are empty where what they read does not exist yet', async () => {
    expect((await page()).map((one) => one['gone'])).toEqual([null, null, null, null]);
  });
  test('cost one statement each, and none when nobody asks or they are remembered', async () => {
    await page('fields=id');
    const bare = await statements('fields=id');
    // The page, and the rooms of all on it.
    expect([await statements('fields=id,rooms'), await statements('fields=id,rooms')]).toEqual([bare + 2, bare]);
    expect(await statements('exclude=rooms,twins,opens,lodging&omit=house,sign,spare,display,rooms')).toBe(bare + 1);
    other.cache.invalidateAll();
    await town.sql(
      `insert into town_key (name, house_id, sign_id) select 'm' || i, 1, 1 from generate_series(1, 30) i`,
    );
    // The page and its total, the poll, custom fields, rooms, twins, opens, and the briefs of keys, houses and people.
    expect(await statements('fields=rooms,twins,opens')).toBe(10);
  });
  test('are told in changes, as the transaction leaves them', async () => {
    await page(undefined, engine);
    await updateMany(engine, key, [{ id: 1, house: 2 }], 'patch', context);
    const [event] = await town.sql(`select body::jsonb -> 'data' as data from change`);
    expect(event).toMatchObject({ data: { rooms: {}, twins: [{ name: 'k3' }] } });
  });
});

describe('another process sees', () => {
  test('what changed in what they read', async () => {
    await page();
    await updateMany(engine, room, [{ id: 1, number: 6 }], 'patch', context);
    expect((await page())[0]).toMatchObject({ rooms: { r1: 6, r2: null } });
    await updateMany(engine, sign, [{ id: 1, place_type: 'people.person', place_id: 1 }], 'patch', context);
    expect((await page())[0]).toMatchObject({ opens: { name: 'Ann' } });
  });
  test('what changed in the objects themselves, and in those that are shown', async () => {
    await page();
    await create(engine, key, [{ name: 'k5', house: 2 }], false, context);
    expect(names((await page())[2]!['twins'])).toEqual(['k5']);
    await updateMany(engine, house, [{ id: 1, name: 'Villa' }], 'patch', context);
    await updateMany(engine, key, [{ id: 2, name: 'second' }], 'patch', context);
    const [first] = await page();
    expect([names(first!['twins']), (first!['opens'] as Values)['display']]).toEqual([['second', 'k4'], 'Villa [a]']);
  });
});

describe('declarations say', () => {
  const one = model('a.one', {
    path: 'x',
    label: 'one',
    ordering: [],
    brief: ['near'],
    fields: {
      name: text({ max: 9 }),
      near: linked({ from: ['b.way'], sql: () => '', to: ['b.place'] }),
      far: batched({ from: ['b.way'], sql: () => '', print: () => '1' }),
    },
  });
  const way = model('b.way', {
    path: 'x',
    label: 'way',
    ordering: [],
    brief: [],
    fields: { name: text({ max: 9 }), start: ref('b.place') },
  });
  const place = model('b.place', {
    path: 'x',
    label: 'place',
    ordering: [],
    brief: ['name'],
    fields: { name: text({ max: 9 }) },
  });
  const small = new Catalogue([
    { service: 'a', models: [one] },
    { service: 'b', models: [way, place] },
  ]);
  test('what of other services is kept', () => {
    expect([...small.replicas('a')].map(([type, columns]) => [type, [...columns]])).toEqual([
      ['b.way', ['id', '_version', 'name', 'start_id']],
      ['b.place', ['id', '_version', 'name']],
    ]);
    expect([small.keepsAnyObject('a'), tables.keepsAnyObject]).toEqual([false, true]);
  });
  test('what a brief form depends on', async () => {
    const cache = new Cache(small);
    const region = cache.displays('a.one', '');
    for (const type of ['b.way', 'b.place']) {
      await region.fill(async () => new Map([['1', 'x']]));
      cache.invalidate(typeId(type), '9');
      expect(region.get('1')).toBeUndefined();
    }
  });
  test('how they look from outside', () => {
    expect(catalogue.get('town.key').fields['gone']!.metadata()).toEqual({
      type: 'integer',
      required: false,
      read_only: true,
    });
    expect(key.fields['twins']).toMatchObject({ readOnly: true, nullable: false, schema: { read: { type: 'array' } } });
    expect(key.fields['opens']).toMatchObject({
      nullable: true,
      schema: { read: { anyOf: [{ type: 'object' }, { type: 'null' }] } },
    });
  });
});

test('what is written together with its object is read anew each time', async () => {
  let asked = 0;
  const told = (fresh: boolean) => ({
    from: [],
    ...(fresh ? { fresh } : {}),
    empty: '',
    sql: () => {
      asked += 1;
      return 'select t.id from town_key t where t.id = any($1::bigint[])';
    },
    print: () => `${asked}`,
  });
  const texts = async (fresh: boolean) => [
    ...(await batchedTexts(await engine.readContext(), key, `told ${fresh}`, told(fresh), ['1', '2', '1'])).values(),
  ];
  expect([await texts(true), await texts(true)]).toEqual([
    ['1', '1'],
    ['2', '2'],
  ]);
  expect([await texts(false), await texts(false)]).toEqual([
    ['3', '3'],
    ['3', '3'],
  ]);
});

test('large texts are kept up to a size', async () => {
  const region = new Cache(catalogue).region<string>('large', [], { most: 10, of: (value) => value.length });
  await region.fill(
    async () =>
      new Map([
        ['1', 'x'.repeat(6)],
        ['2', 'y'.repeat(6)],
        ['3', 'z'.repeat(99)],
      ]),
  );
  expect(['1', '2', '3'].map((id) => region.get(id) !== undefined)).toEqual([false, true, false]);
});

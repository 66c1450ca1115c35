import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { typeId } from '@cadastre/model';
import type { ChangeEvent, JsonObject } from '@cadastre/events';
import type { Engine } from '../../engine.ts';
import { openTown, type Town } from '../../testing/database.ts';
import { ASKED, eventOf } from '../../testing/event.ts';
import { BATCH_SIZE } from '../../write/consequences/cascade.ts';
import { lockKeys } from '../../db/locks.ts';
import { applyEvents } from './apply.ts';
import { invalidateType } from './invalidate.ts';
import { untilLockWaits } from '../../testing/locks.ts';

let town: Town;
let engine: Engine;
beforeAll(async () => {
  town = await openTown();
  engine = town.engine();
});
afterAll(async () => {
  await town?.close();
});
beforeEach(async () => {
  await town.sql(
    'truncate town_house, town_room, town_note, replica.people_person, replica.extras_customfield, replica.any_object, replica_tombstone, cache_invalidation, change, change_queue restart identity',
  );
});

const event = (objectType: string, objectId: number, version: number, more: Partial<ChangeEvent> = {}): ChangeEvent =>
  eventOf(objectType, objectId, version, { request: ASKED, ...more });
const person = (id: number, version: number, name: string, more: Partial<ChangeEvent> = {}) =>
  event('people.person', id, version, {
    row: { name, slug: name.toLowerCase(), group_id: null, biography: 'long', created: 'x' },
    data: { id, url: `/api/people/people/${id}/`, display: name, name, slug: name.toLowerCase(), biography: 'long' },
    display: name,
    ...more,
  });
const people = () => town.sql('select id::int, name, _version from replica.people_person order by id');
const touched = async () =>
  (await town.sql(`select distinct type || ':' || id as t from cache_invalidation order by 1`)).map((r) => r['t']);

describe('replicas', () => {
  test('follow what happened, in the columns that are kept', async () => {
    await applyEvents(engine, [person(1, 1, 'Ann', { action: 'created' }), person(2, 1, 'Bob'), person(1, 2, 'Anne')]);
    expect(await people()).toEqual([
      { id: 1, name: 'Anne', _version: 2 },
      { id: 2, name: 'Bob', _version: 1 },
    ]);
    expect(await touched()).toEqual(
      expect.arrayContaining([`${typeId('people.person')}:1`, `${typeId('people.person')}:2`]),
    );
  });
  test('are not harmed by events that come late or again', async () => {
    await applyEvents(engine, [person(1, 3, 'New')]);
    await town.sql('truncate cache_invalidation');
    await applyEvents(engine, [person(1, 2, 'Old'), person(1, 3, 'Same')]);
    expect(await people()).toEqual([{ id: 1, name: 'New', _version: 3 }]);
    expect(await touched()).toEqual([]);
  });
  test('lose what is deleted, and may get it again', async () => {
    await applyEvents(engine, [
      person(1, 1, 'Ann'),
      person(1, 2, 'Ann', { action: 'deleted', row: null }),
      person(2, 1, 'Bob'),
    ]);
    expect(await people()).toEqual([{ id: 2, name: 'Bob', _version: 1 }]);
    await applyEvents(engine, [person(1, 2, 'Ann', { action: 'deleted', row: null })]);
    expect(await people()).toHaveLength(1);
  });
  test('are not made of types that are not kept, of own ones, or of none', async () => {
    await applyEvents(engine, [
      event('people.club', 1, 1, { row: { name: 'x' } }),
      event('town.house', 1, 1, { row: { name: 'x' } }),
      event('other.thing', 1, 1, { row: {} }),
      event('other.thing', 1, 1, { action: 'deleted' }),
    ]);
    expect(await town.sql('select 1 from town_house')).toEqual([]);
  });
});

test('what follows from a change is derived, and told to replicas alone', async () => {
  await town.sql(`insert into town_house (id, name, slug) values (1, 'A', 'a')`);
  await applyEvents(engine, [person(1, 1, 'Ann')]);
  await town.sql(`insert into town_room (house_id, name, owner_id) values (1, 'Hall', 1), (1, 'Attic', null)`);
  const moved = person(1, 2, 'Ann', { row: { name: 'Ann', slug: 'ann', group_id: 4 } });
  await applyEvents(engine, [moved, moved]);
  expect(await town.sql('select name, number, _version from town_room order by id')).toEqual([
    { name: 'Hall', number: 4, _version: 2 },
    { name: 'Attic', number: null, _version: 1 },
  ]);
  expect(await town.sql('select body from change')).toHaveLength(1);
  await town.sql('update town_room set owner_id = null');
  await applyEvents(engine, [person(1, 3, 'Ann', { action: 'deleted', row: null })]);
  expect(await town.sql('select number from town_room order by id')).toEqual([{ number: null }, { number: null }]);
});

test('the brief form of every object is kept, for relations to any', async () => {
  await applyEvents(engine, [
    person(1, 2, 'Anne'),
    person(1, 1, 'Ann'),
    event('people.club', 7, 1, { data: { id: 7, name: 'Chess', home: null }, row: { tags: [3] } }),
    event('other.thing', 1, 1),
  ]);
  const kept = await town.sql(
    'select type, id::int, version, display, brief, tags::text from replica.any_object order by id',
  );
  expect(kept).toEqual([
    {
      type: typeId('people.person'),
      id: 1,
      version: 2,
      display: 'Anne',
      brief: { id: 1, url: '/api/people/people/1/', display: 'Anne', name: 'Anne', slug: 'anne' },
      tags: '{}',
    },
    { type: typeId('people.club'), id: 7, version: 1, display: 'x', brief: { id: 7, name: 'Chess' }, tags: '{3}' },
  ]);
  await applyEvents(engine, [event('people.club', 7, 2, { action: 'deleted' })]);
  expect(await town.sql('select id::int from replica.any_object')).toEqual([{ id: 1 }]);
});

test('a change that only derived columns had, which events show nothing of, is told to those who remember objects', async () => {
  await applyEvents(engine, [event('people.club', 7, 1, { data: { id: 7, name: 'Chess' }, row: {} })]);
  await town.sql('truncate cache_invalidation');
  await applyEvents(engine, [event('people.club', 7, 2, { data: null, row: { name: 'Chess' } })]);
  expect(await touched()).toEqual([`${typeId('people.club')}:7`]);
});

test('very many objects let go of what is gone in several transactions, and each once', async () => {
  const count = 2 * BATCH_SIZE + 300;
  await applyEvents(engine, [person(1, 1, 'Ann')]);
  await town.sql(
    `insert into town_house (id, name, slug, guests) select n, 'h' || n, 'h' || n, '{1}' from generate_series(1, ${count}) n`,
  );
  const left = async () => (await town.sql(`select count(*)::int as n from town_house where guests <> '{}'`))[0]!['n'];
  const gone = [person(1, 2, 'Ann', { action: 'deleted', row: null })];
  const real = engine.transact.bind(engine);
  let begun = 0;
  engine.transact = (work) => (++begun === 3 ? Promise.reject(new Error('killed')) : real(work));
  try {
    await expect(applyEvents(engine, gone)).rejects.toThrow('killed');
    expect([await left(), (await people()).length]).toEqual([300, 1]);
    // An interrupted run continues where it stopped.
    await applyEvents(engine, gone);
  } finally {
    engine.transact = real;
  }
  expect([await left(), await people(), begun]).toEqual([0, [], 4]);
  expect(
    await town.sql(
      `select count(*)::int as records, count(distinct key)::int as objects from change where key like 'town.house:%' and body::jsonb ->> 'action' = 'updated'`,
    ),
  ).toEqual([{ records: count, objects: count }]);
});

test('references to what is gone become empty, recorded under the request that deleted it', async () => {
  await town.sql(`insert into town_house (id, name, slug, guests) values (1, 'A', 'a', '{1,2}'), (2, 'B', 'b', '{2}')`);
  await applyEvents(engine, [person(1, 1, 'Ann'), person(1, 2, 'Ann', { action: 'deleted', row: null })]);
  expect(await town.sql('select id::int, guests::text, _version from town_house order by id')).toEqual([
    { id: 1, guests: '{2}', _version: 2 },
    { id: 2, guests: '{2}', _version: 1 },
  ]);
  const [change] = await town.sql('select key, body::jsonb as body from change');
  expect(change).toMatchObject({
    key: 'town.house:1',
    body: {
      action: 'updated',
      consequence: true,
      request: { id: '019a0000-0000-7000-8000-0000000000bb', user: 'ann' },
      prechange: { guests: [1, 2] },
      postchange: { guests: [2] },
    },
  });
});

describe('deletions', () => {
  const gone = (objectType: string, id: number, request: number | null = 1): ChangeEvent =>
    event(objectType, id, 2, {
      action: 'deleted',
      row: null,
      data: {},
      request:
        request === null
          ? null
          : {
              id: `019a0000-0000-7000-8000-${String(request).padStart(12, '0')}`,
              method: 'DELETE',
              path: '/x',
              user: 'ann',
              userId: 7,
            },
    });
  const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1);
  const costOf = async (events: ChangeEvent[], of = engine): Promise<number> => {
    const before = town.statements();
    await applyEvents(of, events);
    return town.statements() - before;
  };

  test('cost the same statements however many objects go, and however many let go of them', async () => {
    const fill = async (n: number) => {
      await town.sql(
        `insert into town_house (id, name, slug, guests) select i, 'h' || i, 'h' || i, array[i, i % $1 + 1] from generate_series(1, $1::int) i`,
        [n],
      );
      await applyEvents(
        engine,
        range(n).map((id) => person(id, 1, `P${id}`)),
      );
    };
    const clear = () =>
      town.sql(
        'truncate town_house, town_room, replica.people_person, replica.any_object, replica_tombstone, change, change_queue restart identity',
      );
    // What a process remembers from then on is asked for once.
    await fill(1);
    await costOf([gone('people.person', 1)]);
    await clear();
    const costs: number[] = [];
    for (const n of [2, 20, 200]) {
      await fill(n);
      costs.push(await costOf(range(n).map((id) => gone('people.person', id))));
      expect(
        await town.sql(
          `select (select count(*)::int from town_house where guests <> '{}') as holding, (select count(*)::int from replica.people_person) as kept, (select count(*)::int from change) as told`,
        ),
      ).toEqual([{ holding: 0, kept: 0, told: n }]);
      await clear();
    }
    expect(costs).toEqual(costs.map(() => costs[0]));
  });

  test('of several types and one request are one change of what refers to them', async () => {
    await town.sql(`insert into town_house (id, name, slug, guests, tags) values (1, 'A', 'a', '{1,2}', '{5,6}')`);
    await applyEvents(engine, [gone('people.person', 1), gone('extras.tag', 5), gone('people.person', 2)]);
    expect(await town.sql('select guests::text, tags::text, _version from town_house')).toEqual([
      { guests: '{}', tags: '{6}', _version: 2 },
    ]);
    expect(await town.sql(`select body::jsonb -> 'postchange' -> 'guests' as guests from change`)).toEqual([
      { guests: [] },
    ]);
  });

  test('of many requests are followed at once where nothing here follows from them', async () => {
    await costOf([gone('people.club', 9000)]);
    const [few, many] = [
      await costOf(range(2).map((id) => gone('people.club', id, id))),
      await costOf(range(100).map((id) => gone('people.club', 100 + id, id))),
    ];
    expect(many).toBe(few);
    expect(await town.sql('select count(*)::int as n from replica_tombstone')).toEqual([{ n: 103 }]);
  });

  test('that are followed while a writer has what refers to them keep him from nothing', async () => {
    await town.sql(`insert into town_house (id, name, slug, guests) values (1, 'A', 'a', '{1}')`);
    const writer = await town.pool.connect();
    try {
      await writer.query('begin');
      await writer.query('select 1 from town_house where id = 1 for no key update');
      const followed = applyEvents(engine, [gone('people.person', 1)]);
      await untilLockWaits(town.pool);
      // Before a writer asks the owner, it locks the keys of the objects.
      expect(
        (await writer.query('select pg_try_advisory_xact_lock_shared($1) as got', lockKeys('people.person', [1]))).rows,
      ).toEqual([{ got: true }]);
      await writer.query('commit');
      await followed;
      expect(await town.sql('select guests::text from town_house')).toEqual([{ guests: '{}' }]);
    } finally {
      writer.release();
    }
  });

  test('of many requests are recorded under each', async () => {
    await town.sql(
      `insert into town_house (id, name, slug, guests) values (1, 'A', 'a', '{1,2}'), (2, 'B', 'b', '{3}')`,
    );
    await applyEvents(engine, [gone('people.person', 1, 1), gone('people.person', 3, 3), gone('people.person', 2, 2)]);
    const told = await town.sql(
      `select key, right(body::jsonb -> 'request' ->> 'id', 1) as request, body::jsonb -> 'postchange' -> 'guests' as guests from change order by id`,
    );
    expect(told).toEqual([
      { key: 'town.house:1', request: '1', guests: [2] },
      { key: 'town.house:2', request: '3', guests: [] },
      { key: 'town.house:1', request: '2', guests: [] },
    ]);
  });
});

describe('custom fields', () => {
  const field = (before: JsonObject | null, after: JsonObject | null) =>
    event('extras.customfield', 1, 1, {
      action: after === null ? 'deleted' : before === null ? 'created' : 'updated',
      prechange: before,
      postchange: after,
      row: null,
    });
  const values = async () =>
    (await town.sql('select custom_fields from town_house order by id')).map((r) => r['custom_fields']);
  const houses = async () => (await touched()).filter((t) => String(t).startsWith(`${typeId('town.house')}:`));
  const on = (name: string, more: JsonObject = {}): JsonObject => ({ name, object_types: ['town.house'], ...more });
  beforeEach(async () => {
    await town.sql(
      `insert into town_house (id, name, slug, custom_fields) values (1, 'A', 'a', '{"code": "x"}'), (2, 'B', 'b', '{}')`,
    );
  });

  test('give their default to objects that lack them', async () => {
    await applyEvents(engine, [field(null, on('code', { default: 'y' }))]);
    expect(await values()).toEqual([{ code: 'x' }, { code: 'y' }]);
    expect(await houses()).toEqual([`${typeId('town.house')}:2`]);
    await applyEvents(engine, [field(null, on('other'))]);
    expect(await values()).toEqual([
      { code: 'x', other: null },
      { code: 'y', other: null },
    ]);
  });
  test('are renamed in objects', async () => {
    await applyEvents(engine, [field(on('code'), on('co$1de'))]);
    expect(await values()).toEqual([{ co$1de: 'x' }, {}]);
  });
  test('are taken out when they are gone, or gone from the type', async () => {
    await applyEvents(engine, [field(on('code'), { name: 'code', object_types: ['town.district'] })]);
    expect(await values()).toEqual([{}, {}]);
    await town.sql(`update town_house set custom_fields = '{"code": 1, "kept": 2}'`);
    await applyEvents(engine, [field(on('code'), null)]);
    expect(await values()).toEqual([{ kept: 2 }, { kept: 2 }]);
  });
  test('that only changed otherwise change nothing', async () => {
    await applyEvents(engine, [field(on('code', { default: 'a' }), on('code', { default: 'b' }))]);
    expect([await values(), await houses()]).toEqual([[{ code: 'x' }, {}], []]);
  });
  test('that are told of late or again do no harm', async () => {
    const told = (version: number, before: JsonObject | null, after: JsonObject) =>
      event('extras.customfield', 1, version, {
        action: before ? 'updated' : 'created',
        prechange: before,
        postchange: after,
        row: { label: '', type: 'text', default: 'y', required: false, related_object_type: null, ...after },
      });
    const made = told(1, null, on('a', { default: 'y' }));
    const renamed = told(2, on('a'), on('b', { default: 'y' }));
    await applyEvents(engine, [made, renamed]);
    await town.sql(`update town_house set custom_fields = custom_fields || '{"b": "set"}' where id = 1`);
    await applyEvents(engine, [made, renamed]);
    expect(await values()).toEqual([{ code: 'x', b: 'set' }, { b: 'y' }]);
    // The last event first, as where a request could not wait.
    await town.sql(`truncate replica.extras_customfield; update town_house set custom_fields = '{}' where id = 2`);
    await applyEvents(engine, [renamed]);
    await applyEvents(engine, [made]);
    expect(await values()).toEqual([{ code: 'x', b: 'set' }, { b: 'y' }]);
    // The deletion of a field leaves alone the values of another that has its name by now.
    await applyEvents(engine, [
      event('extras.customfield', 2, 1, { action: 'deleted', prechange: on('b'), row: null }),
    ]);
    expect(await values()).toEqual([{ code: 'x', b: 'set' }, { b: 'y' }]);
  });
  test('reach every object, however many there are', async () => {
    await town.sql(
      `insert into town_house (id, name, slug, custom_fields) select i + 10000, 'm' || i, 'm' || i, '{}' from generate_series(1, 4500) i`,
    );
    await applyEvents(engine, [field(null, on('late', { default: [1] }))]);
    expect(await town.sql(`select count(*)::int as n from town_house where not custom_fields ? 'late'`)).toEqual([
      { n: 0 },
    ]);
  });
});

test('a whole type can be touched', async () => {
  await invalidateType('people.person', town.pool);
  expect(await touched()).toEqual([`${typeId('people.person')}:0`]);
});

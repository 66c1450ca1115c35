import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Json } from '@cadastre/model';
import type { ChangeEvent } from '@cadastre/events';
import type { Engine } from '../../engine.ts';
import { applyEvents } from '../../replication/follow/apply.ts';
import { openTown, peers, type Town } from '../../testing/database.ts';
import { ASKED, deletedOf } from '../../testing/event.ts';
import { catalogue, house, key, note, sign, superuser } from '../../testing/town.ts';
import { answerDeletion } from '../consequences/asking.ts';
import { create } from '../create/create.ts';
import { release } from '../consequences/marks.ts';
import type { Resolved } from '../../peers/peers.ts';
import { remove } from '../remove/remove.ts';
import { updateMany, updateOne } from '../update/update.ts';

const DELETION = '019a0000-0000-7000-8000-0000000000dd';
const REQUEST = '019a0000-0000-7000-8000-0000000000bb';
const context = {
  who: superuser,
  cause: { id: REQUEST, method: 'POST', path: '/x', user: 'root', userId: 1 },
  base: '',
};
const asked: unknown[] = [];
let town: Town;
let engine: Engine;

beforeAll(async () => {
  town = await openTown();
  // The owner of people has those below 10.
  engine = town.engine({
    peers: {
      ...peers,
      resolve: async (_service, type, references) => {
        asked.push([type, references]);
        const results = references.map((r): Resolved => ('id' in r && r.id < 10 ? { id: r.id } : { error: 'none' }));
        return {
          results,
          rows: results.flatMap((r) =>
            'id' in r ? [{ id: r.id, _version: 1, name: `P${r.id}`, slug: `p${r.id}` }] : [],
          ),
        };
      },
      prepareDeletion: async (service) => {
        asked.push(service);
        return { count: 0, names: [] };
      },
    },
  });
});
afterAll(async () => {
  await town?.close();
});
beforeEach(async () => {
  asked.length = 0;
  await town.sql(
    'truncate town_house, town_room, town_note, town_sign, town_key, town_district, replica.people_person, replica.any_object, cache_invalidation, change, change_queue, deletion_mark restart identity',
  );
  await town.sql(`insert into town_house (name, slug) values ('A', 'a'), ('B', 'b')`);
  await engine.invalidations.wait();
});

const make = (bodies: Json[], model = sign) =>
  create(engine, model, bodies, false, context).then(({ texts }) => texts.map((text) => JSON.parse(text)));
const refused = (body: { [key: string]: Json }) =>
  make([{ text: 'x', ...body }]).then(
    () => 'accepted',
    (error: { body: unknown[] }) => error.body[0],
  );
const at = (place_type: string, place_id: number, more = {}): { [key: string]: Json } => ({
  text: 'x',
  place_type,
  place_id,
  ...more,
});
const changes = async () =>
  (
    await town.sql(
      `select key, body::jsonb ->> 'action' as action, body::jsonb -> 'request' ->> 'id' as request from change order by id`,
    )
  ).map((r) => [r['key'], r['action'], r['request']]);

describe('what is pointed at', () => {
  test('is looked for at its owner, by one question for each type, and shown at once', async () => {
    const made = await make([
      at('people.person', 1),
      at('people.person', 2),
      at('town.house', 1),
      at('people.person', 1, { marks_type: 'people.person', marks_id: 3 }),
    ]);
    expect(made.map((s) => s.place.name)).toEqual(['P1', 'P2', 'A', 'P1']);
    expect(asked).toEqual([['people.person', [{ id: 1 }, { id: 2 }, { id: 3 }]]]);
  });
  test('must be there, in full, and of a type that is meant', async () => {
    expect(await refused({ place_type: 'town.house', place_id: 99 })).toEqual({
      place_id: ['Related object not found using the provided value: 99.'],
    });
    expect(await refused({ place_type: 'people.person', place_id: 99 })).toEqual({
      place_id: ['Related object not found using the provided value: 99.'],
    });
    expect(await refused({ place_type: 'town.room', place_id: 1 })).toEqual({
      place_type: ['Invalid content type: town.room'],
    });
    expect(await refused({ place_type: 'bogus', place_id: 1 })).toEqual({
      place_type: ["Invalid value. Specify a content type as '<app_label>.<model_name>'."],
    });
    expect(await refused({ ...at('town.house', 1), marks_type: 'town.house' })).toEqual({
      marks_id: ['This field cannot be null.'],
    });
    expect(await refused({ ...at('town.house', 1), marks_id: 1 })).toEqual({
      marks_type: ['This field cannot be null.'],
    });
  });
  test('is looked at when a part of it changes, together with what is stored', async () => {
    await make([at('town.house', 1), at('people.person', 2)]);
    asked.length = 0;
    await updateOne(engine, sign, 2, { text: 'y' }, 'patch', undefined, context);
    expect(asked).toEqual([]);
    await expect(
      updateMany(
        engine,
        sign,
        [
          { id: 1, place_id: 2 },
          { id: 2, place_id: 77 },
        ],
        'patch',
        context,
      ),
    ).rejects.toMatchObject({ body: [{}, { place_id: ['Related object not found using the provided value: 77.'] }] });
    await updateOne(engine, sign, 1, { place_type: 'people.person' }, 'patch', undefined, context);
    expect(asked.at(-1)).toEqual(['people.person', [{ id: 1 }]]);
  });
  test('may be of any type where none is said', async () => {
    await make(
      [
        { text: 'n', about_type: 'people.club', about_id: 4 },
        { text: 'n', about_type: 'town.house', about_id: 1 },
        { text: 'n' },
      ],
      note,
    );
    expect(asked).toEqual([['people.club', [{ id: 4 }]]]);
    await expect(make([{ text: 'n', about_type: 'people.stranger', about_id: 1 }], note)).rejects.toMatchObject({
      body: [{ about_id: ['Related object not found using the provided value: 1.'] }],
    });
  });
});

test('what is not kept here is asked for in its brief form, and shown at once', async () => {
  const asked: string[][] = [];
  const brief = (name: string) => ({ id: 4, url: '/api/people/clubs/4/', display: name, name });
  let version = 3;
  const owner = town.engine({
    peers: {
      ...peers,
      resolve: async (_service, _type, references, columns) => {
        asked.push(columns);
        return {
          results: references.map(() => ({ id: 4 })),
          rows: [{ id: 4, _version: version, tags: [1], _brief: brief(`v${version}`) }],
        };
      },
    },
  });
  const write = async () =>
    JSON.parse(
      (await create(owner, note, [{ text: 'n', about_type: 'people.club', about_id: 4 }], true, context)).texts[0]!,
    ) as unknown;
  expect(await write()).toMatchObject({ about: { id: 4, url: '/api/people/clubs/4/', display: 'v3', name: 'v3' } });
  expect(asked).toEqual([['id', '_version', 'tags', '_brief']]);
  version = 2;
  expect(await write()).toMatchObject({ about: { name: 'v3' } });
  expect(await town.sql('select id::int, version, display, tags::text from replica.any_object')).toEqual([
    { id: 4, version: 3, display: 'v3', tags: '{1}' },
  ]);
});

describe('what is deleted in the same service', () => {
  const removeHouse = (id: number) => remove(engine, house, { ids: [id], messages: new Map(), single: true }, context);
  test('takes along what must point at something, and leaves empty what need not', async () => {
    await make([at('town.house', 1), at('town.house', 2), at('people.person', 1)]);
    await make(
      [
        { text: 'n', about_type: 'town.house', about_id: 1 },
        { text: 'm', about_type: 'people.person', about_id: 1 },
      ],
      note,
    );
    await town.sql('truncate change');
    await removeHouse(1);
    expect(await town.sql('select id::int from town_sign order by id')).toEqual([{ id: 2 }, { id: 3 }]);
    expect(await town.sql('select text, about_type, about_id from town_note order by id')).toEqual([
      { text: 'n', about_type: null, about_id: null },
      { text: 'm', about_type: 'people.person', about_id: '1' },
    ]);
    expect(await changes()).toEqual(
      expect.arrayContaining([
        ['town.note:1', 'updated', REQUEST],
        ['town.sign:1', 'deleted', REQUEST],
        ['town.house:1', 'deleted', REQUEST],
      ]),
    );
  });
  test('stays where something protects it', async () => {
    await make([at('town.house', 2, { marks_type: 'town.house', marks_id: 1 })]);
    await expect(removeHouse(1)).rejects.toMatchObject({
      status: 409,
      body: { detail: 'Unable to delete object. 1 dependent objects were found: x at B [b] (1)' },
    });
    // An object that is deleted along with it does not protect it.
    await make([at('town.house', 1, { marks_type: 'town.house', marks_id: 1, text: 'own' })]);
    await town.sql('delete from town_sign where id = 1');
    await removeHouse(1);
    expect(await town.sql('select id from town_sign')).toEqual([]);
  });
});

describe('what another service deletes', () => {
  const deleted = (objectType: string, objectId: number): ChangeEvent =>
    deletedOf(objectType, objectId, { request: { ...ASKED, id: REQUEST } });
  test('is protected by who is asked, and by no other kind of pointer', async () => {
    await make([at('people.person', 1), at('people.person', 2, { marks_type: 'people.person', marks_id: 3 })]);
    expect(await answerDeletion(engine, 'people.person', [1, 2], DELETION, superuser)).toEqual({
      count: 0,
      names: [],
      cascaded: [{ type: 'town.sign', ids: [1, 2] }],
    });
    expect(await answerDeletion(engine, 'people.person', [3], DELETION, superuser)).toEqual({
      count: 1,
      names: ['x at P2 (2)'],
    });
  });
  test('is protected by what protects something that would go along', async () => {
    await make([at('people.person', 1), at('people.person', 2)]);
    await town.sql(`insert into town_key (id, name, house_id, sign_id) values (1, 'brass', 1, 2)`);
    expect(await answerDeletion(engine, 'people.person', [1], DELETION, superuser)).toMatchObject({
      count: 0,
      cascaded: [{ type: 'town.sign', ids: [1] }],
    });
    expect(await answerDeletion(engine, 'people.person', [1, 2], DELETION, superuser)).toEqual({
      count: 1,
      names: ['brass (1)'],
    });
  });
  test('has what would go along marked: nothing new comes to depend on it, and no other deletion takes it, until it is released or gone', async () => {
    await make([at('people.person', 1), at('people.person', 2)]);
    await answerDeletion(engine, 'people.person', [1, 2], DELETION, superuser);
    const refused = { status: 400, body: [{ sign: ['Related object not found using the provided numeric ID: 1'] }] };
    await expect(make([{ name: 'k', house: 1, sign: 1 }], key)).rejects.toMatchObject(refused);
    expect(await answerDeletion(engine, 'people.person', [1], REQUEST, superuser)).toMatchObject({ busy: true });
    // The same deletion may ask again.
    expect(await answerDeletion(engine, 'people.person', [1], DELETION, superuser)).toMatchObject({
      count: 0,
      cascaded: [{ ids: [1] }],
    });
    await applyEvents(engine, [deleted('people.person', 2)]);
    expect(await town.sql('select id::int from deletion_mark')).toEqual([{ id: 1 }]);
    await release(DELETION, town.pool);
    await make([{ name: 'k', house: 1, sign: 1 }], key);
    expect(await town.sql('select sign_id::int as sign from town_key')).toEqual([{ sign: 1 }]);
  });
  test('is followed although something came to protect it too late: nothing dangles', async () => {
    await make([
      at('people.person', 1),
      at('people.person', 2, { marks_type: 'people.person', marks_id: 1, text: 'marking' }),
    ]);
    await town.sql(`insert into town_key (id, name, house_id, sign_id) values (1, 'brass', 1, 1)`);
    await town.sql('truncate change');
    await applyEvents(engine, [deleted('people.person', 1)]);
    expect(await town.sql('select text, marks_id from town_sign')).toEqual([{ text: 'marking', marks_id: null }]);
    expect(await town.sql('select name, sign_id from town_key')).toEqual([{ name: 'brass', sign_id: null }]);
    expect((await changes()).sort()).toEqual([
      ['town.key:1', 'updated', REQUEST],
      ['town.sign:1', 'deleted', REQUEST],
      ['town.sign:2', 'updated', REQUEST],
    ]);
  });
  test('is followed', async () => {
    await make([at('people.person', 1), at('people.person', 2)]);
    await make([{ text: 'n', about_type: 'people.person', about_id: 1 }], note);
    await town.sql('truncate change');
    await applyEvents(engine, [deleted('people.person', 1)]);
    expect(await town.sql('select place_id::int as id from town_sign')).toEqual([{ id: 2 }]);
    expect(await town.sql('select about_id from town_note')).toEqual([{ about_id: null }]);
    expect((await changes()).sort()).toEqual([
      ['town.note:1', 'updated', REQUEST],
      ['town.sign:1', 'deleted', REQUEST],
    ]);
  });
  test('is followed for many at once, each object changed once', async () => {
    await town.sql(
      `insert into town_sign (text, place_type, place_id, marks_type, marks_id) select 's' || i, 'people.person', i, null, null from generate_series(1, 40) i`,
    );
    await town.sql(
      `insert into town_note (text, about_type, about_id) select 'n' || i, 'people.person', 1 + i % 40 from generate_series(1, 80) i`,
    );
    const statements = async (ids: number[]) => {
      const before = town.statements();
      await applyEvents(
        engine,
        ids.map((id) => deleted('people.person', id)),
      );
      return town.statements() - before;
    };
    await town.sql('truncate change');
    const few = await statements([1, 2]);
    expect(await statements(Array.from({ length: 38 }, (_, i) => i + 3))).toBe(few);
    expect(await town.sql(`select count(*)::int as n, count(about_id)::int as pointing from town_note`)).toEqual([
      { n: 80, pointing: 0 },
    ]);
    expect(await town.sql(`select count(*)::int as n, count(distinct key)::int as objects from change`)).toEqual([
      { n: 120, objects: 120 },
    ]);
  });
  test('waits for who is writing a pointer to it', async () => {
    const gate = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const slow = town.engine({
      peers: {
        ...peers,
        resolve: async (_s, _t, references) => {
          reached.resolve();
          await gate.promise;
          return { results: references.map(() => ({ id: 4 })), rows: [] };
        },
      },
    });
    const writing = create(slow, note, [{ text: 'late', about_type: 'people.club', about_id: 4 }], false, context);
    await reached.promise;
    const following = applyEvents(engine, [deleted('people.club', 4)]);
    setTimeout(() => gate.resolve(), 100);
    await Promise.all([writing, following]);
    expect(await town.sql('select about_id from town_note')).toEqual([{ about_id: null }]);
  });
});

test('only services that protect are asked before a deletion: of any type of object there may be pointers everywhere', () => {
  expect(
    catalogue
      .incoming('people.person')
      .filter((i) => i.generic)
      .map((i) => [i.model.name, i.field, i.onDelete]),
  ).toEqual([
    ['town.sign', 'place', 'cascade'],
    ['town.sign', 'marks', 'protect'],
    ['town.note', 'about', 'setNull'],
  ]);
  expect(
    catalogue
      .incoming('people.club')
      .filter((i) => i.generic)
      .map((i) => [i.model.name, i.onDelete]),
  ).toEqual([['town.note', 'setNull']]);
});

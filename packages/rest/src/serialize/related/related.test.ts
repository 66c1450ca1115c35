import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { count, countedAs, only, ref, type Reference, referrer, referrers, typeId } from '@cadastre/model';
import type { Engine } from '../../engine.ts';
import { compileMembers } from '../writer.ts';
import { openTown, peers, type Town } from '../../testing/database.ts';
import type { Peers } from '../../peers/peers.ts';
import { catalogue, district, house, note, tables } from '../../testing/town.ts';
import { finder } from '../../read/filters/find.ts';
import { loadRelated } from './related.ts';
import { rowsOf } from '../../db/sql.ts';

let town: Town;
let engine: Engine;

beforeAll(async () => {
  town = await openTown();
  engine = town.engine({ baseChoices: (set) => (set === 'days' ? [['mo', 'Monday']] : undefined) });
  await town.sql(
    `insert into replica.people_person (id, _version, name, slug, group_id) values (1, 1, 'Ann', 'ann', 2), (2, 1, 'Bob', 'bob', 1)`,
  );
  await town.sql(
    `insert into replica.people_group (id, _version, name, slug, parent_id, _path, _sort) values (1, 1, 'Staff', 'staff', null, '{1}', '{Staff}'), (2, 1, 'Cooks', 'cooks', 1, '{1,2}', '{Staff,Cooks}')`,
  );
  await town.sql(
    `insert into town_district (id, name, slug, parent_id, _path) values (1, 'North', 'north', null, '{1}'), (2, 'Far "North"', 'far', 1, '{1,2}'), (3, 'South', 'south', null, '{3}')`,
  );
  await town.sql(
    `insert into town_house (id, name, slug, district_id, keeper_id, guests, custom_fields) values (1, 'A', 'a', 2, 1, '{2,1,99}', '{"boss": 2, "team": [1, 99]}'), (2, 'B', 'b', 1, null, '{}', '{}'), (3, 'C', 'c', 1, 2, '{}', '{}')`,
  );
  await town.sql(`insert into town_room (id, name, house_id) values (1, 'r1', 1), (2, 'r2', 1), (3, 'r1', 2)`);
  await town.sql(
    `insert into town_note (id, text, about_type, about_id) values (1, 'x', 'town.house', 1), (2, 'y', 'people.club', 7), (3, 'z', 'town.house', 99), (4, 'w', null, null), (5, 'v', 'nothing.known', 1)`,
  );
  await town.sql(
    `insert into replica.any_object (type, id, version, display, brief) values ($1, 7, 1, 'Chess', '{"id": 7, "url": "/api/people/clubs/7/", "display": "say \\"url\\": \\"/x\\"", "name": "Chess"}')`,
    [typeId('people.club')],
  );
  await town.sql(
    `insert into replica.extras_customfieldchoiceset (id, _version, name, base_choices, extra_choices) values (1, 1, 'Days', 'days', '[["tu", "Tuesday"]]')`,
  );
  await town.sql(`insert into replica.extras_customfield (id, _version, name, label, type, object_types, required, "unique", filter_logic, weight, group_name, related_object_type, choice_set_id, "default", validation_minimum) values
    (1, 1, 'team', 'Team', 'multiobject', '{town.house}', false, false, 'loose', 2, '', 'people.person', null, null, null), (2, 1, 'boss', '', 'object', '{town.house,town.district}', true, false, 'exact', 1, '', 'people.person', null, null, null),
    (3, 1, 'day', '', 'select', '{town.district}', false, true, 'loose', 1, '', null, 1, '"mo"', '1.5000')`);
});
afterAll(async () => {
  await town?.close();
});

/** The JSON of rows, and how many statements were needed besides that for the rows. */
async function shown(
  model: typeof house,
  names: string[],
  order = 'id',
  given = engine,
): Promise<{ rows: Record<string, unknown>[]; statements: number }> {
  const writer = compileMembers(catalogue, model, names);
  const rows = await rowsOf(town.pool, {
    text: `select ${writer.columns.map((c) => `"${c}"`).join()} from ${tables.nameOf(model.name)} order by ${order}`,
    values: [],
  });
  const readContext = await given.readContext();
  const before = town.statements();
  const related = (await loadRelated(readContext, model, writer, rows))('http://h');
  return {
    rows: rows.map((cells) => JSON.parse(writer.print(cells, related)) as Record<string, unknown>),
    statements: town.statements() - before,
  };
}

const ann = { id: 1, url: 'http://h/api/people/people/1/', display: 'Ann', name: 'Ann', slug: 'ann' };
const bob = { id: 2, url: 'http://h/api/people/people/2/', display: 'Bob', name: 'Bob', slug: 'bob' };

describe('related objects', () => {
  test('are looked up by one statement per type, and then remembered', async () => {
    const { rows, statements } = await shown(house, ['keeper', 'guests']);
    expect(rows).toEqual([
      { keeper: ann, guests: [ann, bob] },
      { keeper: null, guests: [] },
      { keeper: bob, guests: [] },
    ]);
    // Another one says how lists of them are sorted.
    expect(statements).toBe(2);
    // Only the one that is not there is asked for again.
    expect((await shown(house, ['keeper', 'guests'])).statements).toBe(1);
    expect((await shown(house, ['keeper'])).statements).toBe(0);
  });
  test('are asked for again when they were touched', async () => {
    await town.sql(`update replica.people_person set name = 'Anne' where id = 1`);
    expect((await shown(house, ['keeper'])).rows[0]).toEqual({ keeper: ann });
    engine.cache.invalidate(typeId('people.person'), '1');
    expect((await shown(house, ['keeper'])).rows[0]).toMatchObject({ keeper: { name: 'Anne' } });
    await town.sql(`update replica.people_person set name = 'Ann' where id = 1`);
    engine.cache.invalidate(typeId('people.person'), '1');
  });
  test('bring what they show themselves', async () => {
    const { rows } = await shown(house, ['district']);
    expect(rows[0]).toEqual({
      district: {
        id: 2,
        url: 'http://h/api/town/districts/2/',
        display: 'Far "North"',
        name: 'Far "North"',
        slug: 'far',
        house_count: 1,
        _depth: 1,
      },
    });
    expect(rows[1]).toMatchObject({ district: { house_count: 3, _depth: 0 } });
  });
  test('are not kept by who sees more than everybody', async () => {
    const fresh = town.engine();
    const client = await town.pool.connect();
    try {
      const readContext = await fresh.readContext(client);
      const writer = compileMembers(catalogue, house, ['keeper', 'room_count']);
      await loadRelated(readContext, house, writer, [['1', '1']]);
    } finally {
      client.release();
    }
    expect([
      fresh.cache.briefs('people.person', 'brief').get('1'),
      fresh.cache.region('town.house.room_count', []).get('1'),
    ]).toEqual([undefined, undefined]);
  });
});

test('objects of any type are found in their table, or among what is known of all', async () => {
  expect((await shown(note, ['about'])).rows).toEqual([
    { about: { id: 1, url: 'http://h/api/town/houses/1/', display: 'A [a]', name: 'A', slug: 'a' } },
    { about: { id: 7, url: 'http://h/api/people/clubs/7/', display: 'say "url": "/x"', name: 'Chess' } },
    { about: null },
    { about: null },
    { about: null },
  ]);
});

describe('what points at objects', () => {
  test('is counted by one statement, none found is remembered too', async () => {
    expect(await shown(house, ['room_count'])).toEqual({
      rows: [{ room_count: 2 }, { room_count: 1 }, { room_count: 0 }],
      statements: 1,
    });
    expect((await shown(house, ['room_count'])).statements).toBe(0);
    engine.cache.invalidate(typeId('town.room'), '1');
    expect((await shown(house, ['room_count'])).statements).toBe(1);
  });
  test('is counted below a tree', async () => {
    expect((await shown(district, ['house_count'])).rows).toEqual([
      { house_count: 3 },
      { house_count: 1 },
      { house_count: 0 },
    ]);
  });
  test('is listed, each with what it shows', async () => {
    const { rows } = await shown(house, ['rooms']);
    expect(rows[0]!['rooms']).toMatchObject([
      { id: 1, url: 'http://h/api/town/rooms/1/', name: 'r1', house: { id: 1, url: 'http://h/api/town/houses/1/' } },
      { id: 2 },
    ]);
    expect(rows[2]).toEqual({ rooms: [] });
  });
});

describe('custom fields', () => {
  test('are defined per type, in their order', async () => {
    const definitions = await engine.definitions();
    expect(definitions.of('town.house').map((f) => f.name)).toEqual(['boss', 'team']);
    expect(definitions.of('town.room')).toEqual([]);
    expect(definitions.of('town.district')[1]).toEqual({
      name: 'day',
      label: '',
      type: 'select',
      relatedType: null,
      required: false,
      unique: true,
      default: 'mo',
      filterLogic: 'loose',
      minimum: 1.5,
      maximum: null,
      searched: false,
      regex: '',
      schema: null,
      choiceSet: { name: 'Days', values: new Set(['mo', 'tu']) },
    });
    expect(definitions.of('town.house')[0]).toMatchObject({
      required: true,
      filterLogic: 'exact',
      relatedType: 'people.person',
    });
  });
  test('are remembered until one changes', async () => {
    const first = await engine.definitions();
    expect(await engine.definitions()).toBe(first);
    engine.cache.invalidate(typeId('extras.customfieldchoiceset'), '1');
    expect(await engine.definitions()).not.toBe(first);
  });
  test('show the objects that they name', async () => {
    expect((await shown(house, ['custom_fields'])).rows.slice(0, 2)).toEqual([
      { custom_fields: { boss: bob, team: [ann] } },
      { custom_fields: { boss: null, team: null } },
    ]);
  });
});

describe('filter values', () => {
  const asked: [type: string, references: Reference[]][] = [];
  /** The owner knows one more person than the replica does. */
  const owner: Peers = {
    ...peers,
    resolve: async (_, type, references) => {
      asked.push([type, references]);
      return {
        results: references.map((r) => (JSON.stringify(r).includes('cid') ? { id: 3 } : { error: 'none' })),
        rows: [],
      };
    },
  };
  const find = (type: string, by: string, values: string[], tree = false) =>
    finder(tables, engine.cache, town.pool, owner)({ type, by, values, tree });
  test('are turned into ids', async () => {
    expect(await find('people.person', 'slug', ['ann', 'bob', 'nobody'])).toEqual(
      new Map([
        ['ann', ['1']],
        ['bob', ['2']],
      ]),
    );
    expect(await find('people.person', 'id', ['2', '99'])).toEqual(new Map([['2', ['2']]]));
    expect(await find('town.room', 'name', ['r1'])).toEqual(new Map([['r1', ['1', '3']]]));
  });
  test('of a tree with all below', async () => {
    expect(await find('people.group', 'slug', ['staff'], true)).toEqual(new Map([['staff', ['1', '2']]]));
    expect(await find('people.group', 'slug', ['staff'])).toEqual(new Map([['staff', ['1']]]));
    expect(await find('people.group', 'id', ['2'], true)).toEqual(new Map([['2', ['2']]]));
  });
  test('are remembered until an object of the type changes; those that are not there are asked for each time', async () => {
    const statements = async () => {
      const before = town.statements();
      await find('people.person', 'slug', ['ann']);
      return town.statements() - before;
    };
    expect(await statements()).toBe(0);
    engine.cache.invalidate(typeId('people.person'), '2');
    expect(await statements()).toBe(1);
  });
  test('that are not here yet are asked for at their owner, if it has such objects at all', async () => {
    asked.length = 0;
    expect(await find('people.person', 'slug', ['cid', 'ann'])).toEqual(
      new Map([
        ['cid', ['3']],
        ['ann', ['1']],
      ]),
    );
    await find('town.room', 'name', ['none']);
    expect(asked).toEqual([['people.person', [{ attributes: { slug: 'cid' } }]]]);
  });
  test('are values, whatever they look like', async () => {
    expect(await find('people.person', 'slug', ["ann' or 1=1 --", '{ann}', 'ann"', '\\'])).toEqual(new Map());
  });
});

describe('what points at an object', () => {
  const more = {
    ...house,
    fields: {
      ...house.fields,
      owner: ref('people.person', { column: 'keeper_id', form: only('slug') }),
      bare: ref('people.person', { column: 'keeper_id', form: only() }),
      sole_room: referrer('town.room', 'house', { form: only('number') }),
      let_out: countedAs('town.room', 'house', ['name'], (rooms, [name]) => JSON.stringify(`${name}: ${rooms > 1}`), {
        type: 'string',
      }),
      notes: referrers('town.note', 'about', { form: 'id' }),
      note_count: count('town.note', 'about'),
    },
  } as typeof house;
  test('is shown with chosen fields only', async () => {
    expect((await shown(more, ['owner', 'bare'])).rows[0]).toEqual({
      owner: { id: 1, url: ann.url, display: 'Ann', slug: 'ann' },
      bare: { id: 1, url: ann.url, display: 'Ann' },
    });
  });
  test('is the only one, or null', async () => {
    const { rows, statements } = await shown(more, ['sole_room']);
    expect(rows).toEqual([
      { sole_room: expect.objectContaining({ display: 'r1', number: null }) },
      { sole_room: expect.objectContaining({ display: 'r1' }) },
      { sole_room: null },
    ]);
    expect(statements).toBe(2);
  });
  test('is counted, and something made of it', async () => {
    expect((await shown(more, ['let_out'])).rows).toEqual([
      { let_out: 'A: true' },
      { let_out: 'B: false' },
      { let_out: 'C: false' },
    ]);
  });
  test('may point through a generic field', async () => {
    expect((await shown(more, ['notes', 'note_count'])).rows).toEqual([
      { notes: [{ id: 1 }], note_count: 1 },
      { notes: [], note_count: 0 },
      { notes: [], note_count: 0 },
    ]);
  });
});

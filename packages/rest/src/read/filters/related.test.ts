import { describe, expect, test } from '@jest/globals';
import { Catalogue, objects } from '@cadastre/model';
import { Binder } from '../../db/sql.ts';
import { Tables } from '../../db/tables.ts';
import { parseQuery } from '../query/query.ts';
import { catalogue, district, house, room, sign, superuser } from '../../testing/town.ts';
import { conditionsOf } from './conditions.ts';
import { definitions, wanted, find, made, errors, missing } from '../../testing/filters.ts';

test('objects named for SQL by hand must be there, and the answer depends on what the SQL names', async () => {
  const living = objects(
    'people.person',
    { by: 'slug' },
    ({ table, tableOf }, ids) =>
      `${table}.keeper_id in (select id from ${tableOf('town.room')} where id = any(${ids}))`,
  );
  const known = {
    ...house,
    filters: {
      living,
      living_id: objects('people.person', { many: true }, ({ table }, ids) => `${table}.keeper_id = any(${ids})`),
    },
  };
  const own = new Tables(
    new Catalogue([
      {
        service: 'town',
        models: [
          known,
          ...['town.district', 'town.group', 'town.room', 'town.note'].flatMap((t) =>
            catalogue.has(t) ? catalogue.get(t) : [],
          ),
        ],
      },
      { service: 'people', models: [...catalogue.ownedBy('people')] },
    ]),
    'town',
  );
  const conditions = async (search: string) => {
    const binder = new Binder();
    const { sql, types } = await conditionsOf(
      known,
      parseQuery(search, { paginateCount: 50, maxPageSize: 0 }).filters,
      {
        tables: own,
        binder,
        find,
        definitions,
        maxRegexLength: 9,
        strict: true,
        who: { ...superuser, userId: 7 },
      },
    );
    return { sql, types: [...types], values: binder.values };
  };
  expect(await conditions('living=a&living=ann')).toEqual({
    sql: ['t.keeper_id in (select id from "town_room" where id = any($1::bigint[]))'],
    types: ['people.person', 'town.room'],
    values: [['13', '2']],
  });
  expect((await conditions('living_id=1&living_id=2')).sql).toEqual(['t.keeper_id = any($1::bigint[])']);
  await expect(conditions('living=nobody')).rejects.toMatchObject({
    body: { living: ['Select a valid choice. That choice is not one of the available choices.'] },
  });
  await expect(conditions('living_id=x')).rejects.toMatchObject({ body: { living_id: missing('x') } });
});

describe('search', () => {
  test('looks into all its columns', async () => {
    expect(await made('q=x&q=%205%25%20')).toMatchObject({
      sql: `(t."name" ilike $1 or t."comments" ilike $1 or t."floors"::text ilike $1)`,
      values: ['%5\\%%'],
    });
  });
  test('looks into related objects, and nowhere else for those that are not here', async () => {
    expect(
      await made('q=x', { ...room, search: ['number', 'house.keeper.name', 'owner.slug'] } as typeof room),
    ).toMatchObject({
      sql: '(t."number"::text ilike $1 or t."house_id" in (select t1.id from "town_house" t1 where t1."keeper_id" in (select x.id from replica."people_person" x where x."name" ilike $1)) or t."owner_id" in (select x.id from replica."people_person" x where x."slug" ilike $1))',
      types: ['town.house', 'people.person'],
    });
    expect(await made('q=x', { ...room, search: ['<people.club.home/name'] } as typeof room)).toMatchObject({
      sql: 'false',
    });
  });
  test('compares the whole value where it is told to, and nothing that it cannot be', async () => {
    const wholly = { ...house, search: ['name', '=floors', '=slug'] } as typeof house;
    expect(await made('q=5', wholly)).toMatchObject({
      sql: '(t."name" ilike $1 or t."floors" = $2::bigint or t."slug" = $3)',
      values: ['%5%', '5', '5'],
    });
    expect(await made('q=5x', wholly)).toMatchObject({
      sql: '(t."name" ilike $1 or t."slug" = $2)',
      values: ['%5x%', '5x'],
    });
    expect(await made('q=12345678901234567890', { ...house, search: ['=floors'] } as typeof house)).toMatchObject({
      sql: 'false',
    });
  });
  test('does nothing for spaces, and where there is nothing to look into', async () => {
    expect([(await made('q=%20')).sql, (await made('q=x', { ...room, search: [] } as typeof room)).sql]).toEqual([
      '',
      '',
    ]);
  });
});

describe('related objects', () => {
  test('are found by their key', async () => {
    expect(await made('keeper=ann&keeper=bob')).toMatchObject({
      sql: 't."keeper_id" = any($1::bigint[])',
      values: [['13', '2']],
      types: ['people.person'],
    });
    expect(wanted).toEqual([{ type: 'people.person', by: 'slug', values: ['ann', 'bob'], tree: false }]);
  });
  test('are found by id', async () => {
    await made('keeper_id=7');
    expect(wanted).toEqual([{ type: 'people.person', by: 'id', values: ['7'], tree: false }]);
    await made('keeper_id=007');
    expect(wanted).toMatchObject([{ values: ['7'] }]);
    expect(await errors('keeper_id=x')).toEqual([400, { keeper_id: missing('x') }]);
    expect(await errors('keeper_id=-1')).toEqual([400, { keeper_id: missing('-1') }]);
  });
  test('that are trees include what is below', async () => {
    await made('district=north');
    expect(wanted).toEqual([{ type: 'town.district', by: 'slug', values: ['north'], tree: true }]);
  });
  test('may be none', async () => {
    expect((await made('district_id=null')).sql).toBe('(t."district_id" is not null) is not true');
    expect((await made('district_id=null&district_id=5')).sql).toBe(
      '(t."district_id" = any($1::bigint[]) or (t."district_id" is not null) is not true)',
    );
    expect((await made('guest=null')).sql).toBe('(cardinality(t."guests") > 0) is not true');
  });
  test('may be left out, objects without any included in what remains', async () => {
    expect((await made('district__n=north')).sql).toBe('(t."district_id" = any($1::bigint[])) is not true');
    expect((await made('district_id__n=null')).sql).toBe('((t."district_id" is not null) is not true) is not true');
  });
  test('may be many', async () => {
    expect((await made('guest=ann')).sql).toBe('t."guests" && $1::bigint[]');
  });
  test('may be far away', async () => {
    expect(await made('keeper_group=staff')).toMatchObject({
      sql: 't."keeper_id" in (select t1.id from replica."people_person" t1 where t1."group_id" = any($1::bigint[]))',
      types: ['people.person', 'people.group'],
    });
    expect((await made('keeper_group=null')).sql).toBe(
      '(t."keeper_id" in (select t1.id from replica."people_person" t1 where t1."group_id" is not null)) is not true',
    );
  });
  test('may be those that point here', async () => {
    expect((await made('room=x')).sql).toBe(
      'exists (select 1 from "town_room" t1 where t1."house_id" = t.id and t1.id = any($1::bigint[]))',
    );
  });
  test('may point here as at anything', async () => {
    expect((await made('note_id=5')).sql).toBe(
      `exists (select 1 from "town_note" t1 where t1."about_id" = t.id and t1."about_type" = 'town.house' and t1.id = any($1::bigint[]))`,
    );
  });
  test('may be what a generic field points at', async () => {
    expect((await made('house_id=5', sign)).sql).toBe(
      `(t."place_type" = 'town.house' and t."place_id" = any($1::bigint[]))`,
    );
    expect((await made('keeper=ann', sign)).sql).toBe(
      `(t."place_type" = 'town.house' and t."place_id" in (select t1.id from "town_house" t1 where t1."keeper_id" = any($1::bigint[])))`,
    );
    expect((await made('house_id=null', sign)).sql).toBe(
      `((t."place_type" = 'town.house' and t."place_id" is not null)) is not true`,
    );
    expect((await made('person_name__ic=a', sign)).sql).toBe(
      `(t."place_type" = 'people.person' and t."place_id" in (select x.id from replica."people_person" x where x."name" ilike any($1::text[])))`,
    );
  });
  test('that are not there are no choice', async () => {
    for (const name of ['keeper', 'district', 'keeper_group', 'guest', 'keeper__n'])
      expect(await errors(`${name}=ann&${name}=nobody`)).toEqual([400, { [name]: missing('nobody') }]);
  });
  test('of a kind that does not exist yet are none', async () => {
    expect(await errors('nobody=x')).toEqual([400, { nobody: missing('x') }]);
    expect([(await made('nobody=null')).sql, (await made('nobody__n=null')).sql]).toEqual(['true', 'false']);
  });
  test('of a tree to its own ancestors', async () => {
    await made('ancestor=north&parent=south', district);
    expect(wanted.map((w) => [w.values[0], w.tree])).toEqual([
      ['north', true],
      ['south', false],
    ]);
  });
});

test('attributes of related objects have the lookups of their family', async () => {
  const inner = (condition: string) =>
    `exists (select 1 from "town_room" t1 where t1."house_id" = t.id and t1.id in (select x.id from "town_room" x where ${condition}))`;
  expect(await made('room_number__gt=3')).toMatchObject({
    sql: inner('(x."number" > $1::bigint)'),
    values: ['3'],
    types: ['town.room'],
  });
  expect((await made('room_number__n=3')).sql).toBe(`(${inner('x."number" = any($1::bigint[])')}) is not true`);
  expect(await errors('room_number=x')).toEqual([400, { room_number: ['Enter a whole number.'] }]);
});

describe('tags', () => {
  test('must all be there', async () => {
    expect(await made('tag=alpha&tag=bravo')).toMatchObject({
      sql: 't.tags @> $1::bigint[]',
      values: [['15', '2']],
      types: ['extras.tag'],
    });
  });
  test('or any of them', async () => {
    expect((await made('tag__any=alpha')).sql).toBe('t.tags && $1::bigint[]');
  });
  test('or none of them', async () => {
    expect((await made('tag__n=alpha')).sql).toBe('not (t.tags && $1::bigint[])');
  });
  test('or none at all', async () => {
    const conditions = await Promise.all(
      ['tag=null', 'tag__n=null', 'tag=null&tag=alpha', 'tag__any=null&tag__any=alpha', 'tag__n=null&tag__n=alpha'].map(
        async (search) => (await made(search)).sql,
      ),
    );
    expect(conditions).toEqual([
      'cardinality(t.tags) = 0',
      'cardinality(t.tags) > 0',
      '(cardinality(t.tags) = 0 and t.tags @> $1::bigint[])',
      '(cardinality(t.tags) = 0 or t.tags && $1::bigint[])',
      '(cardinality(t.tags) > 0 and not (t.tags && $1::bigint[]))',
    ]);
  });
  test('are found by slug or id', async () => {
    await made('tag_id=5');
    expect(wanted).toEqual([{ type: 'extras.tag', by: 'id', values: ['5'], tree: false }]);
    expect(await errors('tag_id=x')).toEqual([400, { tag_id: missing('x') }]);
  });
});

test('filters said by hand get checked values', async () => {
  expect((await made('tall=x&tall=1')).sql).toBe('t.height > 10 is true');
  expect((await made('tall=maybe')).sql).toBe('');
  expect(await made('taller=5')).toMatchObject({ sql: 't.height > $1::numeric', values: ['5'] });
  expect(await errors('taller=x')).toEqual([400, { taller: ['Enter a number.'] }]);
});

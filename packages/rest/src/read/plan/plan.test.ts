import { describe, expect, test } from '@jest/globals';
import type { Refusal } from '../../core/errors.ts';
import { Cache } from '../../cache/cache.ts';
import { NO_DEFINITIONS } from '../../cache/customFieldDefinitions.ts';
import { parseQuery } from '../query/query.ts';
import { catalogue, district, house, note, room, superuser, tables, user } from '../../testing/town.ts';
import { planDetail, type Planner, planList, writerFor } from './plan.ts';

const planner: Planner = {
  tables,
  cache: new Cache(catalogue),
  find: async ({ values }) => new Map(values.map((v) => [v, ['9']])),
  definitions: NO_DEFINITIONS,
  maxRegexLength: 50,
};
const query = (search: string) => parseQuery(search, { paginateCount: 50, maxPageSize: 1000 });
const plan = (search: string, model = room, who = superuser, strict = false) =>
  planList(planner, model, query(search), who, strict);
const JOIN = 'join "town_house" o1 on o1.id = t."house_id"';
const ORDER = 'o1."name" collate "natural", t."name" collate "natural", t.id';

describe('a list', () => {
  test('is one statement with the own columns, and one that counts', async () => {
    const { page, count, types } = await plan('fields=name,house');
    expect(page('t.id')).toEqual({
      text: `select t.id from "town_room" t ${JOIN} order by ${ORDER} limit $1`,
      values: [50],
    });
    expect(count).toEqual({ text: 'select count(*) from "town_room" t', values: [] });
    expect(types).toEqual(['town.room']);
  });
  test('narrows and counts by the same conditions, with the same values', async () => {
    const { page, count, types } = await plan('fields=id&name=x&house=a&limit=2&offset=4&ordering=-id');
    const where = 'where t."name" = any($1::text[]) and t."house_id" = any($2::bigint[])';
    expect(page('t.id')).toEqual({
      text: `select t.id from "town_room" t ${where} order by t.id desc limit $3 offset $4`,
      values: [['x'], ['9'], 2, 4],
    });
    expect(count).toEqual({ text: `select count(*) from "town_room" t ${where}`, values: [['x'], ['9']] });
    expect(types).toEqual(['town.room', 'town.house']);
  });
  test('may be looked for among those that come first in its order, where no other table is needed for that', async () => {
    const { along } = await plan('fields=id&name=x&limit=2&offset=4', house);
    expect(along!('t.id, t.xmin', 99)).toEqual({
      text: `select t.id, t.xmin from (select t.*, t.xmin, t."name" collate "natural" as "_term0", t.id as "_term1" from "town_house" t order by t."name" collate "natural", t.id limit 99) t where t."name" = any($1::text[]) order by t."_term0", t."_term1" limit $2 offset $3`,
      values: [['x'], 2, 4],
    });
    for (const search of ['limit=2', 'name=x&ordering=-name', 'name=x&start=1', 'name__regex=x'])
      expect((await plan(search, house)).along).toBeUndefined();
    expect((await plan('name=x')).along).toBeUndefined();
  });
  test('by cursor asks for one row more and counts nothing', async () => {
    const { page, count } = await plan('fields=id&start=7&limit=2&name=x');
    expect([page('t.id'), count]).toEqual([
      {
        text: 'select t.id from "town_room" t where t."name" = any($1::text[]) and t.id >= $2 order by t.id limit $3',
        values: [['x'], 7, 3],
      },
      null,
    ]);
  });
  test('without limit has none', async () => {
    expect(
      (
        await planList(
          planner,
          room,
          parseQuery('fields=id&limit=0&ordering=id', { paginateCount: 5, maxPageSize: 0 }),
          superuser,
          false,
        )
      ).page('t.id'),
    ).toEqual({ text: 'select t.id from "town_room" t order by t.id', values: [] });
  });
  test('keeps texts free of what clients say', async () => {
    const { page, count } = await plan("name=';drop--&name__regex=drop&fields=drop&ordering=drop&q=drop", room);
    expect(page('').text + count!.text).not.toContain('drop');
  });
});

describe('permissions', () => {
  test('narrow page and count', async () => {
    const { page, count } = await plan(
      'fields=id&ordering=id&number=5',
      room,
      user({ 'view town.room': [{ name: 'x' }, { owner: '$user' }] }),
    );
    const where = 'where t."number" = any($1::bigint[]) and ((t."name" = $2::text) or (t."owner_id" = $3::bigint))';
    expect(page('t.id')).toEqual({
      text: `select t.id from "town_room" t ${where} order by t.id limit $4`,
      values: [['5'], 'x', '7', 50],
    });
    expect(count).toEqual({ text: `select count(*) from "town_room" t ${where}`, values: [['5'], 'x', '7'] });
  });
  test('that look at other objects count as asked for, as changes of those change the count', async () => {
    expect(
      (await plan('fields=id', room, user({ 'view town.room': [{ house__name: 'x' }, { owner__group__name: 'y' }] })))
        .types,
    ).toEqual(['town.room', 'town.house', 'people.person', 'people.group']);
  });
  test('that are missing refuse', async () => {
    for (const action of ['change town.room', 'view town.house'])
      await expect(plan('', room, user({ [action]: null }))).rejects.toMatchObject({
        status: 403,
        body: { detail: 'You do not have permission to perform this action.' },
      });
    expect(() => planDetail(tables, room, 't.id', user({}))).toThrow(expect.objectContaining({ status: 403 }));
  });
  test('narrow one object too, each action by its own', () => {
    const who = user({ 'view town.room': [{ name: 'x' }], 'delete town.room': null });
    expect(planDetail(tables, room, 't.name', who)).toEqual({
      text: 'select t.name from "town_room" t where t.id = any((select $1::bigint[])::bigint[]) and ((t."name" = $2::text))',
      values: ['x'],
    });
    expect(planDetail(tables, room, 't.name', who, 'delete')).toEqual({
      text: 'select t.name from "town_room" t where t.id = any((select $1::bigint[])::bigint[])',
      values: [],
    });
  });
});

describe('what is shown', () => {
  const columns = (search: string, model = room) => writerFor(tables, model, query(search)).columns;
  test('needs its columns and no others', () => {
    expect(columns('fields=bogus')).toEqual(['id']);
    expect(columns('fields=house,id,bogus')).toEqual(['id', 'house_id']);
    expect(columns('brief=true')).toEqual(['id', 'name', 'house_id']);
    expect(columns('omit=house,owner,number,created,last_updated')).toEqual(['id', 'name']);
    expect(columns('fields=about', note)).toEqual(['id', 'about_type', 'about_id']);
  });
  test('is what fields says, whatever omit and brief say', () => {
    expect(columns('fields=number&omit=number&brief=1')).toEqual(['id', 'number']);
  });
  test('can leave out expensive members', () => {
    expect(columns('exclude=house,owner')).not.toContain('house_id');
  });
  test('is compiled once', () => {
    expect(writerFor(tables, room, query('fields=name'))).toBe(writerFor(tables, room, query('fields=name&limit=5')));
  });
});

test('a strict client hears of names that nothing has', async () => {
  const refused = await plan('fields=name,x&omit=y&ordering=z,-name,name', room, superuser, true).then(
    () => null,
    (error: Refusal) => error,
  );
  expect([refused?.status, refused?.body]).toEqual([
    400,
    { fields: ['Unknown field: x'], omit: ['Unknown field: y'], ordering: ['Unknown field: z'] },
  ]);
  await expect(plan('fields=name&ordering=name', room, superuser, true)).resolves.toBeDefined();
});

test('a tree is listed in its order', async () => {
  expect((await plan('fields=id', district)).page('').text).toContain('order by t."_sort" collate "natural", t.id');
});

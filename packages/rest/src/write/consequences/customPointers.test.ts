import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { ChangeEvent } from '@cadastre/events';
import type { Json } from '@cadastre/model';
import { applyEvents } from '../../replication/follow/apply.ts';
import { openTown, type Town } from '../../testing/database.ts';
import { ASKED, deletedOf } from '../../testing/event.ts';
import { house, superuser } from '../../testing/town.ts';
import { pointedAt, without } from './customPointers.ts';
import { remove } from '../remove/remove.ts';
import type { WriteContext } from '../context/context.ts';

let town: Town;
const REQUEST = '019a0000-0000-7000-8000-0000000000cc';
const context: WriteContext = {
  who: superuser,
  base: '',
  cause: { id: REQUEST, method: 'DELETE', path: '/', user: 'root', userId: 1 },
};
const field = (id: number, name: string, type: string, related: string) =>
  town.sql(
    `insert into replica.extras_customfield (id, _version, object_types, name, type, related_object_type, label, group_name, required, "unique", weight, filter_logic, validation_regex)
   values ($1, 1, '{town.house,town.district}', $2, $3, $4, '', '', false, false, 100, 'loose', '')`,
    [id, name, type, related],
  );

beforeAll(async () => {
  town = await openTown();
  await field(1, 'annex', 'object', 'town.house');
  await field(2, 'friends', 'multiobject', 'people.person');
  await field(3, 'mayor', 'object', 'people.person');
});
afterAll(async () => {
  await town?.close();
});
beforeEach(async () => {
  await town.sql('truncate town_house, town_district, change, change_queue, cache_invalidation restart identity');
});

const build = (id: number, values: Json) =>
  town.sql(
    `insert into town_house (id, name, slug, custom_fields) values ($1::bigint, 'H' || $1::text, 'h' || $1::text, $2::jsonb)`,
    [id, JSON.stringify(values)],
  );
const values = async () =>
  Object.fromEntries(
    (await town.sql('select id::int as id, custom_fields as f from town_house order by id')).map(({ id, f }) => [
      id,
      f,
    ]),
  );
const changes = async () =>
  await town.sql(
    `select key, body::jsonb -> 'postchange' -> 'custom_fields' as after, body::jsonb -> 'request' ->> 'id' as request from change where body::jsonb ->> 'action' = 'updated' order by id`,
  );
const deleted = (objectType: string, objectId: number): ChangeEvent =>
  deletedOf(objectType, objectId, { request: { ...ASKED, id: REQUEST } });

test('custom fields let go of an object of this service that is deleted', async () => {
  await build(1, {});
  await build(2, { annex: 1, mayor: 1 });
  await build(3, { annex: 2 });
  await remove(town.engine(), house, { ids: [1], messages: new Map(), single: true }, context);
  expect(await values()).toEqual({ 2: { annex: null, mayor: 1 }, 3: { annex: 2 } });
  expect(await changes()).toEqual([{ key: 'town.house:2', after: { annex: null, mayor: 1 }, request: REQUEST }]);
});

test('and of what other services delete, an object that loses several being changed once', async () => {
  await build(1, { friends: [1, 2, 3], mayor: 2, annex: 2 });
  await build(2, { friends: [3], mayor: 3 });
  await build(3, { friends: null });
  await applyEvents(town.engine(), [deleted('people.person', 2), deleted('people.person', 1)]);
  expect(await values()).toEqual({
    1: { friends: [3], mayor: null, annex: 2 },
    2: { friends: [3], mayor: 3 },
    3: { friends: null },
  });
  expect((await changes()).map(({ key, request }) => [key, request])).toEqual([['town.house:1', REQUEST]]);
});

test('the types that custom fields point at are followed', async () => {
  const engine = town.engine();
  expect([...(await pointedAt(engine))].sort()).toEqual(['people.person', 'town.house']);
  await field(4, 'club', 'object', 'people.club');
  await town.sql(`insert into cache_invalidation (type, id) select type, 0 from (values ($1::int)) as t (type)`, [
    (await import('@cadastre/model')).typeId('extras.customfield'),
  ]);
  expect([...(await pointedAt(engine))].sort()).toEqual(['people.club', 'people.person', 'town.house']);
});

test('values of other fields stay as they are', () => {
  expect(
    without(
      { a: 1, b: [1, 2], c: 'x' },
      new Map([
        ['a', [new Set([1])]],
        ['b', [new Set([2]), new Set([3])]],
      ]),
    ),
  ).toEqual({ a: null, b: [1], c: 'x' });
});

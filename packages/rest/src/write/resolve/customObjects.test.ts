import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Dict, Json } from '@cadastre/model';
import type { Engine } from '../../engine.ts';
import { openTown, peers, type Town } from '../../testing/database.ts';
import { context, house } from '../../testing/town.ts';
import { create } from '../create/create.ts';
import type { Resolved } from '../../peers/peers.ts';

const asked: unknown[] = [];
let town: Town;
let engine: Engine;

beforeAll(async () => {
  town = await openTown();
  engine = town.engine({
    peers: {
      ...peers,
      resolve: async (_service, type, references) => {
        asked.push([type, references]);
        return {
          results: references.map(
            (r): Resolved =>
              'id' in r
                ? r.id < 10
                  ? { id: r.id }
                  : { error: 'none' }
                : r.attributes['slug'] === 'ann'
                  ? { id: 7 }
                  : { error: 'none' },
          ),
          rows: [],
        };
      },
    },
  });
  await town.sql(`insert into replica.extras_customfield (id, _version, object_types, name, label, type, related_object_type, group_name, required, "unique", "default", weight, filter_logic, validation_regex)
    values (1, 1, '{town.house}', 'twin', '', 'object', 'town.house', '', false, false, null, 100, 'loose', ''),
      (2, 1, '{town.house}', 'friends', '', 'multiobject', 'people.person', '', false, false, null, 100, 'loose', '')`);
});
afterAll(async () => {
  await town?.close();
});
beforeEach(async () => {
  asked.length = 0;
  await town.sql('truncate town_house, cache_invalidation, change, change_queue restart identity');
  await town.sql(`insert into town_house (name, slug) values ('A', 'a')`);
});

let made = 0;
const body = (custom_fields: Dict): Dict => ({ name: `H${++made}`, slug: `h${made}`, custom_fields });
const stored = async (custom_fields: Dict): Promise<Json> => {
  const { ids } = await create(engine, house, [body(custom_fields)], true, context);
  return (await town.sql('select custom_fields from town_house where id = $1', [ids[0]]))[0]!['custom_fields'] as Json;
};
const refused = (custom_fields: Dict) =>
  create(engine, house, [body(custom_fields)], true, context).then(
    () => 'accepted',
    (error: { body: unknown }) => error.body,
  );

test('objects may be named by id, by what is read of them, or by attributes', async () => {
  expect(await stored({ twin: 1, friends: [2, '3', { id: 4, display: 'x' }, { slug: 'ann' }] })).toEqual({
    twin: 1,
    friends: [2, 3, 4, 7],
  });
  // What attributes mean is asked again when it is locked.
  expect(asked).toEqual([
    ['people.person', [{ id: 2 }, { id: 3 }, { id: 4 }, { attributes: { slug: 'ann' } }]],
    ['people.person', [{ id: 7 }]],
  ]);
  expect(await stored({ twin: { slug: 'a' }, friends: [] })).toEqual({ twin: 1, friends: [] });
  expect(await stored({ twin: null })).toEqual({ twin: null, friends: null });
});

test('objects must be there', async () => {
  expect(await refused({ twin: 99 })).toEqual({ custom_fields: ['Unknown related object(s): 99'] });
  expect(await refused({ twin: 'x' })).toEqual({ custom_fields: ['Unknown related object(s): x'] });
  expect(await refused({ friends: [1, { slug: 'bob' }] })).toEqual({
    custom_fields: ['Unknown related object(s): [1,{"slug":"bob"}]'],
  });
  expect(await refused({ friends: 1 })).toEqual({ custom_fields: ['Unknown related object(s): 1'] });
});

test('those of all objects are asked for together', async () => {
  await create(engine, house, [body({ friends: [1] }), body({ friends: [2, 1] })], false, context);
  expect(asked).toEqual([['people.person', [{ id: 1 }, { id: 2 }]]]);
});

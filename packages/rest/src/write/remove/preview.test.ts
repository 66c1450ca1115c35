import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { openTown, peers, type Town } from '../../testing/database.ts';
import { house, superuser } from '../../testing/town.ts';
import type { WriteContext } from '../context/context.ts';
import { previewEverywhere } from './preview.ts';
import type { DeletionPreview } from '../../peers/peers.ts';
import { remove } from './remove.ts';
import type { TypedIds } from '../../core/typedIds.ts';

let town: Town;
const NOTHING: DeletionPreview = { deleted: [], protecting: [], changed: [], clashing: [] };
const context: WriteContext = {
  who: superuser,
  base: '',
  cause: { id: '019a0000-0000-7000-8000-0000000000cd', method: 'DELETE', path: '/', user: 'root', userId: 1 },
};

beforeAll(async () => {
  town = await openTown();
});
afterAll(async () => {
  await town?.close();
});
beforeEach(async () => {
  await town.sql('truncate town_house, town_room, town_note, deletion_mark, change, change_queue restart identity');
  await town.sql(`insert into town_house (id, name, slug) values (1, 'A', 'a'), (2, 'B', 'b')`);
  await town.sql(`insert into town_room (id, name, house_id) values (1, 'hall', 1), (2, 'attic', 1), (3, 'hall', 2)`);
});

test('what goes is what a deletion then takes, and until then everything stays as it is', async () => {
  const engine = town.engine({ peers });
  const { deleted, changed } = await previewEverywhere(engine, house, [1], superuser);
  expect(deleted).toEqual([{ type: 'town.room', ids: [1, 2] }]);
  expect(await town.sql('select count(*)::int as rooms from town_room')).toEqual([{ rooms: 3 }]);
  expect(await town.sql('select 1 from deletion_mark')).toEqual([]);
  await remove(engine, house, { ids: [1], messages: new Map(), single: true }, context);
  expect(await town.sql('select id::int from town_room')).toEqual([{ id: 3 }]);
  expect(changed).toEqual([]);
});

test('others are asked about the objects and about all that goes with them, each once for each step', async () => {
  const asked: [string, readonly TypedIds[]][] = [];
  const engine = town.engine({
    peers: {
      ...peers,
      preview: async (service, objects) => {
        asked.push([service, objects]);
        return objects[0]!.type === 'town.house'
          ? NOTHING
          : { ...NOTHING, protecting: [{ type: 'people.club', ids: [7] }] };
      },
    },
  });
  const found = await previewEverywhere(engine, house, [1, 2], superuser);
  expect(found.deleted).toEqual([{ type: 'town.room', ids: [1, 2, 3] }]);
  expect(found.protecting).toEqual([{ type: 'people.club', ids: [7] }]);
  expect(asked).toEqual([
    ['people', [{ type: 'town.house', ids: [1, 2] }]],
    ['people', [{ type: 'town.room', ids: [1, 2, 3] }]],
  ]);
});

test('what goes itself stands in no way, and nobody is told twice', async () => {
  const engine = town.engine({
    peers: {
      ...peers,
      preview: async (_service, objects) =>
        objects[0]!.type === 'town.house'
          ? {
              ...NOTHING,
              protecting: [{ type: 'people.club', ids: [7, 8] }],
              changed: [{ type: 'people.club', ids: [7] }],
            }
          : { ...NOTHING, deleted: [{ type: 'people.club', ids: [7] }] },
    },
  });
  const { deleted, protecting, changed } = await previewEverywhere(engine, house, [1], superuser);
  expect(deleted).toContainEqual({ type: 'people.club', ids: [7] });
  expect(protecting).toEqual([{ type: 'people.club', ids: [8] }]);
  expect(changed).toEqual([]);
});

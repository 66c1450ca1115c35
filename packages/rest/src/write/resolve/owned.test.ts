import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Engine } from '../../engine.ts';
import { openApiOf } from '../../openapi/openapi.ts';
import { optionsOf } from '../../openapi/options.ts';
import { openTown, type Town } from '../../testing/database.ts';
import { catalogue, gate, superuser } from '../../testing/town.ts';
import { create } from '../create/create.ts';
import { remove } from '../remove/remove.ts';
import type { WriteContext } from '../context/context.ts';
import { updateOne } from '../update/update.ts';

let town: Town;
let engine: Engine;
const context: WriteContext = {
  who: superuser,
  base: '',
  cause: { id: '019a0000-0000-7000-8000-0000000000cc', method: 'POST', path: '/', user: 'root', userId: 1 },
};

beforeAll(async () => {
  town = await openTown();
  engine = town.engine();
  await town.sql(`insert into replica.people_person (id, _version, name, slug) values (1, 1, 'Ann', 'ann')`);
});
afterAll(async () => {
  await town?.close();
});
beforeEach(async () => {
  await town.sql('truncate town_gate, town_bar, change, change_queue restart identity cascade');
});

const make = async (body: object) =>
  JSON.parse((await create(engine, gate, [body as never], true, context)).texts[0]!) as Record<string, unknown>;
const patch = async (body: object) =>
  JSON.parse((await updateOne(engine, gate, 1, body as never, 'patch', undefined, context)).texts[0]!) as Record<
    string,
    unknown
  >;
const bars = () => town.sql('select id::int, side, place, smith_id::int as smith, weight from town_bar order by id');
const records = async () =>
  (await town.sql(`select body::jsonb->>'action' as action, key from change order by id`))
    .map(({ action, key }) => `${action} ${key}`)
    .sort();

describe('lists that are part of an object', () => {
  test('are written and shown with it', async () => {
    expect(
      await make({
        name: 'East',
        weight: 9,
        left: [{ position: 2, made_by: 1 }, { position: 1 }],
        right: [{ position: 1 }],
      }),
    ).toMatchObject({
      left: [
        { position: 1, made_by: null },
        { position: 2, made_by: 1 },
      ],
      right: [{ position: 1 }],
    });
    expect(await bars()).toEqual([
      { id: 1, side: 'L', place: 2, smith: 1, weight: 9 },
      { id: 2, side: 'L', place: 1, smith: null, weight: 9 },
      { id: 3, side: 'R', place: 1, smith: null, weight: null },
    ]);
    expect(await records()).toEqual([
      'created town.bar:1',
      'created town.bar:2',
      'created town.bar:3',
      'created town.gate:1',
    ]);
  });

  test('are replaced: what stays the same stays, what goes makes room first', async () => {
    await make({ name: 'East', left: [{ position: 1 }, { position: 2 }], right: [{ position: 1 }] });
    expect(await patch({ left: [{ position: 2 }, { position: 1, made_by: 1 }] })).toMatchObject({
      left: [{ position: 1, made_by: 1 }, { position: 2 }],
      right: [{ position: 1 }],
    });
    expect((await bars()).map(({ id }) => id)).toEqual([2, 3, 4]);
    await patch({ name: 'West' });
    expect(await bars()).toHaveLength(3);
    expect(await patch({ left: [] })).toMatchObject({ left: [], right: [{ position: 1 }] });
  });

  test('go with it', async () => {
    await make({ name: 'East', left: [{ position: 1 }] });
    await remove(engine, gate, { ids: [1], messages: new Map(), single: true }, context);
    expect(await bars()).toEqual([]);
    expect(await records()).toEqual([
      'created town.bar:1',
      'created town.gate:1',
      'deleted town.bar:1',
      'deleted town.gate:1',
    ]);
  });

  test.each<[string, unknown, unknown]>([
    ['no list', { left: 1 }, { left: { non_field_errors: ['Expected a list of items but got type "int".'] } }],
    ['null', { left: null }, { left: ['This field may not be null.'] }],
    [
      'a row that is no dictionary',
      { left: [{ position: 1 }, 5] },
      { left: [{}, { non_field_errors: ['Invalid data. Expected a dictionary, but got int.'] }] },
    ],
    ['a row that lacks something', { left: [{ made_by: 1 }] }, { left: [{ position: ['This field is required.'] }] }],
    [
      'a row with a wrong value',
      { right: [{ position: 0 }] },
      { right: [{ position: ['Ensure this value is greater than or equal to 1.'] }] },
    ],
    [
      'a row that refers to nothing',
      { left: [{ position: 1, made_by: 'x' }] },
      { left: [{ made_by: [expect.stringContaining('Received an unrecognized value: x')] }] },
    ],
    [
      'two rows that are the same',
      { left: [{ position: 1 }, { position: 1 }] },
      { __all__: ['Bar with this Gate, Side and Place already exists.'] },
    ],
  ])('refuse %s', async (_, body, errors) => {
    await expect(make({ name: 'East', ...(body as object) })).rejects.toMatchObject({ status: 400, body: errors });
    expect(await town.sql('select 1 from town_gate')).toEqual([]);
  });

  test('are described', () => {
    const { actions } = optionsOf(catalogue, gate, 'List', { POST: true, PUT: true }) as {
      actions: Record<string, Record<string, unknown>>;
    };
    expect(actions['POST']!['left']).toMatchObject({
      type: 'field',
      required: false,
      read_only: false,
      child: {
        type: 'nested object',
        children: {
          position: { type: 'integer', required: true, label: 'Position' },
          made_by: { required: false, label: 'Made by' },
        },
      },
    });
    expect(openApiOf(catalogue, [gate]).components.schemas['GateRequest']).toMatchObject({
      properties: { right: { items: { required: ['position'], properties: { position: { type: 'integer' } } } } },
    });
  });
});

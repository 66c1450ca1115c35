import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Json } from '@cadastre/model';
import { openTown, type Town } from '../../testing/database.ts';
import { context, room, tables } from '../../testing/town.ts';
import { create } from '../create/create.ts';
import { updateOne } from '../update/update.ts';
import { uniqueStatement } from './unique.ts';

let town: Town;

beforeAll(async () => {
  town = await openTown();
  await town.sql(`insert into town_house (name, slug) values ('A', 'a')`);
  await town.sql(`insert into town_room (house_id, name) values (1, 'hall')`);
});
afterAll(async () => {
  await town?.close();
});

const refused = (body: { [key: string]: Json }) =>
  create(town.engine(), room, [body], true, context).then(
    () => 'accepted',
    (error: { body: unknown }) => error.body,
  );

test('what is there already is found by index, however little there is and however much PostgreSQL expects to be asked', async () => {
  await town.sql(`insert into town_room (house_id, name) select 1, 'room ' || i from generate_series(1, 3000) as i`);
  await town.sql('analyze town_room');
  const rows = JSON.stringify([
    { n: 0, id: null, house_id: 1, name: 'hall' },
    { n: 1, id: null, house_id: 1, name: 'attic' },
  ]);
  const text = uniqueStatement(tables, room);
  const plan = JSON.stringify(await town.sql(`explain (format json) ${text}`, [rows]));
  expect([plan.includes('Index'), plan.includes('Seq Scan')]).toEqual([true, false]);
  expect(await town.sql(text, [rows])).toEqual([{ n: 0, rule: 0 }]);
});

test('a set of fields is compared when each field by itself is in order', async () => {
  const taken = ['Room with this House and Name already exists.'];
  expect(await refused({ house: 1, name: 'hall' })).toEqual({ __all__: taken });
  expect(await refused({ house: 1, name: 'hall', number: 'x' })).toEqual({ number: ['A valid integer is required.'] });
});

describe('whether something is taken is asked', () => {
  const question = uniqueStatement(tables, room);
  const taken = { __all__: ['Room with this House and Name already exists.'] };
  /** How often it is while something is done. */
  async function asked(work: Promise<unknown>): Promise<number> {
    const before = town.ran.length;
    await work;
    return town.ran.slice(before).filter((text) => text === question).length;
  }

  test('of new objects only when storing them has found that something is', async () => {
    const engine = town.engine();
    const add = (...names: string[]) =>
      create(
        engine,
        room,
        names.map((name) => ({ house: 1, name })),
        false,
        context,
      );
    const { ids } = await add('new');
    expect(await asked(expect(add('free', 'hall')).rejects.toMatchObject({ body: [{}, taken] }))).toBe(1);
    // What was refused has used up no id.
    expect(
      await asked(expect(add('newer', 'newest')).resolves.toMatchObject({ ids: [ids[0]! + 1, ids[0]! + 2] })),
    ).toBe(0);
    expect(await asked(expect(add('twice', 'twice')).rejects.toMatchObject({ body: [{}, taken] }))).toBe(0);
    expect(await town.sql(`select from town_room where name in ('free', 'twice')`)).toEqual([]);
  });

  test('of changed ones only when something has changed by which they are compared', async () => {
    const engine = town.engine();
    const change = (body: { [key: string]: Json }) => updateOne(engine, room, 1, body, 'patch', undefined, context);
    expect(await asked(change({ number: 3 }))).toBe(0);
    expect(await asked(change({ name: 'large hall' }))).toBe(1);
    await expect(change({ name: 'new' })).rejects.toMatchObject({ body: taken });
  });
});

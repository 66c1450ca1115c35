import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Json } from '@cadastre/model';
import { openTown, type Town } from '../../testing/database.ts';
import { room, superuser, tables } from '../../testing/town.ts';
import { create } from '../create.ts';
import { uniqueStatement } from './unique.ts';

const context = {
  who: superuser,
  cause: { id: '019a0000-0000-7000-8000-0000000000dd', method: 'POST', path: '/x', user: 'root', userId: 1 },
  base: '',
};
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

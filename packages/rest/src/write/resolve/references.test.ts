import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTown, peers, type Town } from '../../testing/database.ts';
import { context, house, room } from '../../testing/town.ts';
import type { Engine } from '../../engine.ts';
import { create } from '../create.ts';
import type { Peers } from './peers.ts';

let town: Town;

beforeAll(async () => {
  town = await openTown();
  await town.sql(`insert into town_house (name, slug) values ('A', 'a')`);
  await town.sql(`insert into replica.people_person (id, _version, name, slug) values (1, 1, 'Ann', 'ann')`);
});
afterAll(async () => {
  await town?.close();
});

/** Creates a room of Ann's. Returns what it shows of her, and the statements that looked for that. */
async function ofAnn(engine: Engine, name: string): Promise<[owner: unknown, asked: number]> {
  const before = town.ran.length;
  const { texts } = await create(engine, room, [{ house: 1, name, owner: 1 }], true, context);
  const asked = town.ran.slice(before).filter((text) => /^select t\."id".* from replica\."people_person"/.test(text));
  return [(JSON.parse(texts[0]!) as { owner: { name: string } }).owner.name, asked.length];
}

test('what a transaction shows of objects that it has left alone is remembered for the next', async () => {
  const engine = town.engine();
  expect(await ofAnn(engine, 'first')).toEqual(['Ann', 1]);
  expect(await ofAnn(engine, 'second')).toEqual(['Ann', 0]);
});

test('what counts its objects is not', async () => {
  await town.sql(`insert into town_district (name, slug, _path, _sort) values ('D', 'd', '{1}', '{D}')`);
  const engine = town.engine();
  const add = (name: string) => create(engine, house, [{ name, slug: name, district: 1 }], true, context);
  const { texts } = await add('b');
  expect(JSON.parse(texts[0]!)).toMatchObject({ district: { name: 'D' } });
  expect(engine.cache.briefs('town.district', 'brief').get('1')).toBeUndefined();
});

test('what it has brought from their owner is not, as nobody else can see that yet', async () => {
  const newer: Peers['resolve'] = async (service, type, references, columns, who) => ({
    ...(await peers.resolve(service, type, references, columns, who)),
    rows: [{ id: 1, _version: 2, name: 'Anna', slug: 'ann', group_id: null }],
  });
  const engine = town.engine({ peers: { ...peers, resolve: newer } });
  expect((await ofAnn(engine, 'third'))[0]).toBe('Anna');
  expect(engine.cache.briefs('people.person', 'brief').get('1')).toBeUndefined();
  expect(await ofAnn(engine, 'fourth')).toEqual(['Anna', 1]);
  expect(engine.cache.briefs('people.person', 'brief').get('1')).toBeDefined();
});

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTown, peers, type Town } from '../../testing/database.ts';
import { context, house, room } from '../../testing/town.ts';
import type { Engine } from '../../engine.ts';
import { create } from '../create/create.ts';
import type { Peers } from '../../peers/peers.ts';

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

describe('attributes that were asked about before', () => {
  const replica = (text: string) => /from replica\."people_person" t where .*limit 2/.test(text);
  const lock = (text: string) => text.includes('pg_advisory_xact_lock_shared');
  /** An owner who knows whom attributes mean. */
  const owner = (meant: { id: number | undefined }): Peers => ({
    ...peers,
    resolve: async (_service, _type, references) => ({
      results: references.map((r) => {
        const id = 'id' in r ? r.id : meant.id;
        return id === undefined ? { error: 'nobody' } : { id };
      }),
      rows: [],
    }),
  });
  /** Creates a room of Ann's; returns whose it is, and how often it was guessed and locked. */
  async function roomOfAnn(engine: Engine, name: string): Promise<[owner: unknown, guessed: number, locked: number]> {
    const before = town.ran.length;
    await create(engine, room, [{ house: 1, name, owner: { slug: 'ann' } }], true, context);
    const ran = town.ran.slice(before);
    const [row] = await town.sql('select owner_id::int as owner from town_room where name = $1', [name]);
    return [row!['owner'], ran.filter(replica).length, ran.filter(lock).length];
  }
  beforeAll(async () => {
    await town.sql(`insert into replica.people_person (id, _version, name, slug) values (2, 1, 'Ben', 'ben')`);
  });

  test('are not looked for in the replica again', async () => {
    const engine = town.engine({ peers: owner({ id: 1 }) });
    expect(await roomOfAnn(engine, 'asked 1')).toEqual([1, 1, 1]);
    expect(await roomOfAnn(engine, 'asked 2')).toEqual([1, 0, 1]);
  });
  test('may mean another object by now, which is locked too', async () => {
    const meant: { id: number | undefined } = { id: 1 };
    const engine = town.engine({ peers: owner(meant) });
    await roomOfAnn(engine, 'moved 1');
    meant.id = 2;
    expect(await roomOfAnn(engine, 'moved 2')).toEqual([2, 0, 2]);
    expect(await roomOfAnn(engine, 'moved 3')).toEqual([2, 0, 1]);
  });
  test('may mean nothing by now, and are forgotten then', async () => {
    const meant: { id: number | undefined } = { id: 1 };
    const engine = town.engine({ peers: owner(meant) });
    await roomOfAnn(engine, 'gone 1');
    meant.id = undefined;
    await expect(roomOfAnn(engine, 'gone 2')).rejects.toMatchObject({ status: 400, body: { owner: ['nobody'] } });
    meant.id = 1;
    expect(await roomOfAnn(engine, 'gone 3')).toEqual([1, 1, 1]);
  });
  test('are looked for again for others, and for who has other rights', async () => {
    const engine = town.engine({ peers: owner({ id: 1 }) });
    const asks = async (name: string, who: object) => {
      const before = town.ran.length;
      const asking = { ...context, who: { ...context.who, ...who } };
      await create(engine, room, [{ house: 1, name, owner: { slug: 'ann' } }], true, asking);
      return town.ran.slice(before).filter(replica).length;
    };
    expect(await asks('who 1', { userId: 1, grantsVersion: 1 })).toBe(1);
    expect(await asks('who 2', { userId: 1, grantsVersion: 1 })).toBe(0);
    expect(await asks('who 3', { userId: 2, grantsVersion: 1 })).toBe(1);
    expect(await asks('who 4', { userId: 1, grantsVersion: 2 })).toBe(1);
  });
});

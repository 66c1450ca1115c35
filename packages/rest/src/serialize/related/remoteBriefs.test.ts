import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { typeId } from '@cadastre/model';
import type { Engine } from '../../engine.ts';
import { list } from '../../read/list/list.ts';
import { parseQuery } from '../../read/query/query.ts';
import { openTown, peers, type Town } from '../../testing/database.ts';
import { catalogue, member, note, person, stay, superuser, tables } from '../../testing/town.ts';
import { Unreachable } from '../../peers/peers.ts';
import { displaysAt } from './displays.ts';
import { remoteBriefKindOf, remoteBriefs } from './remoteBriefs.ts';

let town: Town;
let engine: Engine;
/** What the owner of members and stays says, and what it was asked. */
const owner = new Map<string, string>();
const asked: unknown[] = [];
let away = false;

const said = (type: string, id: number, name: string) =>
  owner.set(
    `${type} ${id}`,
    `{"id":${id},"url":"/api/people/x/${id}/","display":"${name} (${id})","person":{"id":1,"name":"${name}"}}`,
  );
const engineOf = () =>
  town.engine({
    peers: {
      ...peers,
      async briefs(service, type, ids) {
        asked.push([service, type, [...ids].sort((a, b) => a - b)]);
        if (away) throw new Unreachable(service, new Error('away'));
        return new Map(
          ids.flatMap((id) => {
            const text = owner.get(`${type} ${id}`);
            return text === undefined ? [] : [[id, text] as const];
          }),
        );
      },
    },
  });

beforeAll(async () => {
  town = await openTown();
});
afterAll(async () => {
  await town?.close();
});
beforeEach(async () => {
  engine = engineOf();
  asked.length = 0;
  owner.clear();
  away = false;
  await town.sql('truncate replica.any_object, town_note, cache_invalidation restart identity');
  await town.sql(
    `insert into town_note (id, text, about_type, about_id) values (1, 'x', 'people.member', 3), (2, 'y', 'people.member', 4)`,
  );
  for (const id of [3, 4])
    await town.sql(
      `insert into replica.any_object (type, id, version, display, brief) values ($1, $2, 1, 'Old', '{"id": ${id}, "url": "/api/people/members/${id}/", "display": "Old (${id})", "person": {"id": 1, "name": "Old"}}')`,
      [typeId('people.member'), id],
    );
  said('people.member', 3, 'Ann');
  said('people.member', 4, 'Ann');
});

/** The texts of the objects that notes are about, as a list of notes shows them. */
async function page(): Promise<string[]> {
  const text = await list(engine, note, parseQuery('ordering=id', { paginateCount: 50, maxPageSize: 100 }), superuser, {
    base: 'http://h',
    path: '/api/town/notes/',
  });
  return (JSON.parse(text) as { results: { about: { display: string; url: string } }[] }).results.map(
    ({ about }) => about.display,
  );
}
const touch = (type: string, id: number) =>
  town.sql('insert into cache_invalidation (type, id) values ($1, $2)', [typeId(type), id]);

test('who knows what an object looks like follows from what its form shows', () => {
  expect([person, member, stay, catalogue.get('people.club')].map((model) => remoteBriefKindOf(tables, model))).toEqual(
    ['event', 'owner', 'fleeting', 'event'],
  );
  expect(remoteBriefKindOf({ catalogue, keepsAnyObject: false }, person)).toBe('fleeting');
});

describe('objects that show something of others', () => {
  test('are shown as their owner says: one call for a page, and none while nothing changes that they show', async () => {
    expect(await page()).toEqual(['Ann (3)', 'Ann (4)']);
    expect(asked).toEqual([['people', 'people.member', [3, 4]]]);
    expect(await page()).toEqual(['Ann (3)', 'Ann (4)']);
    expect(asked).toHaveLength(1);
    // The person is renamed, and neither member changes.
    for (const id of [3, 4]) said('people.member', id, 'Anne');
    await touch('people.person', 1);
    expect(await page()).toEqual(['Anne (3)', 'Anne (4)']);
    expect(asked).toHaveLength(2);
  });
  test('stand for themselves with the text that their owner says', async () => {
    expect([...(await displaysAt(await engine.readContext(), 'people.member', '', ['3', '4']))]).toEqual([
      ['3', 'Ann (3)'],
      ['4', 'Ann (4)'],
    ]);
    expect(asked).toHaveLength(1);
  });
  test('are shown as they were told last while their owner is away, and that is not remembered', async () => {
    away = true;
    expect(await page()).toEqual(['Old (3)', 'Old (4)']);
    away = false;
    expect(await page()).toEqual(['Ann (3)', 'Ann (4)']);
  });
  test('are shown as they were told last when their owner has them no longer', async () => {
    owner.delete('people.member 4');
    expect(await page()).toEqual(['Ann (3)', 'Old (4)']);
  });
  test('have the address of the server that was asked', async () => {
    const briefs = await remoteBriefs(await engine.readContext(), 'people.member', ['3']);
    expect(JSON.parse(briefs.get('3')!.at('http://h'))).toMatchObject({ url: 'http://h/api/people/x/3/' });
  });
  test('are asked about in portions when there are very many', async () => {
    await remoteBriefs(
      await engine.readContext(),
      'people.member',
      Array.from({ length: 2500 }, (_, i) => String(i + 1)),
    );
    expect(asked.map((call) => (call as [string, string, number[]])[2].length)).toEqual([1000, 1000, 500]);
  });
});

test('objects that show something of a third service are asked for each time', async () => {
  await town.sql(`update town_note set about_type = 'people.stay'`);
  for (const id of [3, 4]) said('people.stay', id, 'A');
  expect(await page()).toEqual(['A (3)', 'A (4)']);
  for (const id of [3, 4]) said('people.stay', id, 'B');
  expect(await page()).toEqual(['B (3)', 'B (4)']);
  expect(asked).toHaveLength(2);
});

test('objects that show nothing of others are as their events told', async () => {
  await town.sql(`update town_note set about_type = 'people.club'`);
  await town.sql('update replica.any_object set type = $1', [typeId('people.club')]);
  expect(await page()).toEqual(['Old (3)', 'Old (4)']);
  expect(asked).toEqual([]);
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { typeId } from '@cadastre/model';
import type { ChangeEvent, JsonObject } from '@cadastre/events';
import type { Engine } from '../engine.ts';
import { applyEvents } from '../follow/apply.ts';
import { openTown, type Town } from '../testing/database.ts';
import { fillReplicas } from './fill.ts';
import { trimGone } from './gone.ts';
import { type Kept, keptBy } from './kept.ts';
import type { Owners } from './owners.ts';
import { rowsAt, snapshotOf } from './snapshot.ts';
import type { Filled } from './state.ts';
import { verifyReplica } from './verify.ts';

// The town keeps people; they are owned by a service with a database of its own, as are custom fields.
let town: Town;
let people: Town;
let extras: Town;
let engine: Engine;
let peopleEngine: Engine;
let extrasEngine: Engine;
beforeAll(async () => {
  [town, people, extras] = await Promise.all([openTown(), openTown('people'), openTown('extras')]);
  engine = town.engine();
  peopleEngine = people.engine();
  extrasEngine = extras.engine();
});
afterAll(async () => {
  await town?.close();
  await people?.close();
  await extras?.close();
});
beforeEach(async () => {
  await town.sql(
    'truncate town_house, town_room, town_note, replica.people_person, replica.extras_customfield, replica.any_object, replica_gone, replica_state, touched, change, change_queue restart identity cascade',
  );
  await people.sql('truncate people_person, people_club, people_group restart identity cascade');
  await extras.sql('truncate extras_customfield restart identity cascade');
  inserted = () => undefined;
});

/** Called between chunks, with how many there were. */
let inserted: (chunks: number) => Promise<unknown> | undefined;
const size = 3;
const owner = (name: string) => (name === 'people' ? peopleEngine : extrasEngine);
const owners: Owners = {
  async *snapshot(name, wanted) {
    let chunks = 0;
    for await (const chunk of snapshotOf(owner(name), wanted, { rows: size, characters: 100_000 })) {
      await inserted(++chunks);
      yield chunk;
    }
  },
  rowsAt: (name, wanted, ids) => rowsAt(owner(name), wanted, ids),
};
const kept = (type: string): Kept => keptBy(engine.tables).find((one) => one.type === type)!;
const fill = async (...types: string[]) => {
  const results = new Map<string, Filled>();
  await fillReplicas(engine, owners, kept(types[0]!).owner, types.map(kept), {
    filled: async ({ type }, result) => {
      results.set(type, result);
    },
  });
  return results;
};
const persons = (n: number, from = 1) =>
  people.sql(
    `insert into people_person (id, name, slug, biography) select i, 'P' || i, 'p' || i, 'long' from generate_series($1::int, $2::int) i`,
    [from, from + n - 1],
  );
const event = (
  objectType: string,
  objectId: number,
  version: number,
  more: Partial<ChangeEvent> = {},
): ChangeEvent => ({
  id: '019a0000-0000-7000-8000-000000000001',
  time: '2026-01-01T00:00:00.000000Z',
  request: null,
  action: 'updated',
  objectType,
  objectId,
  version,
  display: 'x',
  message: '',
  data: {},
  prechange: null,
  postchange: null,
  related: null,
  ...more,
  row: more.row ? { id: objectId, _version: version, ...more.row } : null,
});
const told = (id: number, version: number, name: string) =>
  event('people.person', id, version, {
    row: { name, slug: `p${id}`, group_id: null },
    data: { id, display: name, name, slug: `p${id}` },
    display: name,
  });
const gone = (id: number) => event('people.person', id, 9, { action: 'deleted' });
const here = async () =>
  (await town.sql('select id::int, name, slug, _version from replica.people_person order by id')).map((r) => [
    r['id'],
    r['name'],
    r['slug'],
    r['_version'],
  ]);
const briefs = async () =>
  await town.sql(
    'select id::int, version, display, brief, tags::text from replica.any_object where type = $1 order by id',
    [typeId('people.person')],
  );
const verify = (type: string, caughtUp: () => Promise<void> = async () => undefined, more: object = {}) =>
  verifyReplica(engine, owners, kept(type), { caughtUp, ...more });

describe('a fill', () => {
  test('brings all that the owner has, in chunks, and nothing that is not asked for', async () => {
    await persons(8);
    const result = (await fill('people.person')).get('people.person')!;
    expect(result).toMatchObject({ rows: 8, written: 8, removed: 0, stuck: 0 });
    expect(await here()).toEqual(Array.from({ length: 8 }, (_, i) => [i + 1, `P${i + 1}`, `p${i + 1}`, 1]));
    expect((await briefs())[7]).toEqual({
      id: 8,
      version: 1,
      display: 'P8',
      brief: { id: 8, url: '/api/people/people/8/', display: 'P8', name: 'P8', slug: 'p8' },
      tags: '{}',
    });
    expect((await fill('people.person')).get('people.person')).toMatchObject({ rows: 8, written: 0 });
  });
  test('fills several types from one stream, also empty ones', async () => {
    await persons(2);
    await people.sql(`insert into people_club (name) values ('Chess')`);
    const results = await fill('people.club', 'people.person', 'people.group');
    expect([...results].map(([type, { rows }]) => [type, rows])).toEqual([
      ['people.club', 1],
      ['people.person', 2],
      ['people.group', 0],
    ]);
  });
  test('waits for the disk only where something follows from it here, which others are told of', async () => {
    await persons(2);
    await people.sql(`insert into people_club (name) values ('Chess')`);
    // Databases of tests never wait, so what counts is whether this transaction has said so.
    await town.sql(`create table waited (type int, chosen bool);
      create function note_waited() returns trigger language plpgsql as $$ begin insert into waited select new.type, source = 'session' and setting = 'off' from pg_settings where name = 'synchronous_commit'; return null; end $$;
      create trigger note_waited after insert on replica.any_object for each row execute function note_waited()`);
    try {
      await fill('people.club', 'people.person');
      expect(
        new Map((await town.sql('select distinct type, chosen from waited')).map((r) => [r['type'], r['chosen']])),
      ).toEqual(
        new Map([
          [typeId('people.club'), true],
          [typeId('people.person'), false],
        ]),
      );
    } finally {
      await town.sql('drop function note_waited cascade; drop table waited');
    }
  });
  test('leaves what is newer, mends what is altered, and forgets what the owner no longer has', async () => {
    await persons(6);
    await fill('people.person');
    await applyEvents(engine, [told(1, 5, 'Newer')]);
    await people.sql(
      `update people_person set name = 'Newer', _version = 5 where id = 1; delete from people_person where id in (3, 6)`,
    );
    await town.sql(
      `update replica.people_person set name = 'altered' where id = 2; delete from replica.people_person where id = 4; delete from replica.any_object where id = 4; update replica.any_object set display = 'altered' where id = 2`,
    );
    expect((await fill('people.person')).get('people.person')).toMatchObject({ rows: 4, removed: 2 });
    expect(await here()).toEqual([
      [1, 'Newer', 'p1', 5],
      [2, 'P2', 'p2', 1],
      [4, 'P4', 'p4', 1],
      [5, 'P5', 'p5', 1],
    ]);
    expect((await briefs()).map((b) => b['display'])).toEqual(['Newer', 'P2', 'P4', 'P5']);
  });
  test('fills columns that came later, in rows of the same version', async () => {
    await persons(2);
    await fill('people.person');
    await town.sql(
      'alter table replica.people_person drop column slug; alter table replica.people_person add column slug text',
    );
    await fill('people.person');
    expect(await here()).toEqual([
      [1, 'P1', 'p1', 1],
      [2, 'P2', 'p2', 1],
    ]);
  });
  test('does not bring back what is deleted while it runs, whether before or after its chunk', async () => {
    await persons(9);
    // The first chunk has been read when these are deleted, and their events come before it.
    inserted = async (chunks) => {
      if (chunks !== 1) return;
      await people.sql('delete from people_person where id in (2, 5)');
      await applyEvents(engine, [gone(2), gone(5)]);
    };
    await fill('people.person');
    expect((await here()).map(([id]) => id)).toEqual([1, 3, 4, 6, 7, 8, 9]);
    expect((await briefs()).map((b) => b['id'])).toEqual([1, 3, 4, 6, 7, 8, 9]);
    await applyEvents(engine, [told(2, 1, 'Late')]);
    expect((await here()).map(([id]) => id)).not.toContain(2);
  });
  test('keeps what is made and changed while it runs', async () => {
    await persons(9);
    await people.sql('delete from people_person where id = 2');
    inserted = async (chunks) => {
      if (chunks !== 1) return;
      // Its id is among those that were read already: its transaction took it early and ended late.
      await persons(1, 2);
      await people.sql(`update people_person set name = 'Changed', _version = 2 where id = 1`);
      await applyEvents(engine, [told(2, 1, 'P2'), told(1, 2, 'Changed')]);
    };
    await fill('people.person');
    expect((await here()).slice(0, 3)).toEqual([
      [1, 'Changed', 'p1', 2],
      [2, 'P2', 'p2', 1],
      [3, 'P3', 'p3', 1],
    ]);
  });
  test('follows deletions that nobody told of: references become empty; what something protects stays, and is counted', async () => {
    await persons(3);
    await fill('people.person');
    await town.sql(
      `insert into town_house (id, name, slug, guests, keeper_id) values (1, 'A', 'a', '{1,2}', null), (2, 'B', 'b', '{}', 3)`,
    );
    await town.sql(
      `insert into town_note (id, about_type, about_id, text) values (1, 'people.person', 2, 'x'), (2, 'people.person', 7, 'of somebody who was never here'), (3, 'people.person', 1, 'y')`,
    );
    await people.sql('delete from people_person where id in (2, 3)');
    expect((await fill('people.person')).get('people.person')).toMatchObject({ removed: 2, stuck: 1 });
    // A keeper protects.
    expect(await town.sql('select guests::text, keeper_id::int from town_house order by id')).toEqual([
      { guests: '{1}', keeper_id: null },
      { guests: '{}', keeper_id: 3 },
    ]);
    expect((await here()).map(([id]) => id)).toEqual([1, 3]);
    expect(await town.sql('select about_id::int from town_note order by id')).toEqual([
      { about_id: null },
      { about_id: null },
      { about_id: 1 },
    ]);
    expect((await town.sql(`select body::jsonb ->> 'objectType' as t from change`)).map((r) => r['t'])).toEqual(
      expect.arrayContaining(['town.house', 'town.note', 'town.note']),
    );
    await town.sql('update town_house set keeper_id = null');
    expect((await fill('people.person')).get('people.person')).toMatchObject({ removed: 1, stuck: 0 });
  });
  test('follows an owner that was restored to what it was before', async () => {
    await persons(2);
    await fill('people.person');
    await applyEvents(engine, [told(1, 7, 'Future'), gone(2)]);
    expect(await here()).toEqual([[1, 'Future', 'p1', 7]]);
    await fill('people.person');
    expect(await here()).toEqual([
      [1, 'P1', 'p1', 1],
      [2, 'P2', 'p2', 1],
    ]);
  });
  test('ends when the stream does, and says so', async () => {
    await persons(9);
    inserted = async (chunks) => {
      if (chunks === 2) throw new Error('cut');
    };
    await expect(fill('people.person')).rejects.toThrow('cut');
    inserted = () => undefined;
    await fill('people.person');
    expect(await here()).toHaveLength(9);
  });
});

test('deletions are remembered for a while', async () => {
  await applyEvents(engine, [gone(1)]);
  await trimGone(engine.pool, 1);
  expect(await town.sql('select id::int from replica_gone')).toEqual([{ id: 1 }]);
  await town.sql(`update replica_gone set at = now() - interval '2 days'`);
  await trimGone(engine.pool, 1);
  expect(await town.sql('select id from replica_gone')).toEqual([]);
});

test('what nobody may know is not told, nor what is not there', async () => {
  await expect(rowsAt(peopleEngine, { type: 'people.person', columns: ['pin'] }, [1])).rejects.toThrow('no column pin');
  await expect(rowsAt(peopleEngine, { type: 'people.person', columns: ['shoe'] }, [1])).rejects.toThrow(
    'no column shoe',
  );
  await expect(rowsAt(peopleEngine, { type: 'town.house', columns: [] }, [1])).rejects.toThrow('does not own');
});

describe('custom fields whose events were missed', () => {
  const field = (id: number, name: string, types: string[], more: JsonObject = {}) =>
    extras.sql(
      `insert into extras_customfield (id, name, type, object_types, "default", required, "unique", weight, filter_logic, _version) values ($1, $2, 'text', $3, $4, false, false, 1, 'loose', $5) on conflict (id) do update set name = excluded.name, object_types = excluded.object_types, _version = excluded._version`,
      [id, name, types, JSON.stringify(more['default'] ?? null), more['version'] ?? 1],
    );
  const values = async () =>
    (await town.sql('select custom_fields from town_house order by id')).map((r) => r['custom_fields']);
  beforeEach(async () => {
    await town.sql(
      `insert into town_house (id, name, slug, custom_fields) values (1, 'A', 'a', '{}'), (2, 'B', 'b', '{}')`,
    );
  });
  test('come with their default, are renamed, and go', async () => {
    await field(1, 'code', ['town.house'], { default: 'x' });
    await fill('extras.customfield');
    expect(await values()).toEqual([{ code: 'x' }, { code: 'x' }]);
    await field(1, 'number', ['town.house'], { version: 2 });
    await field(2, 'other', ['town.district']);
    await fill('extras.customfield');
    expect(await values()).toEqual([{ number: 'x' }, { number: 'x' }]);
    await extras.sql('delete from extras_customfield where id = 1');
    await fill('extras.customfield');
    expect(await values()).toEqual([{}, {}]);
    expect(await town.sql('select id::int from replica.extras_customfield')).toEqual([{ id: 2 }]);
  });
  test('are not undone by what is older', async () => {
    await field(1, 'code', ['town.house'], { default: 'x' });
    inserted = async (chunks) => {
      if (chunks !== 1) return;
      await field(1, 'code', [], { version: 2 });
      const before = { name: 'code', object_types: ['town.house'] };
      const after = { name: 'code', object_types: [] };
      await applyEvents(engine, [
        event('extras.customfield', 1, 2, {
          prechange: before,
          postchange: after,
          row: { ...after, type: 'text', required: false, unique: false, weight: 1, filter_logic: 'loose' },
        }),
      ]);
    };
    await fill('extras.customfield');
    expect(await values()).toEqual([{}, {}]);
  });
});

describe('a check', () => {
  beforeEach(async () => {
    await persons(8);
    await fill('people.person');
  });
  test('finds nothing where nothing is wrong', async () => {
    expect(await verify('people.person')).toEqual({
      type: 'people.person',
      rows: 8,
      kept: 8,
      missing: 0,
      extra: 0,
      different: 0,
      complete: true,
      examples: [],
    });
  });
  test('names what is missing, too much and different, each in its place', async () => {
    await town.sql(`delete from replica.people_person where id = 1; update replica.people_person set name = 'altered', slug = 'altered' where id = 2; update replica.people_person set _version = 9 where id = 4;
      insert into replica.people_person (id, name, slug, _version) values (99, 'X', 'x', 1); update replica.any_object set brief = brief || '{"name": "altered"}' where id = 3; delete from replica.any_object where id = 8`);
    const report = await verify('people.person');
    expect(report).toMatchObject({ rows: 8, kept: 8, missing: 2, extra: 1, different: 3 });
    expect(report.examples).toEqual([
      { id: 1, problem: 'missing', kept_in: 'table', version: 1, kept_version: null, columns: [] },
      { id: 2, problem: 'different', kept_in: 'table', version: 1, kept_version: 1, columns: ['name', 'slug'] },
      { id: 4, problem: 'different', kept_in: 'table', version: 1, kept_version: 9, columns: ['_version'] },
      { id: 99, problem: 'extra', kept_in: 'table', version: null, kept_version: 1, columns: [] },
      { id: 3, problem: 'different', kept_in: 'brief', version: 1, kept_version: 1, columns: ['name'] },
      { id: 8, problem: 'missing', kept_in: 'brief', version: 1, kept_version: null, columns: [] },
    ]);
    expect((await verify('people.person', undefined, { examples: 2 })).examples).toHaveLength(2);
    await fill('people.person');
    expect(await verify('people.person')).toMatchObject({ kept: 8, missing: 0, extra: 0, different: 0 });
  });
  test('says nothing of what is on its way', async () => {
    await persons(1, 20);
    await people.sql(
      `update people_person set name = 'Changed', _version = 2 where id = 2; delete from people_person where id = 3`,
    );
    const onTheWay = [told(20, 1, 'P20'), told(2, 2, 'Changed'), gone(3)];
    expect(
      await verify('people.person', async () => {
        await applyEvents(engine, onTheWay.splice(0));
      }),
    ).toMatchObject({ rows: 8, missing: 0, extra: 0, different: 0 });
  });
  test('nor of what changes while it looks again', async () => {
    await people.sql(`update people_person set name = 'Two', _version = 2 where id in (2, 3)`);
    let waits = 0;
    const report = await verify('people.person', async () => {
      if (++waits < 2) return;
      await people.sql(
        `update people_person set name = 'Three', _version = 3 where id = 2; delete from people_person where id = 3`,
      );
      await applyEvents(engine, [told(2, 2, 'Two'), told(3, 2, 'Two'), told(2, 3, 'Three'), gone(3)]);
    });
    expect([waits, report]).toEqual([2, expect.objectContaining({ missing: 0, extra: 0, different: 0 })]);
  });
  test('stops where very much is wrong, and says so', async () => {
    await town.sql('truncate replica.people_person, replica.any_object');
    expect(await verify('people.person', undefined, { doubts: 4 })).toMatchObject({
      complete: false,
      kept: 0,
      missing: 12,
    });
  });
});

import { beforeEach, describe, expect, test } from '@jest/globals';
import { typeId } from '@cadastre/model';
import type { JsonObject } from '@cadastre/events';
import { applyEvents } from '../follow/apply.ts';
import { eventOf } from '../../testing/event.ts';
import { trimTombstones } from '../../replicas/tombstones.ts';
import { rowsAt } from './snapshot.ts';
import { gone, told, useTowns } from './testing.ts';

const { open, fill, persons, here, briefs } = useTowns();

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
    await open.people.sql(`insert into people_club (name) values ('Chess')`);
    const results = await fill('people.club', 'people.person', 'people.group');
    expect([...results].map(([type, { rows }]) => [type, rows])).toEqual([
      ['people.club', 1],
      ['people.person', 2],
      ['people.group', 0],
    ]);
  });
  test('waits for the disk only where something follows from it here, which others are told of', async () => {
    await persons(2);
    await open.people.sql(`insert into people_club (name) values ('Chess')`);
    // Databases of tests never wait, so what counts is whether this transaction has said so.
    await open.town.sql(`create table waited (type int, chosen bool);
      create function note_waited() returns trigger language plpgsql as $$ begin insert into waited select new.type, source = 'session' and setting = 'off' from pg_settings where name = 'synchronous_commit'; return null; end $$;
      create trigger note_waited after insert on replica.any_object for each row execute function note_waited()`);
    try {
      await fill('people.club', 'people.person');
      expect(
        new Map((await open.town.sql('select distinct type, chosen from waited')).map((r) => [r['type'], r['chosen']])),
      ).toEqual(
        new Map([
          [typeId('people.club'), true],
          [typeId('people.person'), false],
        ]),
      );
    } finally {
      await open.town.sql('drop function note_waited cascade; drop table waited');
    }
  });
  test('leaves what is newer, mends what is altered, and forgets what the owner no longer has', async () => {
    await persons(6);
    await fill('people.person');
    await applyEvents(open.engine, [told(1, 5, 'Newer')]);
    await open.people.sql(
      `update people_person set name = 'Newer', _version = 5 where id = 1; delete from people_person where id in (3, 6)`,
    );
    await open.town.sql(
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
    await open.town.sql(
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
    open.inserted = async (chunks) => {
      if (chunks !== 1) return;
      await open.people.sql('delete from people_person where id in (2, 5)');
      await applyEvents(open.engine, [gone(2), gone(5)]);
    };
    await fill('people.person');
    expect((await here()).map(([id]) => id)).toEqual([1, 3, 4, 6, 7, 8, 9]);
    expect((await briefs()).map((b) => b['id'])).toEqual([1, 3, 4, 6, 7, 8, 9]);
    await applyEvents(open.engine, [told(2, 1, 'Late')]);
    expect((await here()).map(([id]) => id)).not.toContain(2);
  });
  test('keeps what is made and changed while it runs', async () => {
    await persons(9);
    await open.people.sql('delete from people_person where id = 2');
    open.inserted = async (chunks) => {
      if (chunks !== 1) return;
      // Its id is among those that were read already: its transaction took it early and ended late.
      await persons(1, 2);
      await open.people.sql(`update people_person set name = 'Changed', _version = 2 where id = 1`);
      await applyEvents(open.engine, [told(2, 1, 'P2'), told(1, 2, 'Changed')]);
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
    await open.town.sql(
      `insert into town_house (id, name, slug, guests, keeper_id) values (1, 'A', 'a', '{1,2}', null), (2, 'B', 'b', '{}', 3)`,
    );
    await open.town.sql(
      `insert into town_note (id, about_type, about_id, text) values (1, 'people.person', 2, 'x'), (2, 'people.person', 7, 'of somebody who was never here'), (3, 'people.person', 1, 'y')`,
    );
    await open.people.sql('delete from people_person where id in (2, 3)');
    expect((await fill('people.person')).get('people.person')).toMatchObject({ removed: 2, stuck: 1 });
    // A keeper protects.
    expect(await open.town.sql('select guests::text, keeper_id::int from town_house order by id')).toEqual([
      { guests: '{1}', keeper_id: null },
      { guests: '{}', keeper_id: 3 },
    ]);
    expect((await here()).map(([id]) => id)).toEqual([1, 3]);
    expect(await open.town.sql('select about_id::int from town_note order by id')).toEqual([
      { about_id: null },
      { about_id: null },
      { about_id: 1 },
    ]);
    expect((await open.town.sql(`select body::jsonb ->> 'objectType' as t from change`)).map((r) => r['t'])).toEqual(
      expect.arrayContaining(['town.house', 'town.note', 'town.note']),
    );
    await open.town.sql('update town_house set keeper_id = null');
    expect((await fill('people.person')).get('people.person')).toMatchObject({ removed: 1, stuck: 0 });
  });
  test('follows an owner that was restored to what it was before', async () => {
    await persons(2);
    await fill('people.person');
    await applyEvents(open.engine, [told(1, 7, 'Future'), gone(2)]);
    expect(await here()).toEqual([[1, 'Future', 'p1', 7]]);
    await fill('people.person');
    expect(await here()).toEqual([
      [1, 'P1', 'p1', 1],
      [2, 'P2', 'p2', 1],
    ]);
  });
  test('ends when the stream does, and says so', async () => {
    await persons(9);
    open.inserted = async (chunks) => {
      if (chunks === 2) throw new Error('cut');
    };
    await expect(fill('people.person')).rejects.toThrow('cut');
    open.inserted = () => undefined;
    await fill('people.person');
    expect(await here()).toHaveLength(9);
  });
});

test('deletions are remembered for a while', async () => {
  await applyEvents(open.engine, [gone(1)]);
  await trimTombstones(open.engine.pool, 1);
  expect(await open.town.sql('select id::int from replica_tombstone')).toEqual([{ id: 1 }]);
  await open.town.sql(`update replica_tombstone set at = now() - interval '2 days'`);
  await trimTombstones(open.engine.pool, 1);
  expect(await open.town.sql('select id from replica_tombstone')).toEqual([]);
});

test('what nobody may know is not told, nor what is not there', async () => {
  await expect(rowsAt(open.peopleEngine, { type: 'people.person', columns: ['pin'] }, [1])).rejects.toThrow(
    'no column pin',
  );
  await expect(rowsAt(open.peopleEngine, { type: 'people.person', columns: ['shoe'] }, [1])).rejects.toThrow(
    'no column shoe',
  );
  await expect(rowsAt(open.peopleEngine, { type: 'town.house', columns: [] }, [1])).rejects.toThrow('does not own');
});

describe('custom fields whose events were missed', () => {
  const field = (id: number, name: string, types: string[], more: JsonObject = {}) =>
    open.extras.sql(
      `insert into extras_customfield (id, name, type, object_types, "default", required, "unique", weight, filter_logic, _version) values ($1, $2, 'text', $3, $4, false, false, 1, 'loose', $5) on conflict (id) do update set name = excluded.name, object_types = excluded.object_types, _version = excluded._version`,
      [id, name, types, JSON.stringify(more['default'] ?? null), more['version'] ?? 1],
    );
  const values = async () =>
    (await open.town.sql('select custom_fields from town_house order by id')).map((r) => r['custom_fields']);
  beforeEach(async () => {
    await open.town.sql(
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
    await open.extras.sql('delete from extras_customfield where id = 1');
    await fill('extras.customfield');
    expect(await values()).toEqual([{}, {}]);
    expect(await open.town.sql('select id::int from replica.extras_customfield')).toEqual([{ id: 2 }]);
  });
  test('are not undone by what is older', async () => {
    await field(1, 'code', ['town.house'], { default: 'x' });
    open.inserted = async (chunks) => {
      if (chunks !== 1) return;
      await field(1, 'code', [], { version: 2 });
      const before = { name: 'code', object_types: ['town.house'] };
      const after = { name: 'code', object_types: [] };
      await applyEvents(open.engine, [
        eventOf('extras.customfield', 1, 2, {
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

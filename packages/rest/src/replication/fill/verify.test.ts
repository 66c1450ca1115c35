import { beforeEach, describe, expect, test } from '@jest/globals';
import { applyEvents } from '../follow/apply.ts';
import { gone, told, useTowns } from './testing.ts';

const { open, fill, persons, verify } = useTowns();

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
    await open.town.sql(`delete from replica.people_person where id = 1; update replica.people_person set name = 'altered', slug = 'altered' where id = 2; update replica.people_person set _version = 9 where id = 4;
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
    await open.people.sql(
      `update people_person set name = 'Changed', _version = 2 where id = 2; delete from people_person where id = 3`,
    );
    const onTheWay = [told(20, 1, 'P20'), told(2, 2, 'Changed'), gone(3)];
    expect(
      await verify('people.person', async () => {
        await applyEvents(open.engine, onTheWay.splice(0));
      }),
    ).toMatchObject({ rows: 8, missing: 0, extra: 0, different: 0 });
  });
  test('nor of what changes while it looks again', async () => {
    await open.people.sql(`update people_person set name = 'Two', _version = 2 where id in (2, 3)`);
    let waits = 0;
    const report = await verify('people.person', async () => {
      if (++waits < 2) return;
      await open.people.sql(
        `update people_person set name = 'Three', _version = 3 where id = 2; delete from people_person where id = 3`,
      );
      await applyEvents(open.engine, [told(2, 2, 'Two'), told(3, 2, 'Two'), told(2, 3, 'Three'), gone(3)]);
    });
    expect([waits, report]).toEqual([2, expect.objectContaining({ missing: 0, extra: 0, different: 0 })]);
  });
  test('stops where very much is wrong, and says so', async () => {
    await open.town.sql('truncate replica.people_person, replica.any_object');
    expect(await verify('people.person', undefined, { doubts: 4 })).toMatchObject({
      complete: false,
      kept: 0,
      missing: 12,
    });
  });
});

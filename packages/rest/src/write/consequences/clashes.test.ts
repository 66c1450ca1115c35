import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ChangeEvent } from '@cadastre/events';
import { rulesWithout } from '@cadastre/model';
import { applyEvents } from '../../replication/follow/apply.ts';
import { openTown, type Town } from '../../testing/database.ts';
import { ASKED, eventOf } from '../../testing/event.ts';
import { catalogue, district, stall, superuser } from '../../testing/town.ts';
import { answerDeletion } from './asking.ts';
import { remove } from '../remove/remove.ts';
import type { WriteContext } from '../context/context.ts';
import { untilLockWaits } from '../../testing/locks.ts';

let town: Town;
const BY = '019a0000-0000-7000-8000-0000000000dd';
const context: WriteContext = {
  who: superuser,
  base: '',
  cause: { id: '019a0000-0000-7000-8000-0000000000cc', method: 'DELETE', path: '/', user: 'root', userId: 1 },
};
const event = (objectId: number, version: number, more: Partial<ChangeEvent> = {}): ChangeEvent =>
  eventOf('people.person', objectId, version, {
    request: ASKED,
    row: { name: 'x', slug: `x${objectId}`, group_id: null },
    ...more,
  });
const gone = (...ids: number[]) => ids.map((id) => event(id, 2, { action: 'deleted', row: null }));
const stalls = () =>
  town.sql(
    'select id::int, name, district_id::int as district, trader_id::int as trader, patron_id::int as patron, number from town_stall order by id',
  );
const rows = (...values: string[]) =>
  town.sql(`insert into town_stall (id, name, district_id, trader_id, patron_id, number) values ${values.join(', ')}`);

beforeAll(async () => {
  town = await openTown();
});
afterAll(async () => {
  await town?.close();
});
beforeEach(async () => {
  await town.sql(
    'truncate town_district, town_stall, deletion_mark, replica.people_person, replica_tombstone, change, change_queue restart identity',
  );
  await town.sql(`insert into town_district (id, name, slug) values (1, 'Old', 'old'), (2, 'New', 'new')`);
});

test('a rule compares what is left of an object, unless it demands what is gone', () => {
  expect(rulesWithout(stall, 'trader').map(({ fields }) => fields)).toEqual([['name', 'trader', 'district']]);
  expect(rulesWithout(stall, 'patron')).toEqual([]);
  expect(['town.district', 'people.person', 'town.stall'].map((type) => catalogue.deletions.isGuarded(type))).toEqual([
    true,
    true,
    false,
  ]);
});

describe('a deletion after which objects would be the same is refused, and names them', () => {
  const delete_ = (...ids: number[]) =>
    remove(town.engine(), district, { ids, messages: new Map(), single: ids.length === 1 }, context);
  const names = (...list: string[]) => ({
    status: 409,
    body: {
      detail: `Unable to delete object. Without it, these objects would no longer be unique: ${list.join(', ')}`,
    },
  });

  test('as one that is there already', async () => {
    await rows(
      `(1, 'Fish', 1, null, null, null)`,
      `(2, 'Fish', null, null, null, null)`,
      `(3, 'Meat', 1, null, null, null)`,
    );
    await expect(delete_(1)).rejects.toMatchObject(names('Fish (1)', 'Fish (2)'));
    expect((await stalls()).map((s) => s['district'])).toEqual([1, null, 1]);
    expect(await town.sql('select 1 from deletion_mark union all select 1 from change')).toEqual([]);
  });
  test('as each other, which only all of a request together show', async () => {
    await rows(`(1, 'Fish', 1, null, null, null)`, `(2, 'Fish', 2, null, null, null)`);
    await expect(delete_(1, 2)).rejects.toMatchObject(names('Fish (1)', 'Fish (2)'));
    await delete_(1);
    expect((await stalls()).map((s) => s['district'])).toEqual([null, 2]);
  });
  test('and not where they still differ by something else', async () => {
    await rows(`(1, 'Fish', 1, 5, null, null)`, `(2, 'Fish', null, 6, null, null)`, `(3, 'fish', 1, null, null, null)`);
    await delete_(1);
    expect((await stalls()).map((s) => s['district'])).toEqual([null, null, null]);
  });
  test('nor is one while others are at the same names at the same time: it looks again', async () => {
    await rows(`(1, 'Fish', 1, null, null, null)`);
    const writer = await town.pool.connect();
    try {
      await writer.query(`begin; insert into town_stall (id, name) values (2, 'Fish')`);
      const refused = expect(delete_(1)).rejects.toMatchObject(names('Fish (1)', 'Fish (2)'));
      await untilLockWaits(town.pool);
      await writer.query('commit');
      await refused;
    } finally {
      writer.release();
    }
  });
});

test('who is asked by another service names them, too', async () => {
  await rows(`(1, 'Fish', 1, 5, null, null)`, `(2, 'Fish', 1, null, null, null)`, `(3, 'Meat', 1, 5, null, null)`);
  const engine = town.engine();
  expect(await answerDeletion(engine, 'people.person', [5], BY, superuser)).toEqual({
    count: 0,
    names: [],
    clashing: ['Fish (1)', 'Fish (2)'],
  });
  expect(await answerDeletion(engine, 'people.person', [6], BY, superuser)).toMatchObject({
    count: 0,
    names: [],
    cascaded: [],
  });
});

describe('what follows from what has happened elsewhere is never stuck: objects that would be the same get other names', () => {
  test('those that lose a reference', async () => {
    const long = 'Fish and everything they had'.padEnd(30, '!');
    await rows(
      `(1, 'Fish', 1, 5, null, null)`,
      `(2, 'Fish', 1, null, null, null)`,
      `(3, 'Fish', 2, 5, null, null)`,
      `(4, 'Fish', 2, 6, null, null)`,
      `(1234567, '${long}', 1, 5, null, null)`,
      `(6, '${long}', 1, null, null, null)`,
      `(7, 'Fish (1)', 1, null, null, null)`,
    );
    const before = town.statements();
    await applyEvents(town.engine(), gone(5, 6));
    expect(town.statements() - before).toBe(32);
    const after = await stalls();
    expect(after.map((s) => s['trader'])).toEqual(after.map(() => null));
    expect(after.slice(1).map((s) => s['name'])).toEqual([
      'Fish',
      'Fish',
      'Fish (4)',
      long,
      'Fish (1)',
      `${long.slice(0, 20)} (1234567)`,
    ]);
    // The name that was thought of first is taken.
    expect(after[0]!['name']).toMatch(/^.*\(1-.*\)$/);
    expect(
      await town.sql(
        `select key, body::jsonb -> 'postchange' ->> 'name' as name from change where key = 'town.stall:4'`,
      ),
    ).toEqual([{ key: 'town.stall:4', name: 'Fish (4)' }]);
  });
  test('those for which something is derived', async () => {
    await rows(`(1, 'Fish', 1, null, 5, 7)`, `(2, 'Fish', 2, null, 6, 8)`);
    await applyEvents(town.engine(), [
      event(5, 1, { row: { id: 5, _version: 1, name: 'Ann', slug: 'ann', group_id: 8 } }),
    ]);
    expect(await stalls()).toMatchObject([
      { name: 'Fish (1)', number: 8 },
      { name: 'Fish', number: 8 },
    ]);
    expect(
      await town.sql(`select body::jsonb -> 'postchange' ->> 'name' as name from change where key = 'town.stall:1'`),
    ).toEqual([{ name: 'Fish (1)' }]);
  });
});

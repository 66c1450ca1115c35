import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { typeId } from '@cadastre/model';
import { openTown, peers, type Town } from '../../testing/database.ts';
import { house, note, room, superuser } from '../../testing/town.ts';
import type { Dependents, Peers } from '../../peers/peers.ts';
import { markForDeletion } from '../consequences/marks.ts';
import { remove } from './remove.ts';
import type { WriteContext } from '../context/context.ts';

let town: Town;
const context: WriteContext = {
  who: superuser,
  base: '',
  cause: { id: '019a0000-0000-7000-8000-0000000000cc', method: 'DELETE', path: '/', user: 'root', userId: 1 },
};
const NONE: Dependents = { count: 0, names: [] };
const asking = (prepareDeletion: Peers['prepareDeletion']) => town.engine({ peers: { ...peers, prepareDeletion } });
const one = (id: number) => ({ ids: [id], messages: new Map<number, string>(), single: true });

beforeAll(async () => {
  town = await openTown();
});
afterAll(async () => {
  await town?.close();
});
beforeEach(async () => {
  await town.sql('truncate town_house, town_room, town_note, deletion_mark, change, change_queue restart identity');
  await town.sql(`insert into town_house (id, name, slug) values (1, 'A', 'a'), (2, 'B', 'b')`);
  await town.sql(`insert into town_room (id, name, house_id) values (1, 'hall', 1), (2, 'attic', 1), (3, 'hall', 2)`);
});

test('other services are asked about all that would go, while it is marked', async () => {
  const asked: unknown[] = [];
  await remove(
    asking(async (service, type, ids) => {
      asked.push([
        service,
        type,
        ids,
        (
          await town.sql('select 1 from deletion_mark where type = $1 and id = any($2) and until > now()', [
            typeId(type),
            ids,
          ])
        ).length,
      ]);
      return NONE;
    }),
    house,
    one(1),
    context,
  );
  expect(asked).toEqual([
    ['people', 'town.house', [1], 1],
    ['people', 'town.room', [1, 2], 2],
  ]);
  expect(
    await town.sql(
      'select (select count(*)::int from deletion_mark) as marked, (select count(*)::int from town_room) as rooms',
    ),
  ).toEqual([{ marked: 0, rooms: 1 }]);
});

test('what they hold on to stays, and so does what it belongs to', async () => {
  const engine = asking(async (_service, type) => (type === 'town.room' ? { count: 1, names: ['Chess (7)'] } : NONE));
  await expect(remove(engine, house, one(1), context)).rejects.toMatchObject({
    status: 409,
    body: { detail: 'Unable to delete object. 1 dependent objects were found: Chess (7)' },
  });
  expect(
    await town.sql(
      'select (select count(*)::int from deletion_mark) as marked, (select count(*)::int from town_room) as rooms',
    ),
  ).toEqual([{ marked: 0, rooms: 3 }]);
});

test('what is added while they are asked is asked about too', async () => {
  const asked: number[][] = [];
  let added = false;
  await remove(
    asking(async (_service, type, ids) => {
      if (type === 'town.room') asked.push(ids);
      if (!added) {
        added = true;
        await town.sql(`insert into town_room (id, name, house_id) values (9, 'cellar', 1)`);
      }
      return NONE;
    }),
    house,
    one(1),
    context,
  );
  expect(asked).toEqual([
    [1, 2],
    [1, 2, 9],
  ]);
  expect(await town.sql('select id::int from town_room')).toEqual([{ id: 3 }]);
});

test('a deletion that never catches up is given up', async () => {
  let n = 10;
  const engine = asking(async (_service, type) => {
    if (type === 'town.house')
      await town.sql('insert into town_room (id, name, house_id) values ($1::bigint, md5($1::bigint::text), 1)', [n++]);
    return NONE;
  });
  await expect(remove(engine, house, one(1), context)).rejects.toMatchObject({ status: 409 });
  expect(
    await town.sql(
      'select (select count(*)::int from deletion_mark) as marked, (select count(*)::int from town_house) as houses',
    ),
  ).toEqual([{ marked: 0, houses: 2 }]);
});

test('nobody is asked about what nobody else refers to', async () => {
  const asked: string[] = [];
  await town.sql(`insert into town_note (id, text) values (1, 'x')`);
  await remove(
    asking(async (service) => {
      asked.push(service);
      return NONE;
    }),
    note,
    one(1),
    context,
  );
  expect(asked).toEqual([]);
});

test('an object that loses several references is changed once and loses all', async () => {
  await town.sql(
    `insert into town_note (id, text, about_type, about_id, seen) values (1, 'x', 'town.house', 1, '{1,2}')`,
  );
  await remove(town.engine(), house, one(1), context);
  expect(await town.sql('select about_type, about_id, seen::text, _version from town_note')).toEqual([
    { about_type: null, about_id: null, seen: '{2}', _version: 2 },
  ]);
  expect(
    await town.sql(
      `select body::jsonb -> 'postchange' -> 'about_id' as about, body::jsonb -> 'postchange' -> 'seen' as seen from change where key = 'town.note:1'`,
    ),
  ).toEqual([{ about: null, seen: [2] }]);
});

test('a room alone concerns only rooms', async () => {
  const asked: unknown[] = [];
  await remove(
    asking(async (service, type, ids) => {
      asked.push([service, type, ids]);
      return NONE;
    }),
    room,
    one(3),
    context,
  );
  expect(asked).toEqual([['people', 'town.room', [3]]]);
});

test('a deletion whose time for asking is over asks again, and leaves the marks of others alone', async () => {
  let asks = 0;
  await remove(
    asking(async (_service, type) => {
      if (type === 'town.house' && ++asks === 1)
        await town.sql(`update deletion_mark set until = now() - interval '1 second'`);
      return NONE;
    }),
    house,
    one(1),
    context,
  );
  expect([asks, await town.sql('select id::int from town_house')]).toEqual([2, [{ id: 2 }]]);
  const engine = asking(async () => {
    await town.sql('update deletion_mark set by = gen_random_uuid()');
    return NONE;
  });
  await expect(remove(engine, house, one(2), context)).rejects.toMatchObject({
    status: 409,
    body: { detail: 'Unable to delete object. It is being deleted by another request.' },
  });
  expect((await town.sql('select 1 from deletion_mark')).length).toBeGreaterThan(0);
});

test('a deletion that is too slow each time says so, and leaves nothing marked', async () => {
  const engine = asking(async () => {
    await town.sql(`update deletion_mark set until = now() - interval '1 second'`);
    return NONE;
  });
  await expect(remove(engine, house, one(1), context)).rejects.toMatchObject({
    status: 503,
    body: { detail: 'The deletion took too long. Nothing was changed.' },
    headers: { 'Retry-After': '1' },
  });
  expect(
    await town.sql(
      'select (select count(*)::int from deletion_mark) as marked, (select count(*)::int from town_house) as houses',
    ),
  ).toEqual([{ marked: 0, houses: 2 }]);
});

test('every attempt of a deletion bears the same name, so what it has marked itself does not stand in its way', async () => {
  const names = new Set<string>();
  await remove(
    asking(async (_service, _type, _ids, by) => {
      if (!names.size) await town.sql(`update deletion_mark set until = now() - interval '1 second'`);
      names.add(by);
      return NONE;
    }),
    house,
    one(1),
    context,
  );
  expect(names.size).toBe(1);
});

test('marks last as long as the deletion takes, and those whose time is over stay so', async () => {
  const left = async () =>
    await town.sql(
      "select id::int, until > now() + interval '20 seconds' as long, until > now() as valid from deletion_mark order by id",
    );
  const lease = await markForDeletion(
    town.engine(),
    [{ type: 'town.house', ids: [1, 2] }],
    '019a0000-0000-7000-8000-0000000000ee',
    20,
  );
  try {
    await town.sql(
      `update deletion_mark set until = case when id = 1 then now() + interval '15 seconds' else now() - interval '1 second' end`,
    );
    for (let renewed = false; !renewed; ) renewed = (await left())[0]!['long'] === true;
    expect(await left()).toEqual([
      { id: 1, long: true, valid: true },
      { id: 2, long: false, valid: false },
    ]);
    expect(await lease.holds(town.pool)).toBe(false);
  } finally {
    await lease.end();
  }
  expect(await left()).toEqual([]);
});

test('deletions at the same time that share what loses its references, and what goes along, all come to their end', async () => {
  const range = (from: number) => Array.from({ length: 5 }, (_, i) => from + i);
  for (let round = 0; round < 5; round++) {
    await town.sql(
      'truncate town_house, town_room, town_note, town_key, deletion_mark, change, change_queue restart identity',
    );
    await town.sql(
      `insert into town_house (id, name, slug) select i, 'h' || i, 'h' || i from generate_series(1, 20) i`,
    );
    await town.sql(`insert into town_room (name, house_id) select 'hall', i from generate_series(1, 20) i`);
    await town.sql(
      `insert into town_note (text, seen) select 'x', array[1 + i % 5, 6 + i % 5, 11 + i % 5, 16 + i % 5] from generate_series(1, 20) i`,
    );
    const engines = [town.engine(), town.engine()];
    await Promise.all(
      [1, 6, 11, 16].map((from, i) =>
        remove(engines[i % 2]!, house, { ids: range(from), messages: new Map(), single: false }, context),
      ),
    );
    expect(
      await town.sql(
        `select (select count(*)::int from town_house) as houses, (select count(*)::int from town_room) as rooms, (select count(*)::int from town_note where seen <> '{}') as seeing, (select sum(_version)::int from town_note) as versions`,
      ),
    ).toEqual([{ houses: 0, rooms: 0, seeing: 0, versions: 100 }]);
  }
});

test('marks of which only the answer was lost are not renewed for ever', async () => {
  const engine = town.engine();
  const lost = new Error('Connection terminated unexpectedly');
  let answers = false;
  const pool = new Proxy(engine.pool, {
    get: (of, name) =>
      name !== 'query'
        ? (Reflect.get(of, name) as unknown)
        : async (...query: unknown[]) => {
            const answer = await (of.query as (...query: unknown[]) => Promise<unknown>)(...query);
            if (!answers) throw lost;
            return answer;
          },
  });
  await expect(
    markForDeletion({ pool }, [{ type: 'town.house', ids: [1] }], '019a0000-0000-7000-8000-0000000000ee', 20),
  ).rejects.toBe(lost);
  expect(await town.sql('select 1 from deletion_mark')).toEqual([]);
  // As if it could not be taken away either.
  answers = true;
  await town.sql(
    `insert into deletion_mark (type, id, until, by) values (1, 1, now() + interval '1 second', '019a0000-0000-7000-8000-0000000000ee')`,
  );
  await sleep(100);
  expect(await town.sql(`select 1 from deletion_mark where until > now() + interval '1 second'`)).toEqual([]);
});

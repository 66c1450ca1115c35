import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Json } from '@cadastre/model';
import type { Engine } from '../../engine.ts';
import { openTown, peers, type Town } from '../../testing/database.ts';
import { context, district, house } from '../../testing/town.ts';
import { create } from '../create/create.ts';
import type { Resolution } from '../../peers/peers.ts';
import { updateMany, updateOne } from '../update/update.ts';

// A request that waits for the owner of what it refers to keeps nobody else from writing.

let town: Town;
let engine: Engine;
let answer: () => void;
let asked: Promise<void>;

beforeAll(async () => {
  town = await openTown();
});
afterAll(async () => {
  await town?.close();
});
beforeEach(async () => {
  await town.sql(
    'truncate town_house, town_district, replica.extras_tag, replica.people_person, cache_invalidation, change, change_queue restart identity',
  );
  await town.sql(`insert into town_house (name, slug) values ('A', 'a')`);
  const called = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  asked = called.promise;
  answer = answered.resolve;
  engine = town.engine({
    peers: {
      ...peers,
      resolve: async (_service, type, references): Promise<Resolution> => {
        called.resolve();
        await answered.promise;
        return {
          results: references.map(() => ({ id: 1 })),
          rows: [{ id: 1, _version: 1, name: type, slug: 'x', object_types: [] }],
        };
      },
    },
  });
  await create(engine, district, [{ name: 'Root', slug: 'root' }], true, context);
});

const slow = { tags: [{ slug: 'x' }] };
const inTree = (body: Json) => create(engine, district, [body], true, context);

/** Starts what waits for the owner, then does what must not wait for that. */
async function meanwhile(waiting: () => Promise<unknown>, quick: () => Promise<unknown>): Promise<void> {
  const first = waiting();
  first.catch(() => undefined);
  await asked;
  const late = Symbol('late');
  const done = await Promise.race([
    quick(),
    new Promise((resolve) => {
      setTimeout(resolve, 5_000, late).unref();
    }),
  ]);
  answer();
  await first;
  expect(done).not.toBe(late);
}

test('who adds to a tree', () =>
  meanwhile(
    () => inTree({ name: 'Slow', slug: 'slow', parent: 1, ...slow }),
    () => inTree({ name: 'Quick', slug: 'quick', parent: 1 }),
  ));
test('who changes an object of a tree', () =>
  meanwhile(
    () => updateOne(engine, district, 1, slow, 'patch', undefined, context),
    () => inTree({ name: 'Quick', slug: 'quick', parent: 1 }),
  ));
test('who changes many objects', () =>
  meanwhile(
    () => updateMany(engine, house, [{ id: 1, ...slow }], 'patch', context),
    () => updateOne(engine, house, 1, { floors: 2 }, 'patch', undefined, context),
  ));
test('who changes an object', () =>
  meanwhile(
    () => updateOne(engine, house, 1, { keeper: { slug: 'x' } }, 'patch', undefined, context),
    () => updateOne(engine, house, 1, { floors: 2 }, 'patch', undefined, context),
  ));
test('who is to get what is free', async () => {
  let locked = false;
  const making = (given: Json): ReturnType<typeof create> =>
    create(
      engine,
      house,
      {
        given: [given],
        make: async (client) => {
          await client.query('select pg_advisory_xact_lock(77)');
          locked = true;
          return [given];
        },
      },
      true,
      context,
    );
  await meanwhile(
    async () => making({ name: 'B', slug: 'b', ...slow }),
    async () => {
      expect(locked).toBe(false);
      await making({ name: 'C', slug: 'c' });
    },
  );
});
test('nobody is asked twice', async () => {
  answer();
  let calls = 0;
  const counting = town.engine({
    peers: {
      ...peers,
      resolve: async (_service, type, references) => {
        calls += 1;
        return {
          results: references.map(() => ({ id: 1 })),
          rows: [{ id: 1, _version: 1, name: type, slug: 'x', object_types: [] }],
        };
      },
    },
  });
  await updateOne(counting, district, 1, { tags: [1] }, 'patch', undefined, context);
  await create(counting, district, [{ name: 'Two', slug: 'two', tags: [1] }], true, context);
  expect(calls).toBe(2);
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openTown, peers, type Town } from '../../testing/database.ts';
import { house, key, note, superuser } from '../../testing/town.ts';
import { answerDeletion, askServices } from './asking.ts';
import { runEffects } from '../effects/effects.ts';
import type { Dependents, Peers } from '../../peers/peers.ts';
import { lockKeys } from '../../db/locks.ts';
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
const NONE: Dependents = { count: 0, names: [] };
const calls: unknown[] = [];
/** Another service `people`, with the answers given by type. */
const with_ = (say: Partial<Record<string, Dependents>>, more: Partial<Peers> = {}) =>
  town.engine({
    peers: {
      ...peers,
      prepareDeletion: async (service, type, ids, by) => {
        calls.push([service, type, ids, by]);
        return say[type] ?? NONE;
      },
      releaseMarks: async (service, by) => {
        calls.push(['release', service, by]);
      },
      ...more,
    },
  });
const one = (id: number) => ({ ids: [id], messages: new Map<number, string>(), single: true });

beforeAll(async () => {
  town = await openTown();
});
afterAll(async () => {
  await town?.close();
});
beforeEach(async () => {
  calls.length = 0;
  await town.sql(
    'truncate town_house, town_room, town_note, town_sign, town_key, deletion_mark, change, change_queue restart identity',
  );
  await town.sql(`insert into town_house (id, name, slug) values (1, 'A', 'a'), (2, 'B', 'b')`);
});

describe('what would go along elsewhere', () => {
  test('is asked about in turn, here too, until nothing new comes', async () => {
    // A house takes people with it, people take signs, and a key protects one of those: all in other hands than the
    // house's own.
    await town.sql(
      `insert into town_sign (id, text, place_type, place_id) values (5, 'x', 'people.person', 3), (6, 'y', 'people.person', 4)`,
    );
    const engine = with_({ 'town.house': { ...NONE, cascaded: [{ type: 'people.person', ids: [3, 4] }] } });
    const heard = new Set<string>();
    expect(await askServices(engine, new Map([['town.house', [1]]]), BY, superuser, heard)).toEqual(NONE);
    expect(calls).toEqual([
      ['people', 'town.house', [1], BY],
      ['people', 'town.sign', [5, 6], BY],
    ]);
    expect([...heard]).toEqual(['people', 'town']);
    await town.sql(`insert into town_key (id, name, house_id, sign_id) values (1, 'brass', 2, 6)`);
    expect(await askServices(engine, new Map([['town.house', [1]]]), BY, superuser, heard)).toEqual({
      count: 1,
      names: ['brass (1)'],
    });
  });

  test('is not asked about twice', async () => {
    const engine = with_({ 'town.house': { ...NONE, cascaded: [{ type: 'town.house', ids: [1, 2] }] } });
    await askServices(engine, new Map([['town.house', [1]]]), BY, superuser, new Set());
    expect(calls).toEqual([
      ['people', 'town.house', [1], BY],
      ['people', 'town.house', [2], BY],
    ]);
  });

  test('is let go of when the deletion does not take place, and kept when it does', async () => {
    await town.sql(`insert into town_sign (id, text, place_type, place_id) values (5, 'x', 'people.person', 3)`);
    await town.sql(`insert into town_key (id, name, house_id, sign_id) values (1, 'brass', 2, 5)`);
    const engine = with_({ 'town.house': { ...NONE, cascaded: [{ type: 'people.person', ids: [3] }] } });
    await expect(remove(engine, house, one(1), context)).rejects.toMatchObject({
      status: 409,
      body: { detail: 'Unable to delete object. 1 dependent objects were found: brass (1)' },
    });
    expect(calls.at(-1)).toEqual(['release', 'people', expect.any(String)]);
    expect(await town.sql('select id from deletion_mark')).toEqual([]);
    await town.sql('delete from town_key');
    await remove(engine, house, one(1), context);
    expect(calls.at(-1)).toEqual(['people', 'town.sign', [5], expect.any(String)]);
    // The sign is deleted when the event of the person's deletion arrives.
    expect(await town.sql('select id::int from deletion_mark')).toEqual([{ id: 5 }]);
  });

  test('that another deletion has, ends this one', async () => {
    await expect(
      remove(with_({ 'town.house': { ...NONE, busy: true } }), house, one(1), context),
    ).rejects.toMatchObject({
      status: 409,
      body: { detail: 'Unable to delete object. It is being deleted by another request.' },
    });
  });
});

test('who waits for writers in flight keeps nobody else waiting', async () => {
  const [one, another] = [await town.pool.connect(), await town.pool.connect()];
  const key = (id: number) => lockKeys('people.person', [id]);
  try {
    for (const client of [one, another]) await client.query('begin');
    await one.query('select pg_advisory_xact_lock_shared($1)', key(2));
    let answered = false;
    const answer = answerDeletion(with_({}), 'people.person', [1, 2, 3], BY, superuser).then((said) => {
      answered = true;
      return said;
    });
    await untilLockWaits(town.pool);
    for (const id of [1, 3])
      expect((await another.query('select pg_try_advisory_xact_lock_shared($1) as got', key(id))).rows).toEqual([
        { got: true },
      ]);
    await one.query(`insert into town_room (name, house_id, owner_id) values ('den', 1, 2)`);
    expect(answered).toBe(false);
    await one.query('commit');
    await another.query('commit');
    // What the writer has written meanwhile is seen.
    expect(await answer).toMatchObject({ count: 1, names: ['den (1)'] });
    expect(
      await town.sql(
        `select 1 from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
      ),
    ).toEqual([]);
  } finally {
    for (const client of [one, another]) client.release();
  }
});

test('nothing is marked for who has given up', async () => {
  await town.sql(`insert into town_sign (id, text, place_type, place_id) values (5, 'x', 'people.person', 3)`);
  const marked = () => town.sql('select id::int from deletion_mark');
  await expect(answerDeletion(with_({}), 'people.person', [3], BY, superuser, AbortSignal.abort())).rejects.toThrow();
  expect(await marked()).toEqual([]);
  await answerDeletion(with_({}), 'people.person', [3], BY, superuser);
  expect(await marked()).toEqual([{ id: 5 }]);
});

test('a refusal names what stands in the way here and elsewhere', async () => {
  await town.sql(`insert into town_note (id, text, landmark_id) values (7, 'by the', 1)`);
  const engine = with_({ 'town.house': { count: 2, names: ['Chess (1)', 'Go (2)'] } });
  await expect(remove(engine, house, one(1), context)).rejects.toMatchObject({
    status: 409,
    body: {
      detail: expect.stringMatching(
        /^Unable to delete object\. 3 dependent objects were found: .* \(7\), Chess \(1\), Go \(2\)$/,
      ),
    },
  });
});

test('however many objects go, the calls are the same', async () => {
  await town.sql(
    `insert into town_house (id, name, slug) select 100 + i, 'h' || i, 'h' || i from generate_series(1, 500) i`,
  );
  await town.sql(`insert into town_room (name, house_id) select 'hall', 100 + i from generate_series(1, 500) i`);
  const engine = with_({});
  const ids = (from: number, n: number) => ({
    ids: Array.from({ length: n }, (_, i) => from + i),
    messages: new Map<number, string>(),
    single: false,
  });
  const cost = async (from: number, n: number) => {
    const before = [calls.length, town.statements()];
    await remove(engine, house, ids(from, n), context);
    return [calls.length - before[0]!, town.statements() - before[1]!];
  };
  // What a process remembers from then on is asked for once.
  await cost(1, 1);
  const few = await cost(101, 2);
  expect(await cost(103, 498)).toEqual(few);
  expect(await town.sql('select count(*)::int as n from town_room')).toEqual([{ n: 0 }]);
});

describe('what an effect removes', () => {
  /** Changes a note by an effect that removes houses. */
  const removing = (engine: ReturnType<typeof with_>, ids: number[]) =>
    engine.transact(async (client) => {
      const model = {
        ...note,
        effects: [
          async (_: unknown, { remove: take }: { remove(type: string, ids: number[]): Promise<void> }) =>
            take('town.house', ids),
        ],
      } as never;
      return runEffects(
        engine,
        [{ action: 'updated', model, before: ['1'], after: ['1'], message: '' }],
        superuser,
        client,
      );
    });
  test('is asked about as well', async () => {
    await removing(with_({}), [1]);
    expect(calls).toEqual([['people', 'town.house', [1], expect.any(String)]]);
    expect(await town.sql('select id::int from town_house')).toEqual([{ id: 2 }]);
    await expect(removing(with_({ 'town.house': { count: 1, names: ['Chess (1)'] } }), [2])).rejects.toMatchObject({
      status: 409,
      body: { detail: 'Unable to delete object. 1 dependent objects were found: Chess (1)' },
    });
    expect(await town.sql('select id::int from town_house')).toEqual([{ id: 2 }]);
  });
});

test('what nobody has a say in is asked of nobody', async () => {
  await town.sql(`insert into town_key (id, name, house_id) values (1, 'brass', 2)`);
  await remove(with_({}), key, one(1), context);
  expect(calls).toEqual([]);
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ChangeEvent } from '@cadastre/events';
import { irrelevantTo } from '@cadastre/events/eventText';
import type { Engine } from '../engine.ts';
import { applyEvents } from '../replication/follow/apply.ts';
import { openTown, peers, type Town } from '../testing/database.ts';
import { eventOf } from '../testing/event.ts';
import { catalogue, superuser } from '../testing/town.ts';
import { lockKeys } from '../db/locks.ts';
import { Unreachable } from '../peers/peers.ts';
import { record } from '../write/record/record.ts';
import type { Change } from '../write/context/change.ts';
import { resolve } from '../write/resolve/references.ts';
import { readRows } from '../write/store/store.ts';
import { fillReplicas } from '../replication/fill/fill.ts';
import { replicaDefinitions } from './definition.ts';
import type { Owners } from '../replication/fill/owners.ts';
import { relevanceFilter } from './part.ts';
import { rowsAt, snapshotOf } from '../replication/fill/snapshot.ts';
import { noteFilled } from '../replication/fill/state.ts';
import { verifyReplica } from '../replication/fill/verify.ts';
import { untilLockWaits } from '../testing/locks.ts';

// The town keeps letters that are in one of its postboxes, that answer another letter, or that it shows; they are owned
// by `people`.
let town: Town;
let people: Town;
let engine: Engine;
let owner: Engine;
/** What the owner was asked for by id. */
let asked: number[][] = [];
let away = false;
const TYPE = 'people.letter';
const rowsOfOwner = async (ids: readonly number[], columns: readonly string[]) => {
  asked.push([...ids]);
  if (away) throw new Unreachable('people', new Error('away'));
  return rowsAt(owner, { type: TYPE, columns }, ids);
};
const owners: Owners = {
  snapshot: (_, wanted) => snapshotOf(owner, wanted, { rows: 3, characters: 100_000 }),
  rowsAt: (_, { columns }, ids) => rowsOfOwner(ids, columns),
};
const kept = () => replicaDefinitions(engine.tables).find(({ type }) => type === TYPE)!;
const noteAsFilled = () =>
  noteFilled(
    engine.tables,
    { kept: kept(), asked: 1, reason: 'new' },
    { rows: 0, written: 0, removed: 0, stuck: 0, seconds: 0 },
    town.pool,
  );

beforeAll(async () => {
  [town, people] = await Promise.all([openTown(), openTown('people')]);
  owner = people.engine();
  engine = town.engine({
    peers: {
      ...peers,
      rows: async (_, __, columns, ids) => JSON.parse(await rowsOfOwner(ids, columns)),
      resolve: async (_, __, references, columns) => {
        const ids = references.flatMap((r) => ('id' in r ? [r.id] : []));
        const rows = JSON.parse(
          await rowsOfOwner(
            ids,
            columns.filter((name) => name !== 'tags'),
          ),
        );
        return { results: ids.map((id) => ({ id })), rows };
      },
    },
  });
});
afterAll(async () => {
  await town?.close();
  await people?.close();
});
beforeEach(async () => {
  await town.sql(
    'truncate town_postbox, town_district, replica.people_letter, replica.any_object, replica.extras_customfield, replica_tombstone, replica_state, parked_message, cache_invalidation, change, change_queue restart identity cascade',
  );
  await people.sql('truncate people_letter, change, change_queue restart identity cascade');
  asked = [];
  away = false;
  await town.sql(`insert into replica_state (type, reason) values ($1, 'new')`, [TYPE]);
  await noteAsFilled();
});

interface Letter {
  subject?: string;
  box?: number | null;
  answers?: number | null;
}
/** What the owner has. */
const write = (id: number, version: number, { subject = `L${id}`, box = null, answers = null }: Letter = {}) =>
  people.sql(
    'insert into people_letter (id, _version, subject, box_id, answers_id) values ($1, $2, $3, $4, $5) on conflict (id) do update set _version = $2, subject = $3, box_id = $4, answers_id = $5',
    [id, version, subject, box, answers],
  );
const event = (
  id: number,
  version: number,
  { subject = `L${id}`, box = null, answers = null }: Letter = {},
  more: Partial<ChangeEvent> = {},
): ChangeEvent =>
  eventOf(TYPE, id, version, {
    action: version === 1 ? 'created' : 'updated',
    display: subject,
    data: null,
    row: { subject, box_id: box, answers_id: answers },
    ...more,
  });
const follow = (...events: ChangeEvent[]) => applyEvents(engine, events);
const here = async () =>
  (await town.sql('select id::int, subject, _version from replica.people_letter order by id')).map(
    (r) => `${r['id']} ${r['subject']} ${r['_version']}`,
  );
const show = (id: number, client = town.pool) => resolve(engine, TYPE, [{ id }], superuser, client);

describe('a follower', () => {
  test('keeps what matters, from when it does', async () => {
    await follow(event(1, 1), event(2, 1, { box: 5 }), event(3, 1));
    expect(await here()).toEqual(['2 L2 1']);
    await follow(event(3, 2, { box: 5 }));
    expect(await here()).toEqual(['2 L2 1', '3 L3 2']);
  });
  test('goes on with what it has, whether it matters any more or not', async () => {
    await follow(event(1, 1, { box: 5 }));
    await follow(event(1, 2, { subject: 'taken out' }));
    await follow(event(1, 3, { subject: 'later' }));
    expect(await here()).toEqual(['1 later 3']);
    await follow(event(1, 4, {}, { action: 'deleted', row: null }));
    expect(await here()).toEqual([]);
  });
  test('takes all changes of an object, where it takes one of them', async () => {
    await follow(event(1, 1), event(1, 2, { box: 5 }), event(1, 3, { subject: 'taken out' }));
    expect(await here()).toEqual(['1 taken out 3']);
  });
  test('brings what kept objects point at, as far as that goes', async () => {
    for (const [id, answers] of [
      [1, null],
      [2, 1],
      [3, 2],
    ] as const)
      await write(id, 4, { answers });
    await follow(event(3, 4, { answers: 2 }));
    expect([await here(), asked]).toEqual([
      ['1 L1 4', '2 L2 4', '3 L3 4'],
      [[2], [1]],
    ]);
    await follow(event(3, 5, { answers: 2 }));
    expect(asked).toHaveLength(2);
  });
  test('waits for the owner of what kept objects point at', async () => {
    away = true;
    await expect(follow(event(3, 4, { answers: 2 }))).rejects.toBeInstanceOf(Unreachable);
    expect(await here()).toEqual([]);
  });
  test('costs two statements for however many do not matter', async () => {
    const cost = async (n: number) => {
      const before = town.statements();
      await follow(...Array.from({ length: n }, (_, i) => event(100 + i, 1)));
      return town.statements() - before;
    };
    await cost(1);
    const [few, many] = [await cost(2), await cost(200)];
    expect(many).toBe(few);
  });
});

describe('what somebody begins to refer to', () => {
  test('is kept as it is by then, with what it points at', async () => {
    await write(1, 2);
    await write(2, 7, { answers: 1 });
    await show(2);
    expect(await here()).toEqual(['1 L1 2', '2 L2 7']);
  });
  test('is followed while that is not done yet', async () => {
    await write(1, 1);
    const writer = await town.pool.connect();
    try {
      await writer.query('begin');
      await show(1, writer as never);
      await write(1, 2, { subject: 'new' });
      const followed = follow(event(1, 2, { subject: 'new' }));
      await untilLockWaits(town.pool);
      await writer.query('commit');
      await followed;
      expect(await here()).toEqual(['1 new 2']);
    } finally {
      writer.release();
    }
  });
  test('holds up no follower of what does not matter, and is held up by none', async () => {
    const writer = await town.pool.connect();
    try {
      await writer.query('begin');
      await writer.query('select pg_advisory_xact_lock_shared($1)', [lockKeys(TYPE, [1])[0]]);
      await follow(event(1, 1), event(2, 1));
      expect(await here()).toEqual(['1 L1 1']);
      expect(
        await town.sql(
          `select 1 from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock' and database = (select oid from pg_database where datname = current_database())`,
        ),
      ).toEqual([]);
      await writer.query('commit');
    } finally {
      writer.release();
    }
  });
});

describe('nothing is passed over', () => {
  test('while the replica is being filled', async () => {
    await town.sql('update replica_state set asked = asked + 1');
    await follow(event(1, 1));
    expect(await here()).toEqual(['1 L1 1']);
    await noteFilled(
      engine.tables,
      { kept: kept(), asked: 2, reason: 'asked' },
      { rows: 0, written: 0, removed: 0, stuck: 0, seconds: 0 },
      town.pool,
    );
    await follow(event(2, 1));
    expect(await here()).toEqual(['1 L1 1']);
  });
  test('where it was filled when other objects mattered', async () => {
    await town.sql(`update replica_state set contents = 'other'`);
    await follow(event(1, 1));
    expect(await here()).toEqual(['1 L1 1']);
  });
  test('of which something was parked that may be handled later', async () => {
    await town.sql(
      `insert into parked_message ("group", topic, partition, position, key, value, error) values ('town.replicas', 't', 0, 1, '${TYPE}:1', '{}', 'broken')`,
    );
    await follow(event(1, 2), event(11, 2));
    await follow(event(1, 1, { box: 5, subject: 'late' }));
    expect(await here()).toEqual(['1 L1 2']);
  });
});

describe('the log', () => {
  test('is told for whom a change is not; all hear of deletions', async () => {
    const { name } = catalogue.parts('town').get(TYPE)!;
    const model = catalogue.get(TYPE);
    expect([relevanceFilter(engine)!.names, relevanceFilter(owner)]).toEqual([[name], undefined]);
    await write(1, 1);
    await write(2, 1, { box: 5 });
    const rows = await readRows(owner.tables, model, [1, 2], people.pool);
    const told = (action: Change['action']) =>
      rows.map(
        (row): Change => ({
          action,
          model,
          before: action === 'deleted' ? row : null,
          after: action === 'deleted' ? null : row,
          message: '',
        }),
      );
    await owner.transact(async (client) =>
      record(await owner.readContext(client), [...told('created'), ...told('deleted')], null, client),
    );
    expect(
      (await people.sql('select key, body from change order by id')).map(({ key, body }) => [
        key,
        irrelevantTo(body as string),
      ]),
    ).toEqual([
      [`${TYPE}:1`, name],
      [`${TYPE}:2`, undefined],
      [`${TYPE}:1`, undefined],
      [`${TYPE}:2`, undefined],
    ]);
  });
  test('is told which of these are wanted all the same', async () => {
    await follow(event(1, 1, { box: 5 }), event(2, 1));
    expect(await relevanceFilter(engine)!.relevant([`${TYPE}:1`, `${TYPE}:2`, 'people.person:2'])).toEqual(
      new Set([`${TYPE}:1`, 'people.person:2']),
    );
  });
});

describe('a fill', () => {
  const fill = () => fillReplicas(engine, owners, 'people', [kept()], { filled: async () => undefined });
  const verify = () => verifyReplica(engine, owners, kept(), { caughtUp: async () => undefined });
  beforeEach(async () => {
    for (const id of [1, 2, 3, 4, 5, 6, 7, 8]) await write(id, 1);
    await write(3, 1, { box: 5 });
    await write(6, 1, { answers: 7 });
  });

  test('brings what matters and what that points at', async () => {
    await fill();
    expect(await here()).toEqual(['3 L3 1', '6 L6 1', '7 L7 1']);
    expect(await verify()).toMatchObject({ rows: 8, kept: 3, missing: 0, extra: 0, different: 0, complete: true });
  });
  test('mends what is here, and takes away what is not there', async () => {
    await town.sql(`insert into replica.people_letter (id, subject, _version) values (1, 'old', 0), (99, 'lost', 1)`);
    await fill();
    expect(await here()).toEqual(['1 L1 1', '3 L3 1', '6 L6 1', '7 L7 1']);
  });
  test('is not needed where a copy is right, and shows where it is not', async () => {
    await fill();
    await town.sql('delete from replica.people_letter where id in (3, 7)');
    await town.sql(`update replica.people_letter set subject = 'wrong' where id = 6`);
    const report = await verify();
    expect(report).toMatchObject({ rows: 8, kept: 1, missing: 2, extra: 0, different: 1 });
    expect(report.examples.map(({ id, problem }) => `${id} ${problem}`).sort()).toEqual([
      '3 missing',
      '6 different',
      '7 missing',
    ]);
    await fill();
    expect(await verify()).toMatchObject({ kept: 3, missing: 0, extra: 0, different: 0 });
  });
});

test('what the default of a custom field names is kept', async () => {
  await write(4, 2, { answers: 1 });
  await write(1, 1);
  const field = { object_types: ['town.district'], name: 'mail', related_object_type: TYPE, default: [4] };
  await follow({ ...event(1, 1), objectType: 'extras.customfield', postchange: field, row: null });
  expect(await here()).toEqual(['1 L1 1', '4 L4 2']);
});

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Chunk, type Engine, type Owners, type ReplicaState, replicaStates, type Wanted } from '@cadastre/rest';
import { openTown, type Town } from '@cadastre/rest/testing/database';
import { eventually } from '../../../../tests/support/eventually.ts';
import { createLog } from '../observe/log.ts';
import { type ReplicaMaintainer, type ReplicaMaintainerOptions, startReplicaMaintainer } from './maintainer.ts';

const log = createLog('test', { logLevel: 'silent', logFormat: 'json' });
let town: Town;
let engine: Engine;
const maintainers: ReplicaMaintainer[] = [];
let asked: string[];
let away: Set<string>;
beforeAll(async () => {
  town = await openTown();
  engine = town.engine();
});
afterAll(async () => {
  await town?.close();
});
beforeEach(async () => {
  asked = [];
  away = new Set();
  await town.sql('truncate replica_state, replica.people_person, replica.any_object, replica_tombstone');
});
afterEach(async () => {
  await Promise.all(maintainers.splice(0).map((maintainer) => maintainer.stop()));
});

const rows: Record<string, object[]> = {
  'people.person': [
    {
      id: 1,
      _version: 1,
      name: 'Ann',
      slug: 'ann',
      tags: [],
      _brief: { id: 1, display: 'Ann', name: 'Ann', slug: 'ann' },
    },
  ],
};
const owners: Owners = {
  async *snapshot(owner: string, wanted: readonly Wanted[]) {
    asked.push(owner);
    if (away.has(owner)) throw new Error(`${owner} is away`);
    for (const { type } of wanted)
      yield {
        type,
        rows: JSON.stringify(rows[type] ?? []),
        count: rows[type]?.length ?? 0,
        after: 0,
        to: 1,
        last: true,
      } satisfies Chunk;
  },
  rowsAt: async (_owner, { type }, ids) =>
    JSON.stringify((rows[type] ?? []).filter((row) => ids.includes((row as { id: number }).id))),
};
const keep = (more: Partial<ReplicaMaintainerOptions> = {}): ReplicaMaintainer => {
  const maintainer = startReplicaMaintainer({ engine, owners, log, poll: 60_000, firstDelay: 5, ...more });
  maintainers.push(maintainer);
  return maintainer;
};
const state = async (type = 'people.person'): Promise<ReplicaState | undefined> =>
  (await replicaStates(engine.pool)).get(type);
const filled = (type?: string) =>
  eventually(async () => {
    const one = await state(type);
    expect(one).toMatchObject({ due: false, filledAt: expect.any(String) });
    return one!;
  });
const people = async () => (await town.sql('select id::int, name from replica.people_person')).map((r) => r['name']);

test('begins when those with which it starts have started, and ends before that all the same', async () => {
  const together = Promise.withResolvers<void>();
  keep({ after: together.promise }).wake();
  await new Promise((resolve) => {
    setTimeout(resolve, 100);
  });
  expect(asked).toEqual([]);
  together.resolve();
  await filled();
  await keep({ after: new Promise(() => undefined) }).stop();
});

test('fills what is new, once', async () => {
  const told: string[] = [];
  const maintainer = keep({
    told: async (type, ids) => {
      told.push(`${type} ${ids.join()}`);
    },
  });
  expect(await filled()).toMatchObject({ reason: 'new', error: null, result: { rows: 1, written: 1, removed: 0 } });
  expect([await people(), told]).toEqual([['Ann'], ['people.person 1']]);
  await eventually(() => {
    expect([...asked].sort()).toEqual(['extras', 'people']);
  });
  // Its own objects are among those of any type, and no other service is asked for them.
  await filled('town.house');
  maintainer.wake();
  await keep().stop();
  expect(asked).toHaveLength(2);
});

test('fills what is to hold more than it was filled with, and what was asked for', async () => {
  keep();
  await eventually(async () => {
    const states = [...(await replicaStates(engine.pool)).values()];
    expect([states.length > 1, states.filter(({ due }) => due)]).toEqual([true, []]);
  });
  await Promise.all(maintainers.splice(0).map((maintainer) => maintainer.stop()));
  asked = [];
  await town.sql(
    `update replica_state set contents = 'id bigint' where type = 'people.person'; update replica.people_person set name = null`,
  );
  keep();
  await eventually(async () => {
    expect(await people()).toEqual(['Ann']);
  });
  await filled();
  expect(asked).toEqual(['people']);
  await town.sql(`update replica_state set asked = asked + 1, reason = 'asked' where type = 'extras.tag'`);
  maintainers[0]!.wake();
  expect(await filled('extras.tag')).toMatchObject({ reason: 'asked' });
  expect(asked).toEqual(['people', 'extras']);
});

test('tries again where an owner is away, and fills from the others meanwhile', async () => {
  away.add('people');
  keep();
  await filled('extras.tag');
  await eventually(async () => {
    expect(await state()).toMatchObject({ due: true, error: 'people is away' });
    expect(asked.filter((owner) => owner === 'people').length).toBeGreaterThan(2);
  });
  away.clear();
  expect(await filled()).toMatchObject({ error: null });
});

test('leaves it to another process that is at it', async () => {
  const other = await town.pool.connect();
  try {
    await other.query(`select pg_advisory_lock(hashtextextended('cadastre replicas', 0))`);
    keep();
    await eventually(async () => {
      expect((await state())?.due).toBe(true);
    });
    expect(asked).toEqual([]);
    await other.query(`select pg_advisory_unlock(hashtextextended('cadastre replicas', 0))`);
  } finally {
    other.release();
  }
  await filled();
});

test('what is asked for while it is being filled is filled once more', async () => {
  const gate = Promise.withResolvers<void>();
  keep({
    owners: {
      ...owners,
      async *snapshot(owner, wanted) {
        if (owner === 'people') {
          asked.push('now');
          await gate.promise;
        }
        yield* owners.snapshot(owner, wanted);
      },
    },
  });
  await eventually(() => {
    expect(asked).toContain('now');
  });
  await town.sql(`update replica_state set asked = asked + 1, reason = 'missed' where type = 'people.person'`);
  gate.resolve();
  expect(await filled()).toMatchObject({ reason: 'missed' });
  expect(asked.filter((owner) => owner === 'people')).toHaveLength(2);
});

test('stops in the middle', async () => {
  const maintainer = keep({
    owners: {
      ...owners,
      async *snapshot(owner, wanted, signal) {
        asked.push(owner);
        await new Promise((done) => signal!.addEventListener('abort', done));
        yield* owners.snapshot(owner, wanted.slice(0, 0));
      },
    },
  });
  await eventually(() => {
    expect(asked).toHaveLength(1);
  });
  await maintainer.stop();
  expect((await state())?.due).toBe(true);
});

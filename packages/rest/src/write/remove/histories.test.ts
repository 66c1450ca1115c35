// Drives the code along the model of the protocol (testing/protocol.ts): two services with a database each, writers, and
// deletions, which stop at the stages of the protocol and go on in every order that chance picks. After each step, what
// can be seen of the code must be what the model allows after the same steps.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { PoolClient } from 'pg';
import { applyEvents } from '../../replication/follow/apply.ts';
import { openTown, peers, type Town } from '../../testing/database.ts';
import { deletedOf } from '../../testing/event.ts';
import { person } from '../../testing/people.ts';
import { context, stall } from '../../testing/town.ts';
import { resolveFor } from '../resolve/own.ts';
import { updateOne } from '../update/update.ts';
import { answerDeletion } from '../consequences/asking.ts';
import { release } from '../consequences/marks.ts';
import { remove } from './remove.ts';
import { Actors, Crash } from './testing/actors.ts';
import { ALL, CRASHES, ENDINGS, type Kind, movesOf, START, type State } from './testing/protocol.ts';
import { waitingForLocks } from '../../testing/locks.ts';

const WRITERS = ['writer 0', 'writer 1'];
const DELETERS = ['deleter 0', 'deleter 1'];
const FOLLOWER = 'the follower';
const LEASE = 'the lease';
/** Where writers and deletions stop, and where the model has them then. */
const STAGES: Record<string, number> = { locked: 2, told: 3, marked: 1, protected: 6, free: 3, deleted: 5 };
/** How many histories there are for each kind of reference. */
const HISTORIES = 40;

let town: Town;
let people: Town;
let watcher: PoolClient;

beforeAll(async () => {
  [town, people] = [await openTown(), await openTown('people')];
  watcher = await people.pool.connect();
});
afterAll(async () => {
  watcher?.release();
  await Promise.all([town?.close(), people?.close()]);
});

/** How many transactions of both databases wait for a lock. */
const waiting = (): Promise<number> =>
  waitingForLocks(
    watcher,
    [town.pool, people.pool].map(({ options }) => new URL(options.connectionString!).pathname.slice(1)),
  );

/** A process of the service that refers to people. It stops before it asks the owner, and before it commits. */
function writer(actors: Actors, name: string, field: string): Promise<unknown> {
  const engine = town.engine({
    peers: {
      ...peers,
      resolve: async (_service, type, references, columns, who) => {
        await actors.stop(name, 'locked');
        const asked = [...people.engine().tables.columnsOf(people.engine().catalogue.get(type)).values()].filter((c) =>
          columns.includes(c.name),
        );
        const answer = await resolveFor(people.engine().tables, type, references, asked, who, people.pool);
        if (answer.results.some((result) => 'id' in result)) await actors.stop(name, 'told');
        return answer;
      },
    },
  });
  return updateOne(engine, stall, 1 + WRITERS.indexOf(name), { [field]: 1 }, 'patch', undefined, context);
}

/** A process of the owner. It stops before and after it asks who refers to the object, and before it commits. */
function deleter(actors: Actors, name: string): Promise<unknown> {
  const elsewhere = town.engine();
  const engine = people.engine({
    peers: {
      ...peers,
      prepareDeletion: async (service, type, ids, by, who) => {
        if (service !== 'town') return { count: 0, names: [] };
        await actors.stop(name, 'marked');
        const answer = await answerDeletion(elsewhere, type, ids, by, who);
        await actors.stop(name, answer.count ? 'protected' : 'free');
        return answer;
      },
      releaseMarks: (_service, by) => release(by, town.pool),
    },
  });
  const transact = engine.transact.bind(engine);
  engine.transact = (work) =>
    transact(async (client) => {
      const done = await work(client);
      await actors.stop(name, 'deleted');
      return done;
    });
  return remove(engine, person, { ids: [1], messages: new Map(), single: true }, context);
}

/** What everybody can see: whether the object is there, whether it is marked, and which writers' objects refer to it. */
async function seen(): Promise<{ row: boolean; marked: boolean; refers: boolean[] }> {
  const [there, marks, stalls] = await Promise.all([
    watcher.query('select 1 from people_person where id = 1'),
    people.sql('select 1 from deletion_mark where until > clock_timestamp()'),
    town.sql('select name from town_stall where patron_id = 1 or trader_id = 1'),
  ]);
  return {
    row: there.rows.length > 0,
    marked: marks.length > 0,
    refers: WRITERS.map((name) => stalls.some((row) => row['name'] === name)),
  };
}

/** Whether the code is where a state of the model says that it is. */
function agrees(state: State, actors: Actors, now: Awaited<ReturnType<typeof seen>>): boolean {
  const stands = (name: string, at: number, over: number): boolean => {
    const actor = actors.get(name);
    if (!actor) return at === 0;
    if (actor.outcome) return at === over;
    return actor.at === undefined || STAGES[actor.at] === at;
  };
  return (
    state.row === now.row &&
    (state.mark?.valid === true) === now.marked &&
    state.writers.every(({ at, refers }, i) => refers === now.refers[i] && stands(WRITERS[i]!, at, 4)) &&
    state.deleters.every(({ at }, i) => stands(DELETERS[i]!, at, 7))
  );
}

/** The states that the model may be in after steps of the actors that are named. */
function statesAfter(states: readonly State[], kind: Kind, moving: readonly string[], crash: boolean): State[] {
  const movesFrom = movesOf(kind, ALL);
  const found = new Map(states.map((state) => [JSON.stringify(state), state]));
  for (const state of found.values())
    for (const { name, next } of movesFrom(state))
      if (moving.some((actor) => name.startsWith(`${actor} `)) && (crash || !name.endsWith('crashes')))
        found.set(JSON.stringify(next), next);
  return [...found.values()];
}

/** Numbers from 0 to 1 that follow from a seed. */
function chance(seed: number): () => number {
  let at = seed;
  return () => {
    at = (Math.imul(at, 1664525) + 1013904223) >>> 0;
    return at / 2 ** 32;
  };
}

async function fresh(): Promise<void> {
  await town.sql(
    'truncate town_stall, deletion_mark, replica.people_person, replica_tombstone, change, change_queue restart identity',
  );
  await town.sql('insert into town_stall (id, name) select i, ($1::text[])[i] from generate_series(1, 2) i', [WRITERS]);
  await people.sql('truncate people_person, deletion_mark, change, change_queue');
  await people.sql(`insert into people_person (id, name, slug, biography) values (1, 'Ann', 'ann', '')`);
}

/** Plays one history to its end. Returns its steps, and the last state of the code. */
async function play(kind: Kind, seed: number): Promise<{ row: boolean; refers: boolean[] }> {
  await fresh();
  const actors = new Actors(waiting);
  try {
    return await playWith(actors, kind, chance(seed));
  } finally {
    await actors.end();
  }
}

async function playWith(
  actors: Actors,
  kind: Kind,
  random: () => number,
): Promise<{ row: boolean; refers: boolean[] }> {
  const begin: Record<string, () => Promise<unknown>> = Object.fromEntries([
    ...WRITERS.map((name) => [name, () => writer(actors, name, kind === 'protect' ? 'patron' : 'trader')]),
    ...DELETERS.map((name) => [name, () => deleter(actors, name)]),
    [FOLLOWER, () => applyEvents(town.engine(), [deletedOf('people.person', 1)])],
  ]);
  const steps: string[] = [];
  let [crashes, endings] = [0, 0];
  let states: readonly State[] = [START];
  for (let now = await seen(); ; now = await seen()) {
    const running = actors.running();
    states = statesAfter(states, kind, running, false).filter((state) => agrees(state, actors, now));
    if (!states.length)
      throw new Error(`The model has no such state: ${JSON.stringify({ steps, now, actors: actors.list() }, null, 1)}`);
    const able = Object.keys(begin).filter((name) => {
      const actor = actors.get(name);
      if (name === FOLLOWER && !actor) return kind === 'clear' && !now.row;
      return !actor || actor.at !== undefined;
    });
    if (!able.length && !running.length) return now;
    const choices = [...able, ...(now.marked && endings < ENDINGS && random() < 0.3 ? [LEASE] : [])];
    const chosen = choices[Math.floor(random() * choices.length)]!;
    const crash = WRITERS.includes(chosen) && actors.get(chosen) !== undefined && crashes < CRASHES && random() < 0.1;
    steps.push(crash ? `${chosen} crashes` : `${chosen} goes on`);
    if (chosen === LEASE) {
      endings++;
      await people.sql(`update deletion_mark set until = now() - interval '1 second'`);
    } else if (actors.get(chosen)) {
      if (crash) crashes++;
      await actors.resume(chosen, crash);
    } else await actors.start(chosen, begin[chosen]!);
    states = statesAfter(states, kind, [chosen, ...running], crash);
    const { outcome } = actors.get(chosen) ?? {};
    if (outcome && 'error' in outcome && !(outcome.error instanceof Crash))
      expect(outcome.error).toHaveProperty('status');
  }
}

/** The ends that some of the histories have, so that not all go the same way. */
const ENDS: Record<Kind, string[]> = {
  protect: ['deleted, referred to by 0', 'kept, referred to by 1', 'kept, referred to by 2'],
  clear: ['deleted, referred to by 0'],
};

test.each(['protect', 'clear'] as const)('the code does what the model does: references that %s', async (kind) => {
  const ends = new Set<string>();
  for (let seed = 1; seed <= HISTORIES; seed++) {
    const { row, refers } = await play(kind, seed);
    ends.add(`${row ? 'kept' : 'deleted'}, referred to by ${refers.filter(Boolean).length}`);
  }
  expect([...ends].sort()).toEqual(ENDS[kind]);
});

import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { typeId } from '@cadastre/model';
import type { Engine } from '../../engine.ts';
import { openTown, type Town } from '../../testing/database.ts';
import { deletedOf, eventOf } from '../../testing/event.ts';
import { fillReplicas } from './fill.ts';
import { type ReplicaDefinition, replicaDefinitions } from '../../replicas/definition.ts';
import type { Owners } from './owners.ts';
import { rowsAt, snapshotOf } from './snapshot.ts';
import type { Filled } from './state.ts';
import { verifyReplica } from './verify.ts';

export const told = (id: number, version: number, name: string) =>
  eventOf('people.person', id, version, {
    row: { name, slug: `p${id}`, group_id: null },
    data: { id, display: name, name, slug: `p${id}` },
    display: name,
  });
export const gone = (id: number) => deletedOf('people.person', id);

interface Open {
  town: Town;
  people: Town;
  extras: Town;
  engine: Engine;
  peopleEngine: Engine;
  extrasEngine: Engine;
  /** Called between chunks, with how many there were. */
  inserted: (chunks: number) => Promise<unknown> | undefined;
}

/**
 * The town keeps people; they are owned by a service with a database of its own, as are custom fields. Opened for the
 * tests of a file, and empty before each.
 */
export function useTowns() {
  const open = { inserted: () => undefined } as unknown as Open;
  beforeAll(async () => {
    [open.town, open.people, open.extras] = await Promise.all([openTown(), openTown('people'), openTown('extras')]);
    open.engine = open.town.engine();
    open.peopleEngine = open.people.engine();
    open.extrasEngine = open.extras.engine();
  });
  afterAll(async () => {
    await open.town?.close();
    await open.people?.close();
    await open.extras?.close();
  });
  beforeEach(async () => {
    await open.town.sql(
      'truncate town_house, town_room, town_note, replica.people_person, replica.extras_customfield, replica.any_object, replica_tombstone, replica_state, cache_invalidation, change, change_queue restart identity cascade',
    );
    await open.people.sql('truncate people_person, people_club, people_group restart identity cascade');
    await open.extras.sql('truncate extras_customfield restart identity cascade');
    open.inserted = () => undefined;
  });

  const size = 3;
  const owner = (name: string) => (name === 'people' ? open.peopleEngine : open.extrasEngine);
  const owners: Owners = {
    async *snapshot(name, wanted) {
      let chunks = 0;
      for await (const chunk of snapshotOf(owner(name), wanted, { rows: size, characters: 100_000 })) {
        await open.inserted(++chunks);
        yield chunk;
      }
    },
    rowsAt: (name, wanted, ids) => rowsAt(owner(name), wanted, ids),
  };
  const kept = (type: string): ReplicaDefinition =>
    replicaDefinitions(open.engine.tables).find((one) => one.type === type)!;
  const fill = async (...types: string[]) => {
    const results = new Map<string, Filled>();
    await fillReplicas(open.engine, owners, kept(types[0]!).owner, types.map(kept), {
      filled: async ({ type }, result) => {
        results.set(type, result);
      },
    });
    return results;
  };
  const persons = (n: number, from = 1) =>
    open.people.sql(
      `insert into people_person (id, name, slug, biography) select i, 'P' || i, 'p' || i, 'long' from generate_series($1::int, $2::int) i`,
      [from, from + n - 1],
    );
  const here = async () =>
    (await open.town.sql('select id::int, name, slug, _version from replica.people_person order by id')).map((r) => [
      r['id'],
      r['name'],
      r['slug'],
      r['_version'],
    ]);
  const briefs = async () =>
    await open.town.sql(
      'select id::int, version, display, brief, tags::text from replica.any_object where type = $1 order by id',
      [typeId('people.person')],
    );
  const verify = (type: string, caughtUp: () => Promise<void> = async () => undefined, more: object = {}) =>
    verifyReplica(open.engine, owners, kept(type), { caughtUp, ...more });
  return { open, fill, persons, here, briefs, verify };
}

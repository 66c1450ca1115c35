import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Values } from '@cadastre/model';
import type { Engine } from '../../engine.ts';
import { openTown, peers, type Town } from '../../testing/database.ts';
import { room } from '../../testing/town.ts';
import { resolveDerived } from './derivedReferences.ts';
import type { Draft } from '../context/draft.ts';
import { transaction } from '../../db/transaction.ts';

let town: Town;
let engine: Engine;
const asked: unknown[] = [];
beforeAll(async () => {
  town = await openTown();
  engine = town.engine({
    peers: {
      ...peers,
      resolve: async (_service, type, references) => {
        asked.push([type, references]);
        const there = references.map((reference) => 'id' in reference && reference.id < 90);
        return {
          results: references.map((reference, i) =>
            there[i] && 'id' in reference ? { id: reference.id } : { error: 'gone' },
          ),
          rows: references.flatMap((reference, i) =>
            there[i] && 'id' in reference
              ? [{ id: reference.id, _version: 1, name: `P${reference.id}`, slug: `p${reference.id}`, group_id: null }]
              : [],
          ),
        };
      },
    },
  });
});
afterAll(async () => {
  await town?.close();
});
beforeEach(async () => {
  asked.length = 0;
  await town.sql('truncate replica.people_person');
});

const draft = (owner: number | null, given: Values = {}, before: Values | null = null): Draft =>
  ({ item: { values: given }, object: { owner }, before, beforeCells: null }) as unknown as Draft;
const derive = (...drafts: Draft[]) => transaction(town.pool, (client) => resolveDerived(engine, room, drafts, client));

test('what rules refer to comes into the replica, by one call', async () => {
  await derive(draft(5), draft(6), draft(5));
  expect(asked).toEqual([['people.person', [{ id: 5 }, { id: 6 }]]]);
  expect(
    (await town.sql('select id::int, name from replica.people_person order by id')).map((row) => Object.values(row)),
  ).toEqual([
    [5, 'P5'],
    [6, 'P6'],
  ]);
});

test('what a client gave or what was there before is asked about elsewhere', async () => {
  await derive(draft(5, { owner: 5 }), draft(6, {}, { owner: 6 }), draft(null));
  expect(asked).toEqual([]);
});

test('what is there no more is not referred to', async () => {
  const [there, gone] = [draft(5), draft(95)];
  await derive(there, gone);
  expect([there.object['owner'], gone.object['owner']]).toEqual([5, null]);
});

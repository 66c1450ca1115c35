import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Catalogue, type Dict, loadCatalogue } from '@cadastre/model';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Installation, installation, type Lists } from '../../testing/installation.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/servers/postgres.ts';
import { eachRecording } from '../sources/database/testing/eachRecording.ts';
import { restore } from '../sources/database/testing/restore.ts';
import { sourceOf } from '../sources/from.ts';
import { idsIn } from '../mapping/ids.ts';
import { isSent } from '../mapping/sent.ts';
import { type Imported, runImport } from './run.ts';
import { stateIn } from '../state/state.ts';
import { targetAt } from '../target.ts';
import { type FakeTarget, startFakeTarget } from '../testing/fakeTarget.ts';
import { countsOf, OURS, THEIRS, toldOf } from '../testing/moves.ts';

eachRecording('$name', (recording) => {
  const folder = mkdtempSync(join(tmpdir(), 'cadastre-recorded-'));
  let catalogue: Catalogue;
  let database: TestDatabase;
  let api: Installation;
  const targets: FakeTarget[] = [];
  beforeAll(async () => {
    [database, catalogue] = await Promise.all([createTestDatabase(), loadCatalogue('services')]);
    await restore(recording.dump, database.url);
    const lists: Lists = {};
    for (const { app, path } of catalogue.models.values())
      lists[`/api/${app}/${path}/`] = (recording.list(`${app}/${path}`) ?? []) as Lists[string];
    api = await installation({ lists, token: THEIRS });
  });
  afterAll(async () => {
    await Promise.all([api?.close(), database?.drop(), ...targets.map((one) => one.close())]);
    rmSync(folder, { recursive: true, force: true });
  });

  async function brought(from: string, target: FakeTarget): Promise<Imported> {
    const source = await sourceOf(
      { from, token: THEIRS, parallel: 2, retries: 0, maxAnswer: 1e8, media: undefined },
      catalogue,
    );
    return runImport({
      catalogue,
      source,
      target: targetAt(target.base, { authorization: `Token ${OURS}`, retries: 0 }),
      stateFor: (counts) => stateIn(join(folder, String(targets.indexOf(target))), from, target.base, counts),
      ids: idsIn(join(folder, 'ids.csv')),
      mapIds: false,
      deleteMany: false,
      dryRun: false,
      history: true,
      parallel: 2,
      progress: { begin: () => {}, at: () => {}, end: () => {} },
    }).finally(() => source.close());
  }
  const opened = async (): Promise<FakeTarget> => {
    const one = await startFakeTarget({ catalogue, token: OURS });
    targets.push(one);
    return one;
  };

  test('comes whole, from its API and from its database alike', async () => {
    const [left, right] = [await opened(), await opened()];
    const byApi = await brought(api.base, left);
    const byDatabase = await brought(database.url, right);
    expect([toldOf(byApi, 'refused'), toldOf(byApi, 'lost')]).toEqual([[], []]);
    expect([toldOf(byDatabase, 'refused'), toldOf(byDatabase, 'lost')]).toEqual([[], []]);
    const different: unknown[] = [];
    let compared = 0;
    for (const model of [...catalogue.models.values()].filter(isSent))
      for (const [id, { object }] of left.objects(model.name)) {
        compared += 1;
        const other: Dict = right.objects(model.name).get(id)?.object ?? {};
        // A token was used between the two recordings.
        for (const [name, value] of Object.entries(object))
          if (name !== 'last_used' && asText(value) !== asText(other[name]))
            different.push([model.name, id, name, value, other[name]]);
      }
    expect(different.slice(0, 20)).toEqual([]);
    expect(compared).toBeGreaterThan(10_000);
  });

  test('comes once: another import changes nothing', async () => {
    const changes = Object.entries(countsOf(await brought(api.base, targets[0]!))).filter(
      ([, [created, updated, , deleted]]) => created + updated + deleted > 0,
    );
    expect(changes).toEqual([]);
  });
});

/** A value as text, without differences that mean nothing: the order of ids, types and members, the format of times. */
const asText = (value: unknown): string =>
  JSON.stringify(inOrder(value)).replaceAll(/(T\d\d:\d\d:\d\d)(?:(\.\d*?)0*)?(?:Z|\+00:00)?"/g, '$1$2"');

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.every((one) => typeof one !== 'object') ? value.toSorted() : value;
  if (typeof value !== 'object' || value === null) return value ?? null;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

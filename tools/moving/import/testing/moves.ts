import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Catalogue, type Dict, loadCatalogue } from '@cadastre/model';
import { readerOf } from '../../reader.ts';
import { type Installation, type InstallationOptions, installation, type Lists } from '../../testing/installation.ts';
import { apiSource } from '../sources/api.ts';
import { idsIn } from '../mapping/ids.ts';
import { type Imported, runImport } from '../run/run.ts';
import { stateIn } from '../state/state.ts';
import type { Case, Kind } from '../state/tally.ts';
import { targetAt } from '../target.ts';
import { type FakeTarget, type FakeTargetOptions, startFakeTarget } from './fakeTarget.ts';

export const THEIRS = 'theirs';
export const OURS = 'ours';

/** A source with some lists, an empty target, and a folder for the state. */
export interface Move {
  source: Installation;
  target: FakeTarget;
  folder: string;
  /** The lists of the source; may be changed between two imports. */
  lists: Lists;
  run(more?: {
    dryRun?: boolean;
    deleteMany?: boolean;
    history?: boolean;
    mapIds?: boolean;
    retries?: number;
  }): Promise<Imported>;
  end(): Promise<void>;
}

let catalogue: Promise<Catalogue> | undefined;

export async function move(
  lists: Lists,
  o: { source?: Partial<InstallationOptions>; target?: Partial<FakeTargetOptions> } = {},
): Promise<Move> {
  catalogue ??= loadCatalogue(resolve(import.meta.dirname, '../../../../services'));
  const known = await catalogue;
  const source = await installation({ lists, token: THEIRS, ...o.source });
  const target = await startFakeTarget({ catalogue: known, token: OURS, ...o.target });
  const folder = mkdtempSync(join(tmpdir(), 'cadastre-move-'));
  return {
    source,
    target,
    folder,
    lists,
    run: async ({ dryRun = false, deleteMany = false, history = true, mapIds = false, retries = 0 } = {}) => {
      const asked = { retries, pauseMs: 1, timeoutMs: 60_000 };
      return runImport({
        catalogue: known,
        source: apiSource({
          reader: readerOf(source.base, { authorization: `Token ${THEIRS}`, ...asked }),
          types: new Map([...known.models.values()].map((model) => [`${model.app}/${model.path}`, model])),
          parallel: 2,
        }),
        target: targetAt(target.base, { authorization: `Token ${OURS}`, ...asked }),
        stateFor: (counts) => stateIn(join(folder, dryRun ? 'dry' : 'state'), source.base, target.base, counts),
        ids: idsIn(join(folder, 'ids.csv')),
        mapIds,
        dryRun,
        deleteMany,
        history,
        parallel: 2,
        progress: { begin: () => {}, at: () => {}, end: () => {} },
      });
    },
    async end() {
      await Promise.all([source.close(), target.close()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The counts of the types of which anything was read: new, changed, same, deleted. */
export const countsOf = ({ tallies }: Imported): Record<string, [number, number, number, number]> =>
  Object.fromEntries(
    tallies
      .filter(({ read, deleted }) => read > 0 || deleted > 0)
      .map(({ type, created, updated, unchanged, deleted }) => [type, [created, updated, unchanged, deleted]]),
  );

/** The cases of a kind that were reported, over all types. */
export const toldOf = ({ tallies }: Imported, kind: Kind): (Case & { type: string })[] =>
  tallies.flatMap(({ type, told }) => told[kind].cases.map((one) => ({ type, ...one })));

/** An object as lists show it. */
export const shown = (id: number, more: Dict = {}): Dict => ({ id, display: `no. ${id}`, ...more });
/** A reference to an object, as it is shown inside another one. */
export const brief = (id: number): Dict => ({ id, url: `{base}/${id}/`, display: `no. ${id}` });

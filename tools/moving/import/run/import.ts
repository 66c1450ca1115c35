import type { Catalogue } from '@cadastre/model';
import type { Ids } from '../mapping/ids.ts';
import type { Source } from '../sources/source.ts';
import type { State } from '../state/state.ts';
import type { Target } from '../target.ts';

/** What is imported, from where, to where, and how. */
export interface Import {
  catalogue: Catalogue;
  source: Source;
  target: Target;
  /** Opens the folder with the state of the import; `counts` by type are those of the source. */
  stateFor(counts: Record<string, number>): State;
  /** The objects that have other ids at the target. */
  ids: Ids;
  /** Whether objects may get other ids where theirs are taken. */
  mapIds: boolean;
  dryRun: boolean;
  /** Whether most objects of a type may be deleted because the source no longer has them. */
  deleteMany: boolean;
  /** Whether change records and journals are imported, too. */
  history: boolean;
  /** How many lists are read at the same time. */
  parallel: number;
  progress: { begin(type: string, of: number): void; at(type: string, done: number): void; end(type: string): void };
}

import type { WriteEngine } from '../../write/context/engine.ts';
import { type Chunk, rowsAt, snapshotOf, type Wanted } from './snapshot.ts';

/** The services that own what is kept here. @throws when one cannot be reached */
export interface Owners {
  /** Everything that the owner has of some types, as `snapshotOf` says. */
  snapshot(owner: string, wanted: readonly Wanted[], signal?: AbortSignal): AsyncIterable<Chunk>;
  /** Objects as they are now; a JSON array without those that are not there. */
  rowsAt(owner: string, wanted: Wanted, ids: readonly number[]): Promise<string>;
}

/** The same, where a service asks itself as it asks others. */
export const ownersOf = (engine: WriteEngine, others: Owners): Owners => ({
  snapshot: (owner, wanted, signal) =>
    owner === engine.tables.service ? snapshotOf(engine, wanted) : others.snapshot(owner, wanted, signal),
  rowsAt: (owner, wanted, ids) =>
    owner === engine.tables.service ? rowsAt(engine, wanted, ids) : others.rowsAt(owner, wanted, ids),
});

import type { ReadEngine } from '../read/engine.ts';
import type { Executor } from '../db/sql.ts';
import { lockShared } from '../db/locks.ts';
import { keepReplicas } from './replicas.ts';
import { missingMutual } from './part.ts';

/**
 * Fetches objects of a type that is kept in part, with those that they point at, because something of this service's
 * points at them, or will by the end of the transaction. Their owner is asked under the locks by which followers know
 * that somebody begins to refer to them.
 * @throws Unreachable
 */
export async function fetchObjects(
  engine: ReadEngine,
  type: string,
  ids: readonly number[],
  executor: Executor,
): Promise<void> {
  const { tables, catalogue, peers } = engine;
  const columns = [...tables.replicas.get(type)!];
  for (let wanted = [...ids]; wanted.length; ) {
    await lockShared(executor, type, wanted);
    const rows = await peers.rows(catalogue.serviceOf(type)!, type, columns, wanted);
    await keepReplicas(
      tables,
      type,
      rows.map((row) => JSON.stringify(row)),
      executor,
    );
    wanted = await missingMutual(
      tables,
      type,
      rows.map(({ id }) => id),
      executor,
    );
  }
}

/**
 * Does the same for the objects that newly kept ones point at; of types that are kept as a whole nothing can be
 * missing.
 */
export async function fetchMissingMutual(
  engine: ReadEngine,
  type: string,
  ids: readonly number[],
  executor: Executor,
): Promise<void> {
  const missing = await missingMutual(engine.tables, type, ids, executor);
  if (missing.length) await fetchObjects(engine, type, missing, executor);
}

import { invalidating, typeId } from '@cadastre/model';
import { type Executor, rowsOf } from '../db/sql.ts';
import type { Tables } from '../db/tables.ts';
import { noteFetched } from '../peers/fetched.ts';
import { upsertRows, replicaTableOf } from './replicaTable.ts';

/**
 * Puts rows of another service's objects, as JSON texts, into their replica, where they are newer than what is there.
 * One statement.
 */
export async function keepReplicas(
  tables: Tables,
  type: string,
  rows: readonly string[],
  executor: Executor,
): Promise<void> {
  if (rows.length) await upsertRows(replicaTableOf(tables, type), `[${rows.join()}]`, executor, 'newer');
}

/** Removes deleted objects from their replica. One statement. */
export async function dropReplicas(tables: Tables, type: string, ids: number[], executor: Executor): Promise<void> {
  if (!ids.length) return;
  noteFetched(executor);
  await rowsOf(executor, {
    text: `with gone as (delete from ${tables.nameOf(type)} where id = any($1::bigint[]) returning id) ${invalidating(`select ${typeId(type)}, id from gone`)}`,
    values: [ids],
  });
}

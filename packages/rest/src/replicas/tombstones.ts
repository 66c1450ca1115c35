import { none, typeId } from '@cadastre/model';
import { type Executor, rowsOf } from '../db/sql.ts';
import { columnsOf, type TypedIds } from '../core/typedIds.ts';

/**
 * Objects of others that this service has seen deleted. An id is never given twice, so whatever still mentions one of
 * them (an event that comes late or again, a row that its owner read just before) is outdated, and must not bring it
 * back.
 */
export async function addTombstones(objects: readonly TypedIds[], executor: Executor): Promise<void> {
  const [types, ids] = columnsOf(objects);
  if (ids.length)
    await rowsOf(executor, {
      text: 'insert into replica_tombstone (type, id) select distinct type, id from unnest($1::int[], $2::bigint[]) as g (type, id) order by 1, 2 on conflict (type, id) do update set at = excluded.at',
      values: [types, ids],
    });
}

/** That an object has not been seen deleted. */
export const hasNoTombstone = (type: string | number, id: string): string =>
  none(`replica_tombstone d where d.type = ${type} and d.id = ${id}`);

/** A note that an object was deleted, and when the note was made. */
export interface Tombstone {
  id: number;
  at: string;
}

/** Which of some objects were seen deleted. */
export async function tombstonesAmong(type: string, ids: readonly number[], executor: Executor): Promise<Tombstone[]> {
  const rows = await rowsOf(executor, {
    text: 'select id, at::text from replica_tombstone where type = $1 and id = any($2::bigint[])',
    values: [typeId(type), ids],
  });
  return rows.map(([id, at]) => ({ id: Number(id), at: at! }));
}

/**
 * Removes notes, unless they were made anew meanwhile: the owner has the objects after all, for example because it was
 * restored from a backup.
 */
export async function removeTombstones(type: string, notes: readonly Tombstone[], executor: Executor): Promise<void> {
  if (!notes.length) return;
  await rowsOf(executor, {
    text: 'delete from replica_tombstone d using rows from (unnest($2::bigint[]), unnest($3::timestamptz[])) as n (id, at) where d.type = $1 and d.id = n.id and d.at = n.at',
    values: [typeId(type), notes.map(({ id }) => id), notes.map(({ at }) => at)],
  });
}

/** Forgets deletions that are so old that nothing about their objects can arrive any more. */
export async function trimTombstones(executor: Executor, days: number): Promise<void> {
  await rowsOf(executor, {
    text: 'delete from replica_tombstone where at < now() - make_interval(days => $1)',
    values: [days],
  });
}

import { type Model, none, typeId } from '@cadastre/model';
import { type Executor, plainArray, rowsOf } from '../../db/sql.ts';
import type { Tables } from '../../db/tables.ts';
import { IMPORTED } from './schema.ts';

/** Those of the ids that were imported. */
export async function importedAmong(model: Model, ids: readonly number[], executor: Executor): Promise<Set<number>> {
  const rows = await rowsOf(executor, {
    text: `select id from ${IMPORTED} where type = $1 and id = any($2::bigint[])`,
    values: [typeId(model.name), plainArray([...ids])],
  });
  return new Set(rows.map(([id]) => Number(id)));
}

export async function noteImported(model: Model, ids: readonly number[], executor: Executor): Promise<void> {
  if (ids.length)
    await rowsOf(executor, {
      text: `insert into ${IMPORTED} (type, id) select $1, id from unnest($2::bigint[]) id on conflict do nothing`,
      values: [typeId(model.name), plainArray([...ids])],
    });
}

/** The objects of a type above an id, in order, and whether they were imported. */
export async function originsOf(
  tables: Tables,
  model: Model,
  after: number,
  limit: number,
  executor: Executor,
): Promise<{ id: number; imported: boolean }[]> {
  const rows = await rowsOf(executor, {
    text: `select t.id, not ${none(`${IMPORTED} i where i.type = $1 and i.id = t.id`)} from ${tables.nameOf(model.name)} t where t.id > $2 order by t.id limit $3`,
    values: [typeId(model.name), after, limit],
  });
  return rows.map(([id, imported]) => ({ id: Number(id), imported: imported === 't' || imported === 'true' }));
}

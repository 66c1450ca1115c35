import { invalidating, typeId } from '@cadastre/model';
import { type Executor, rowsOf } from '../../db/sql.ts';
import { columnsOf, type TypedIds } from '../../core/typedIds.ts';

/** Tells other processes that objects of a type may have changed. */
export async function invalidateType(type: string, executor: Executor): Promise<void> {
  await rowsOf(executor, { text: 'insert into cache_invalidation (type, id) values ($1, 0)', values: [typeId(type)] });
}

/** Tells other processes that objects have changed. One statement. */
export async function invalidateObjects(objects: readonly TypedIds[], executor: Executor): Promise<void> {
  const [types, ids] = columnsOf(objects);
  if (ids.length)
    await rowsOf(executor, {
      text: invalidating('select type, id from unnest($1::int[], $2::bigint[]) as t (type, id)'),
      values: [types, ids],
    });
}

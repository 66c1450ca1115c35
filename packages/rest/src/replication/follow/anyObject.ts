import { members, invalidating, typeId } from '@cadastre/model';
import { type ChangeEvent, isDerived } from '@cadastre/events';
import type { WriteEngine } from '../../write/context/engine.ts';
import { type Executor, rowsOf } from '../../db/sql.ts';
import { pointable } from '../../replicas/definition.ts';
import { type AnyObject, storeAnyObjects } from '../../replicas/anyObjects.ts';
import { byType, columnsOf, type TypedIds } from '../../core/typedIds.ts';
import { pipelined } from '../../db/transaction.ts';
import { invalidateObjects } from './invalidate.ts';

/**
 * Keeps the brief form of every object that can be pointed at, for relations to any model. One statement for all that
 * changed; deletions are handled elsewhere. Objects that are not kept are invalidated all the same, as others may show
 * something of them.
 */
export async function keepAnyObjects(
  { catalogue }: WriteEngine,
  events: readonly ChangeEvent[],
  executor: Executor,
): Promise<void> {
  const known = events.filter((event) => catalogue.has(event.objectType));
  const isKept = (event: ChangeEvent) => pointable(catalogue.get(event.objectType));
  const rows = known
    .filter((event) => event.action !== 'deleted' && event.data && isKept(event))
    .map((event): AnyObject => {
      const data = event.data!;
      return {
        type: typeId(event.objectType),
        id: event.objectId,
        version: event.version,
        display: event.display,
        brief: Object.fromEntries(
          members(catalogue.get(event.objectType), 'brief')
            .filter((name) => name in data)
            .map((name) => [name, data[name]]),
        ),
        tags: (event.row?.['tags'] ?? []) as number[],
      };
    });
  const told = byType(
    known
      .filter((event) => !isKept(event) || isDerived(event))
      .map(({ objectType: type, objectId: id }) => ({ type, id })),
  );
  await pipelined([storeAnyObjects(rows, executor), invalidateObjects(told, executor)]);
}

/** Removes deleted objects from those that can be pointed at. One statement. */
export async function dropAnyObjects(objects: readonly TypedIds[], executor: Executor): Promise<void> {
  const [types, ids] = columnsOf(objects);
  if (!ids.length) return;
  await rowsOf(executor, {
    text: `with gone as (delete from replica.any_object t where t.type = any($1::int[]) and t.id = any($2::bigint[])
        and exists (select from unnest($1::int[], $2::bigint[]) as g(type, id) where g.type = t.type and g.id = t.id offset 0) returning t.type, t.id)
      ${invalidating('select type, id from gone')}`,
    values: [types, ids],
  });
}

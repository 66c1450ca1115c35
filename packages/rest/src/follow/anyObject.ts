import { members, touching, typeId } from '@cadastre/model';
import type { ChangeEvent } from '@cadastre/events';
import type { Engine } from '../engine.ts';
import { type Executor, rowsOf } from '../query/sql.ts';
import { pointable } from '../replicas/kept.ts';
import { type AnyObject, storeAnyObjects } from '../write/anyObjects.ts';
import { columnsOf, type OfType } from '../write/ofType.ts';

/** Keeps the brief form of every object that can be pointed at, for relations to any model. One statement for all that changed; what is deleted is forgotten elsewhere. */
export async function keepAnyObjects(engine: Engine, events: readonly ChangeEvent[], executor: Executor): Promise<void> {
  const { catalogue } = engine;
  const rows = events.filter((e) => e.action !== 'deleted' && e.data && catalogue.has(e.objectType) && pointable(catalogue.get(e.objectType))).map((event): AnyObject => {
    const data = event.data!;
    return {
      type: typeId(event.objectType), id: event.objectId, version: event.version, display: event.display,
      brief: Object.fromEntries(members(catalogue.get(event.objectType), 'brief').filter((name) => name in data).map((name) => [name, data[name]])),
      tags: (event.row?.['tags'] ?? []) as number[],
    };
  });
  await storeAnyObjects(rows, executor);
}

/** Takes objects that are gone out of those that can be pointed at. One statement. */
export async function dropAnyObjects(objects: readonly OfType[], executor: Executor): Promise<void> {
  const [types, ids] = columnsOf(objects);
  if (!ids.length) return;
  await rowsOf(executor, {
    text: `with gone as (delete from replica.any_object t using unnest($1::int[], $2::bigint[]) as g(type, id) where t.type = g.type and t.id = g.id returning t.type, t.id)
      ${touching('select type, id from gone')}`,
    values: [types, ids],
  });
}

import { members, typeId } from '@cadastre/model';
import type { ChangeEvent } from '@cadastre/events';
import type { Engine } from '../engine.ts';
import { type Executor, rowsOf } from '../query/sql.ts';

/** Keeps the brief form of every object that can be pointed at, for relations to any model. One statement for all that changed. */
export async function keepAnyObjects(engine: Engine, events: readonly ChangeEvent[], executor: Executor): Promise<void> {
  const { catalogue } = engine;
  const rows = events.filter((e) => e.action !== 'deleted' && e.data && catalogue.has(e.objectType)).map((event) => {
    const data = event.data!, model = catalogue.get(event.objectType);
    return {
      type: typeId(event.objectType), id: event.objectId, version: event.version, display: event.display,
      brief: Object.fromEntries(members(model, 'brief').filter((name) => name in data).map((name) => [name, data[name]])),
      tags: (event.row?.['tags'] ?? []) as number[],
    };
  });
  if (rows.length) {
    await rowsOf(executor, {
      text: `with kept as (
        insert into replica.any_object as t (type, id, version, display, brief, tags)
        select distinct on (r.type, r.id) r.type, r.id, r.version, r.display, r.brief, r.tags from jsonb_to_recordset($1::jsonb) as r(type integer, id bigint, version integer, display text, brief jsonb, tags bigint[]) order by r.type, r.id, r.version desc
        on conflict (type, id) do update set version = excluded.version, display = excluded.display, brief = excluded.brief, tags = excluded.tags where t.version < excluded.version
        returning type, id
      ) insert into touched (type, id) select type, id from kept`,
      values: [JSON.stringify(rows)],
    });
  }
  const gone = events.filter((e) => e.action === 'deleted');
  if (gone.length) {
    await rowsOf(executor, {
      text: `with gone as (delete from replica.any_object t using unnest($1::int[], $2::bigint[]) as g(type, id) where t.type = g.type and t.id = g.id returning t.type, t.id)
        insert into touched (type, id) select type, id from gone`,
      values: [gone.map((e) => typeId(e.objectType)), gone.map((e) => e.objectId)],
    });
  }
}

import type { ChangeEvent } from '@cadastre/events';
import { type Catalogue, lookedUp, invalidating, typeId } from '@cadastre/model';
import { type Executor, rowsOf } from '@cadastre/rest';
import { tag } from './models/tag.ts';
import { taggedItem } from './models/taggedItem.ts';

/**
 * Brings the list of tagged objects in line with what `any_object` says of changed objects, for tags that still exist:
 * an object may not have followed the deletion of a tag yet. One statement; may be repeated. `offset` keeps PostgreSQL
 * from reading whole tables for a few objects.
 */
export async function followTags(
  catalogue: Catalogue,
  events: readonly (Pick<ChangeEvent, 'objectType' | 'objectId'> & Partial<Pick<ChangeEvent, 'action' | 'row'>>)[],
  executor: Executor,
): Promise<void> {
  const changed = events.filter(
    (event) =>
      catalogue.has(event.objectType) && catalogue.get(event.objectType).features.has('tags') && !isBornWithout(event),
  );
  if (!changed.length) return;
  const { table } = taggedItem;
  await rowsOf(executor, {
    text: `with changed as (select distinct type, type_id, id from unnest($1::text[], $2::int[], $3::bigint[]) as c (type, type_id, id)),
      carried as (select c.type, c.id, g.tag from changed c ${lookedUp('select tags from replica.any_object o where o.type = c.type_id and o.id = c.id')} o, unnest(o.tags) as g (tag)
        where exists (select 1 from ${tag.table} t where t.id = g.tag)),
      listed as (select i.* from changed c ${lookedUp(`select t.id, t.object_type, t.object_id, t.tag_id from ${table} t where t.object_type = c.type and t.object_id = c.id`)} i),
      gone as (
        delete from ${table} t where t.id = any(array(
          select i.id from listed i where not exists (select 1 from carried w where w.type = i.object_type and w.id = i.object_id and w.tag = i.tag_id)
        )) returning t.id
      ),
      added as (insert into ${table} (object_type, object_id, tag_id) select type, id, tag from carried order by type, id, tag on conflict do nothing returning id)
      ${invalidating(`select ${typeId(taggedItem.name)}, id from gone union all select ${typeId(taggedItem.name)}, id from added`)}`,
    values: [
      changed.map((e) => e.objectType),
      changed.map((e) => typeId(e.objectType)),
      changed.map((e) => e.objectId),
    ],
  });
}

/** A new object without tags is not on the list; tags that it has got since come with another event. */
const isBornWithout = ({ action, row }: Partial<Pick<ChangeEvent, 'action' | 'row'>>): boolean =>
  action === 'created' && Array.isArray(row?.['tags']) && row['tags'].length === 0;

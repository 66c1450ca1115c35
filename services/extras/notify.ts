import { type ChangeEvent, isDerived } from '@cadastre/events';
import { type Catalogue, typeId } from '@cadastre/model';
import { type Executor, rowsOf } from '@cadastre/rest';
import { notification } from './models/notification.ts';
import { subscription } from './models/subscription.ts';

/** Tells subscribers that their objects have changed: each has one notification for an object, the latest. One statement. */
export async function notifySubscribers(catalogue: Catalogue, events: readonly ChangeEvent[], executor: Executor): Promise<void> {
  const told = events.filter((event) => event.action === 'updated' && !isDerived(event) && catalogue.has(event.objectType) && catalogue.get(event.objectType).features.has('notifications'));
  if (!told.length) return;
  await rowsOf(executor, {
    text: `with changed as (select type, id, max(time) as time from unnest($1::text[], $2::bigint[], $3::timestamptz[]) as c (type, id, time) group by type, id),
      made as (
        insert into ${notification.table} as n (object_type, object_id, user_id, created, event_type)
        select c.type, c.id, s.user_id, c.time, 'object_updated' from changed c join ${subscription.table} s on s.object_type = c.type and s.object_id = c.id and s.created < c.time
        on conflict (object_type, object_id, user_id) do update set created = excluded.created, read = null, event_type = excluded.event_type, _version = n._version + 1
        where n.created < excluded.created returning n.id
      ) insert into touched (type, id) select ${typeId(notification.name)}, id from made`,
    values: [told.map((e) => e.objectType), told.map((e) => e.objectId), told.map((e) => e.time)],
  });
}

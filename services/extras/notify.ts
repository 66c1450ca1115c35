import { type ChangeEvent, isDerived } from '@cadastre/events';
import { type Catalogue, touching, typeId } from '@cadastre/model';
import { type Executor, rowsOf } from '@cadastre/rest';
import { noticeOf } from '../webhooks/models/notice.ts';
import { notification } from './models/notification.ts';
import { notificationGroup } from './models/notificationGroup.ts';
import { subscription } from './models/subscription.ts';

// Each user has one notification for an object, the latest: what comes late or again changes nothing. `found` gives user, object, time, event and name.
const tell = (found: string): string => `with found (user_id, type, id, time, event, display) as (${found}),
  made as (
    insert into ${notification.table} as n (object_type, object_id, user_id, created, event_type, object_repr)
    select distinct on (type, id, user_id) type, id, user_id, time, event, left(display, 200) from found order by type, id, user_id, time desc
    on conflict (object_type, object_id, user_id) do update
      set created = excluded.created, read = null, event_type = excluded.event_type, object_repr = excluded.object_repr, _version = n._version + 1
    where n.created < excluded.created returning n.id
  ) ${touching(`select ${typeId(notification.name)}, id from made`)}`;

const told = (columns: string): string => `unnest($1::text[], $2::bigint[], $3::timestamptz[], $4::text[], $5::text[]${columns && ', $6::bigint[]'}) as c (type, id, time, event, display${columns})`;

const subscribers = tell(`select s.user_id, c.type, c.id, c.time, c.event, c.display from ${told('')}
  join ${subscription.table} s on s.object_type = c.type and s.object_id = c.id and s.created < c.time`);

const members = tell(`select u.id, c.type, c.id, c.time, c.event, c.display from ${told(', group_id')}
  join ${notificationGroup.table} g on g.id = c.group_id join replica.users_user u on u.id = any(g.users) or u.groups && g.groups`);

/** Tells subscribers that their objects have changed. One statement. */
export async function notifySubscribers(catalogue: Catalogue, events: readonly ChangeEvent[], executor: Executor): Promise<void> {
  const seen = events.filter((event) => event.action === 'updated' && !isDerived(event) && catalogue.has(event.objectType) && catalogue.get(event.objectType).features.has('notifications'));
  if (!seen.length) return;
  await rowsOf(executor, { text: subscribers, values: [seen.map((e) => e.objectType), seen.map((e) => e.objectId), seen.map((e) => e.time), seen.map(() => 'object_updated'), seen.map((e) => e.display)] });
}

/** Tells groups of users what event rules want them told. One statement. */
export async function notifyGroups(events: readonly ChangeEvent[], executor: Executor): Promise<void> {
  const notices = events.flatMap((event) => { const notice = noticeOf(event); return notice ? [{ ...notice, time: event.time }] : []; });
  if (!notices.length) return;
  await rowsOf(executor, {
    text: members,
    values: [notices.map((n) => n.objectType), notices.map((n) => n.objectId), notices.map((n) => n.time), notices.map((n) => n.eventType), notices.map((n) => n.display), notices.map((n) => n.group)],
  });
}

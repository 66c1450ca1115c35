import { type ChangeEvent, isTold } from '@cadastre/events';
import { type Catalogue, type Cell, invalidating, typeId } from '@cadastre/model';
import { type Executor, rowsOf } from '@cadastre/rest';
import type { Viewers } from '@cadastre/service/models';
import { noticeOf } from '../webhooks/models/notice.ts';
import { notification } from './models/personal/notification.ts';
import { notificationGroup } from './models/personal/notificationGroup.ts';
import { subscription } from './models/personal/subscription.ts';

// Each user has one notification for an object, about its latest change: an event that comes late or again changes
// nothing. `found` has user, object, time, event and name.
const told = `with found (user_id, type, id, time, event, display) as (select * from unnest($1::bigint[], $2::text[], $3::bigint[], $4::timestamptz[], $5::text[], $6::text[])),
  made as (
    insert into ${notification.table} as n (object_type, object_id, user_id, created, event_type, object_repr)
    select distinct on (type, id, user_id) type, id, user_id, time, event, left(display, 200) from found order by type, id, user_id, time desc
    on conflict (object_type, object_id, user_id) do update
      set created = excluded.created, read = null, event_type = excluded.event_type, object_repr = excluded.object_repr, _version = n._version + 1
    where n.created < excluded.created returning n.id
  ) ${invalidating(`select ${typeId(notification.name)}, id from made`)}`;

/** What happened to an object, for a notification. */
interface Told {
  type: string;
  id: number;
  time: string;
  event: string;
  display: string;
}

const subscribers = `select s.user_id, c.n from unnest($1::text[], $2::bigint[], $3::timestamptz[]) with ordinality as c (type, id, time, n)
  join ${subscription.table} s on s.object_type = c.type and s.object_id = c.id and s.created < c.time`;

const members = `select u.id, c.n from unnest($1::bigint[]) with ordinality as c (group_id, n)
  join ${notificationGroup.table} g on g.id = c.group_id join replica.users_user u on u.id = any(g.users) or u.groups && g.groups`;

/**
 * Notifies subscribers of changes of their objects, if they may view these: one statement to find the users, and one to
 * write the notifications.
 */
export async function notifySubscribers(
  catalogue: Catalogue,
  events: readonly ChangeEvent[],
  executor: Executor,
  viewers: Viewers,
): Promise<void> {
  const seen = events.filter(
    (event) =>
      event.action === 'updated' &&
      isTold(event) &&
      catalogue.has(event.objectType) &&
      catalogue.get(event.objectType).features.has('notifications'),
  );
  if (!seen.length) return;
  const found = await rowsOf(executor, {
    text: subscribers,
    values: [seen.map((e) => e.objectType), seen.map((e) => e.objectId), seen.map((e) => e.time)],
  });
  await notify(
    found,
    seen.map((e) => ({
      type: e.objectType,
      id: e.objectId,
      time: e.time,
      event: 'object_updated',
      display: e.display,
    })),
    executor,
    viewers,
  );
}

const one =
  'select u.id, c.n from unnest($1::bigint[]) with ordinality as c (user_id, n) join replica.users_user u on u.id = c.user_id';

/** Writes the notifications that other services have asked for, for users and groups, if they may view the object. */
export async function notifyUsers(events: readonly ChangeEvent[], executor: Executor, viewers: Viewers): Promise<void> {
  const notices = events.flatMap((event) => {
    const notice = noticeOf(event);
    return notice ? [{ ...notice, time: event.time }] : [];
  });
  for (const [text, whom] of [
    [members, 'group'],
    [one, 'user'],
  ] as const) {
    const those = notices.filter((notice) => notice[whom] !== undefined);
    if (!those.length) continue;
    const found = await rowsOf(executor, { text, values: [those.map((n) => n[whom])] });
    await notify(
      found,
      those.map((n) => ({ type: n.objectType, id: n.objectId, time: n.time, event: n.eventType, display: n.display })),
      executor,
      viewers,
    );
  }
}

/**
 * `found`: pairs of a user and the position in `all` (from 1) of what the user is notified about. Users who may not
 * view the object are not notified.
 */
async function notify(
  found: readonly Cell[][],
  all: readonly Told[],
  executor: Executor,
  viewers: Viewers,
): Promise<void> {
  const pairs = found.map(([user, n]) => ({ user: Number(user), what: all[Number(n) - 1]! }));
  if (!pairs.length) return;
  const hides = await viewers(
    new Map([...Map.groupBy(pairs, ({ user }) => user)].map(([user, of]) => [user, of.map(({ what }) => what)])),
  );
  const heard = pairs.filter(({ user, what }) => !hides(user)(what.type, what.id));
  if (!heard.length) return;
  const column = <T>(of: (what: Told) => T): T[] => heard.map(({ what }) => of(what));
  await rowsOf(executor, {
    text: told,
    values: [
      heard.map(({ user }) => user),
      column((w) => w.type),
      column((w) => w.id),
      column((w) => w.time),
      column((w) => w.event),
      column((w) => w.display),
    ],
  });
}

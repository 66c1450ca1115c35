import { type ChangeEvent, partText } from '@cadastre/events';
import { type Catalogue, none, invalidating, typeId, typeLabel } from '@cadastre/model';
import { type Executor, isRecorded, rowsOf } from '@cadastre/rest';
import { objectChange } from './models/objectChange.ts';

const ACTIONS = { created: 'create', updated: 'update', deleted: 'delete' } as const;

/** The number of records that one statement changes. */
const BATCH = 5_000;

/** Removes references to deleted users from the change records, in portions. */
export async function forgetUsers(ids: readonly number[], executor: Executor): Promise<void> {
  for (let changed = BATCH; ids.length && changed === BATCH; ) {
    const rows = await rowsOf(executor, {
      text: `with freed as (update ${objectChange.table} t set user_id = null from (select id from ${objectChange.table} where user_id = any($1::bigint[]) order by id limit ${BATCH} for update) c where t.id = c.id returning t.id),
        told as (${invalidating(`select ${typeId(objectChange.name)}, id from freed`)}) select count(*) from freed`,
      values: [ids],
    });
    changed = Number(rows[0]![0]);
  }
}

// Steps from user to user along the index, however many records each has. A user whose number is above all that are
// known is a new one.
const LOST = `with recursive named as (
    (select user_id as id from ${objectChange.table} where user_id is not null order by user_id limit 1)
    union all select (select t.user_id from ${objectChange.table} t where t.user_id > n.id order by t.user_id limit 1) from named n where n.id is not null
  ) select n.id from named n where not exists (select from replica.users_user u where u.id = n.id) and n.id < (select max(id) from replica.users_user)`;

/**
 * The same for users who were deleted before events of their last changes arrived here: events of different services
 * come in any order.
 */
export async function forgetLostUsers(executor: Executor): Promise<void> {
  await forgetUsers(
    (await rowsOf(executor, { text: LOST, values: [] })).map(([id]) => Number(id)),
    executor,
  );
}

/** Stores the change records of events, each once, by one statement. */
export async function recordChanges(
  catalogue: Catalogue,
  events: readonly ChangeEvent[],
  executor: Executor,
): Promise<void> {
  const rows = events
    .filter((event) => isRecorded(catalogue, event))
    .map(
      (event) =>
        `${JSON.stringify({
          event_id: event.id,
          time: event.time,
          user_id: event.request?.userId ?? null,
          user_name: event.request?.user ?? '',
          request_id: event.request?.id ?? event.id,
          action: ACTIONS[event.action],
          changed_object_type: event.objectType,
          changed_object_id: event.objectId,
          object_repr: event.display.slice(0, 200),
          message: event.message.slice(0, 200),
          related_object_type: event.related?.type ?? null,
          related_object_id: event.related?.id ?? null,
          changed_object_label: typeLabel(catalogue.get(event.objectType)),
        }).slice(
          0,
          -1,
        )},"prechange_data":${partText(event, 'prechange')},"postchange_data":${event.action === 'deleted' ? 'null' : partText(event, 'postchange')}}`,
    );
  if (!rows.length) return;
  const columns =
    'event_id uuid, time timestamptz, user_id bigint, user_name text, request_id uuid, action text, changed_object_type text, changed_object_id bigint, object_repr text, message text, prechange_data jsonb, postchange_data jsonb, related_object_type text, related_object_id bigint, changed_object_label text';
  const names = columns
    .split(', ')
    .map((c) => c.split(' ')[0])
    .join(', ');
  await rowsOf(executor, {
    text: `with added as (
      insert into ${objectChange.table} (${names}) select ${names} from jsonb_to_recordset($1::jsonb) as r(${columns}) order by r.event_id on conflict (event_id) do nothing returning id
    ) ${invalidating(`select ${typeId(objectChange.name)}, id from added`)}`,
    values: [`[${rows.join()}]`],
  });
}

// What is parked is not lost either: it waits until it is replayed.
const UNRECORDED = `select e.id from unnest($1::uuid[]) as e (id) where ${none(`${objectChange.table} t where t.event_id = e.id`)}
  and not exists (select from parked_message p where p.headers::jsonb ->> 'event-id' = e.id::text)`;

/** The ids of those events that have no change record. */
export async function unrecorded(ids: readonly string[], executor: Executor): Promise<string[]> {
  return (await rowsOf(executor, { text: UNRECORDED, values: [ids] })).map(([id]) => id!);
}

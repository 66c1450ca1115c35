import type { ChangeEvent } from '@cadastre/events';
import { isDerived } from '@cadastre/events';
import { type Catalogue, typeId, typeLabel } from '@cadastre/model';
import { type Executor, rowsOf } from '@cadastre/rest';
import { objectChange } from './models/objectChange.ts';

const ACTIONS = { created: 'create', updated: 'update', deleted: 'delete' } as const;

/** Whether a change is worth a record: of a kind of object that keeps them, and one that changed something. */
export function isRecorded(catalogue: Catalogue, event: ChangeEvent): boolean {
  if (isDerived(event) || !catalogue.has(event.objectType) || !catalogue.get(event.objectType).features.has('changeLogging')) return false;
  return event.action !== 'updated' || JSON.stringify(event.prechange) !== JSON.stringify(event.postchange);
}

/** Stores the change records of events, each once, by one statement. */
export async function recordChanges(catalogue: Catalogue, events: readonly ChangeEvent[], executor: Executor): Promise<void> {
  const rows = events.filter((event) => isRecorded(catalogue, event)).map((event) => ({
    event_id: event.id, time: event.time, user_id: event.request?.userId ?? null, user_name: event.request?.user ?? '',
    request_id: event.request?.id ?? event.id, action: ACTIONS[event.action],
    changed_object_type: event.objectType, changed_object_id: event.objectId, object_repr: event.display.slice(0, 200), message: event.message.slice(0, 200),
    prechange_data: event.prechange, postchange_data: event.action === 'deleted' ? null : event.postchange,
    related_object_type: event.related?.type ?? null, related_object_id: event.related?.id ?? null,
    changed_object_label: typeLabel(catalogue.get(event.objectType)),
  }));
  if (!rows.length) return;
  const columns = 'event_id uuid, time timestamptz, user_id bigint, user_name text, request_id uuid, action text, changed_object_type text, changed_object_id bigint, object_repr text, message text, prechange_data jsonb, postchange_data jsonb, related_object_type text, related_object_id bigint, changed_object_label text';
  const names = columns.split(', ').map((c) => c.split(' ')[0]).join(', ');
  await rowsOf(executor, {
    text: `with added as (
      insert into ${objectChange.table} (${names}) select ${names} from jsonb_to_recordset($1::jsonb) as r(${columns}) order by r.event_id on conflict (event_id) do nothing returning id
    ) insert into touched (type, id) select ${typeId(objectChange.name)}, id from added`,
    values: [JSON.stringify(rows)],
  });
}

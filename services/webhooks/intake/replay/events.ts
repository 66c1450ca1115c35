import type { ChangeEvent, JsonObject } from '@cadastre/events';
import type { ObjectSnapshot } from '@cadastre/rest';
import type { ChangeRecord } from '../../../extras/models/changesApi.ts';

const ACTIONS = { create: 'created', update: 'updated', delete: 'deleted' } as const;

/**
 * The event that a change record was made from, as far as the record tells. A record holds the object as it was before
 * and after the change, but not its representation then: `data` is that of the object as it is now, or its last
 * snapshot where it is gone.
 */
export function eventOf(record: ChangeRecord, now: ObjectSnapshot | undefined): ChangeEvent {
  const prechange = JSON.parse(record.prechange) as JsonObject | null;
  const postchange = JSON.parse(record.postchange) as JsonObject | null;
  return {
    id: record.event_id,
    time: record.time,
    action: ACTIONS[record.action],
    objectType: record.type,
    objectId: record.object_id,
    version: now?.version ?? 0,
    display: record.display,
    message: record.message,
    request:
      record.request_id === record.event_id
        ? null
        : { id: record.request_id, method: '', path: '', user: record.user || null, userId: null },
    data:
      now && record.action !== 'delete'
        ? (JSON.parse(now.data) as JsonObject)
        : { id: record.object_id, display: record.display, ...(postchange ?? prechange) },
    prechange,
    postchange,
    row: null,
    related: null,
  };
}

/** Records by type, with the ids of the objects that still have something to show. */
export const objectsIn = (records: readonly ChangeRecord[]): Map<string, number[]> =>
  new Map(
    [
      ...Map.groupBy(
        records.filter(({ action }) => action !== 'delete'),
        ({ type }) => type,
      ),
    ].map(([type, own]) => [type, [...new Set(own.map(({ object_id }) => object_id))]]),
  );

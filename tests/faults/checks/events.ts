import { type ChangeEvent, isDerived } from '@cadastre/events';
import { isDeepStrictEqual } from 'node:util';
import { type Complaint, eventsByObject, rowsOf, type World } from './world.ts';

/** The events of each object tell its whole life: its versions without a gap, and in the end what its row contains. */
export function checkEvents(world: World): Complaint[] {
  return [...eventsByObject(world)].flatMap(([key, events]) => {
    const complaints: Complaint[] = [];
    const last = events.at(-1)!;
    const row = rowsOf(world, last.objectType).get(last.objectId);
    events.forEach((event, i) => {
      const before = events[i - 1];
      if (event.action === 'created' && before) complaints.push(`${key} was created again at version ${event.version}`);
      if (before?.action === 'deleted') complaints.push(`${key} was ${event.action} after it had been deleted`);
      else if (before && event.version !== before.version + 1)
        complaints.push(`${key} has version ${event.version} after ${before.version}`);
      if (
        before &&
        !isDerived(before) &&
        !isDerived(event) &&
        event.prechange &&
        before.postchange &&
        !sameSnapshot(before.postchange, event.prechange)
      ) {
        complaints.push(
          `${key} was not before version ${event.version} what it was after ${before.version}: ${differing(before.postchange, event.prechange)}`,
        );
      }
    });
    if (last.action === 'deleted' ? row : !row)
      complaints.push(`${key} is ${row ? 'there' : 'not there'} although it was ${last.action} last`);
    else if (row && row._version !== last.version)
      complaints.push(`${key} has version ${row._version}, and its last event ${last.version}`);
    return complaints;
  });
}

/** Custom fields and tags change with their definitions, without a change of the object. */
const OUTSIDE = new Set(['custom_fields', 'tags']);

const differingNames = (a: Snapshot, b: Snapshot): string[] =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(
    (name) => !OUTSIDE.has(name) && !isDeepStrictEqual(a[name], b[name]),
  );
type Snapshot = NonNullable<ChangeEvent['prechange']>;
const sameSnapshot = (a: Snapshot, b: Snapshot): boolean => differingNames(a, b).length === 0;
const differing = (a: Snapshot, b: Snapshot): string =>
  differingNames(a, b)
    .map((name) => `${name} ${JSON.stringify(a[name])}, then ${JSON.stringify(b[name])}`)
    .join(', ');

/** Whether an event is worth a change record: of a kind of object that keeps them, and one that changed something. */
function isWorthRecord(world: World, event: ChangeEvent): boolean {
  if (isDerived(event) || !world.catalogue.get(event.objectType).features.has('changeLogging')) return false;
  return event.action !== 'updated' || !isDeepStrictEqual(event.prechange, event.postchange);
}

const ACTIONS = { created: 'create', updated: 'update', deleted: 'delete' } as const;

/** There is one change record for each change, and none for anything else. */
export function checkRecords(world: World): Complaint[] {
  const complaints: Complaint[] = [];
  const records = Map.groupBy(rowsOf(world, 'core.objectchange').values(), (row) => String(row['event_id']));
  for (const event of [...world.events.values()].flat()) {
    const found = records.get(event.id) ?? [];
    const key = `${event.objectType}:${event.objectId}`;
    records.delete(event.id);
    if (found.length !== (isWorthRecord(world, event) ? 1 : 0))
      complaints.push(`${found.length} change records of version ${event.version} of ${key} (${event.action})`);
    for (const row of found) {
      const expected = {
        action: ACTIONS[event.action],
        changed_object_type: event.objectType,
        changed_object_id: event.objectId,
        message: event.message,
        user_name: event.request?.user ?? '',
        request_id: event.request?.id ?? event.id,
        prechange_data: event.prechange,
        postchange_data: event.action === 'deleted' ? null : event.postchange,
      };
      const wrong = Object.entries(expected)
        .filter(([name, value]) => !isDeepStrictEqual(row[name], value))
        .map(([name]) => name);
      if (wrong.length)
        complaints.push(
          `the change record of version ${event.version} of ${key} differs from the change in ${wrong.join(', ')}`,
        );
    }
  }
  for (const [id, rows] of records)
    complaints.push(`${rows.length} change records of event ${id}, which no service has`);
  return complaints;
}

import { isDerived } from '@cadastre/events';
import { type Complaint, rowsOf, type World } from './world.ts';

const OBJECT = (type: unknown, id: unknown, request: unknown): string =>
  `${String(type)}:${String(id)} in request ${String(request)}`;

/**
 * Each change that matches the rule is recorded as one delivery, which succeeded and which the receiver got. Changes of
 * one object in one request may be one delivery together.
 */
export function checkDeliveries(world: World): Complaint[] {
  const { rule } = world;
  const complaints: Complaint[] = [];
  const deliveries = [...rowsOf(world, 'extras.webhookdelivery').values()].filter((row) => row['rule_id'] === rule.id);
  const recorded = Map.groupBy(deliveries, (row) => OBJECT(row['object_type'], row['object_id'], row['request_id']));
  const received = new Set(
    world.received.map((message) => OBJECT(message.object_type, message.data?.id, message.request?.id ?? null)),
  );
  const due = Map.groupBy(
    [...world.events.values()].flat().filter((event) => rule.types.includes(event.objectType) && !isDerived(event)),
    (event) => OBJECT(event.objectType, event.objectId, event.request?.id ?? null),
  );
  for (const [key, events] of due) {
    const rows = recorded.get(key) ?? [];
    if (rows.length < 1 || rows.length > events.length)
      complaints.push(`${rows.length} deliveries are recorded for ${events.length} changes of ${key}`);
    if (!received.has(key)) complaints.push(`the receiver did not get ${key}`);
  }
  for (const [key, rows] of recorded)
    if (!due.has(key)) complaints.push(`${rows.length} deliveries are recorded for ${key}, which did not change`);
  const seen = new Set<unknown>();
  for (const row of deliveries) {
    if (seen.has(row['event_id']))
      complaints.push(`event ${String(row['event_id'])} is recorded as a delivery more than once`);
    seen.add(row['event_id']);
    if (row['status'] !== 'succeeded')
      complaints.push(`the delivery ${row.id} is ${String(row['status'])}: ${String(row['error'])}`);
  }
  return complaints;
}

import { type Action, type ChangeEvent, isTold, madeAt, plain } from '@cadastre/events';

/** What the changes of one object in one request have in common; undefined for changes without a request. */
export const occasionOf = ({ request, objectType, objectId }: ChangeEvent): string | undefined =>
  request ? `${request.id} ${objectType} ${objectId}` : undefined;

/**
 * Merges several changes of one object in one request into one event: with the first state before, the last state
 * after, the place of the first, and the rules as of the earliest. Changes without a request stay as they are; changes
 * that are only derived or imported are dropped.
 */
export function coalesce(events: readonly ChangeEvent[]): ChangeEvent[] {
  const merged = new Map<string, ChangeEvent>();
  for (const event of events) {
    if (!isTold(event)) continue;
    const key = occasionOf(event) ?? event.id;
    const first = merged.get(key);
    merged.set(key, first ? merge(first, event) : event);
  }
  return [...merged.values()];
}

/** Merges a change and a later one, under the id of the first. */
export function merge(first: ChangeEvent, last: ChangeEvent): ChangeEvent {
  // A repeated event, as the log may deliver one twice.
  if (first.id === last.id) return first;
  return {
    ...plain(last),
    id: first.id,
    action: action(first.action, last.action),
    prechange: first.prechange,
    consequence: first.consequence || last.consequence,
    asOf: [madeAt(first), madeAt(last)].sort()[0],
  };
}

/** An object that was created and then changed counts as created; one that was deleted in the end, as deleted. */
const action = (first: Action, last: Action): Action => (first === 'created' && last === 'updated' ? 'created' : last);

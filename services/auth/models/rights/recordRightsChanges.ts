import type { Effect, Json, Stored, Values } from '@cadastre/model';
import { valuesOf, type SecurityEvent } from './securityEvent.ts';
import { SECURITY_EVENT, type SecurityKind } from './securityKinds.ts';

/** Fields of a model that determine rights, by the kind of event that records their change. */
type Watched = Partial<Record<SecurityKind, readonly string[]>>;

const same = (a: Json | undefined, b: Json | undefined): boolean => JSON.stringify(a) === JSON.stringify(b);

/** What a change did to the watched fields, in words; empty if they did not change. */
function deedOf({ before, after }: Stored, fields: readonly string[]): string {
  if (before === null) return 'created';
  if (after === null) return 'deleted';
  const changed = fields.filter((name) => !same(before[name], after[name]));
  return changed.length ? `changed: ${changed.join(', ')}` : '';
}

/**
 * Changes of rights are recorded in the transaction that makes them, without values, which are in the change records.
 */
export const recordRightsChanges =
  (type: string, watched: Watched, nameOf: (object: Values) => string): Effect =>
  async (changes, { requester, create, service }) => {
    const events = changes.flatMap((change): SecurityEvent[] =>
      (Object.entries(watched) as [SecurityKind, readonly string[]][]).flatMap(([kind, fields], place) => {
        const deed = deedOf(change, fields);
        // Creating or deleting an object is one event, whatever it holds.
        if (!deed || (place > 0 && (change.before === null || change.after === null))) return [];
        const object = (change.after ?? change.before)!;
        return [
          {
            kind,
            ok: true,
            user: { id: requester.userId, name: requester.username ?? '' },
            address: requester.origin?.address ?? '',
            detail: `${type.split('.')[1]} ${nameOf(object)} ${deed}`,
            about: { type, id: object['id'] as number },
            requestId: requester.origin?.request ?? null,
          },
        ];
      }),
    );
    if (!events.length) return;
    await create(SECURITY_EVENT, events.map(valuesOf));
    service<SecurityLog>('securityLog').told(events);
  };

/** What the service provides under the name `securityLog`. */
export interface SecurityLog {
  /** Writes lines of the log for events that the pipeline stores. */
  told(events: readonly SecurityEvent[]): void;
}

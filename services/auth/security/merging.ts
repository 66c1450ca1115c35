import type { SecurityEvent } from '../models/rights/securityEvent.ts';

const MINUTE_MS = 60_000;
/** How long events are gathered that are written together. */
const GATHER_MS = 50;

export interface MergingOptions {
  /** Of all kinds together. */
  perMinute: number;
  write(events: readonly SecurityEvent[]): Promise<unknown>;
  /** Called with what could not be written; it is not tried again. */
  failed(error: unknown): void;
  gatherMs?: number;
}

export interface Merging {
  note(event: SecurityEvent): void;
  close(): Promise<void>;
}

/** What makes events alike: everything but when, and by which request. */
const likeness = ({ requestId: _, count: __, at: ___, ...rest }: SecurityEvent): string => JSON.stringify(rest);

/**
 * Writes the first event of a kind, user and address at once; those like it that follow within the minute become one
 * more with their number when the minute is over. Somebody who has everything refused all the time cannot fill the disk:
 * a minute has so many at most, and what was left out is said by a number.
 */
export function merging({ perMinute, write, failed, gatherMs = GATHER_MS }: MergingOptions): Merging {
  /** By likeness: the last such event, and how many came after the first. */
  let minute = new Map<string, { event: SecurityEvent; more: number }>();
  let dropped = 0;
  let ready: SecurityEvent[] = [];
  let soon: NodeJS.Timeout | undefined;
  let later: NodeJS.Timeout | undefined;
  let writing: Promise<unknown> = Promise.resolve();

  function flush(): Promise<unknown> {
    clearTimeout(soon);
    soon = undefined;
    const taken = ready;
    ready = [];
    writing = writing.then(() => (taken.length ? write(taken) : undefined)).catch(failed);
    return writing;
  }

  function put(events: readonly SecurityEvent[]): void {
    ready.push(...events);
    if (ready.length) soon ??= setTimeout(() => void flush(), gatherMs);
  }

  function endMinute(): void {
    clearTimeout(later);
    later = undefined;
    const over = [...minute.values()].filter(({ more }) => more > 0);
    const counted = over.map(({ event, more }): SecurityEvent => ({ ...event, requestId: null, count: more }));
    const lost: SecurityEvent[] = dropped
      ? [
          {
            kind: 'events_dropped',
            ok: false,
            user: { id: null, name: '' },
            address: '',
            detail: `More than ${perMinute} security events within a minute: these were not written.`,
            count: dropped,
          },
        ]
      : [];
    minute = new Map();
    dropped = 0;
    put([...counted, ...lost]);
  }

  return {
    note(given) {
      // It is written later, perhaps behind what happens meanwhile.
      const event = { at: new Date(), ...given };
      later ??= setTimeout(endMinute, MINUTE_MS).unref();
      const key = likeness(event);
      const known = minute.get(key);
      if (known) {
        known.more += event.count ?? 1;
        known.event = event;
      } else if (minute.size < perMinute) {
        minute.set(key, { event, more: 0 });
        put([event]);
      } else dropped += event.count ?? 1;
    },
    async close() {
      endMinute();
      await flush();
    },
  };
}

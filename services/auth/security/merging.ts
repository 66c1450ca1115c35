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
 * Writes the first event of a kind, user and address at once; equal events within the minute are written as one, with
 * their number, when the minute is over. Somebody who keeps being refused cannot fill the disk: only so many events are
 * written in a minute, and then the number of those left out.
 */
export function merging({ perMinute, write, failed, gatherMs = GATHER_MS }: MergingOptions): Merging {
  /** The last event of each group of equal ones, and how many followed the first. */
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
      // The time is set here, as the event may be written later than others that follow.
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

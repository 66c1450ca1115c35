import type { Pool } from 'pg';
import { type EventLog, topicOf, untilPublished } from '@cadastre/events';
import { shared } from '@cadastre/rest';
import { setTimeout as sleep } from 'node:timers/promises';

export interface CatchUpOptions {
  /** This service, and the group by which it follows. */
  name: string;
  group: string;
  /** The services that it follows. */
  services: readonly string[];
  events: Pick<EventLog, 'mark'>;
  pool: Pool;
  /** Asks another service to say when it has published what it had committed. */
  published(service: string, withinMs: number): Promise<void>;
  withinMs: number;
  /** Is told why somebody was answered without having waited for all. */
  onLate(reason: unknown): void;
}

/** How often it looks how far this service is, in milliseconds. */
const EVERY_MS = 10;

/**
 * Waits until this service has followed what all services had committed by then, as far as they are there and the time allows. Each is asked
 * whether everything of its outbox is in the log, and the log whether this service has handled all that is in it. Where nothing is on its way that
 * is one call to each, one statement in each, and one in the log, for all who wait at the same time.
 */
export function catchUp({ name, group, services, events, pool, published, withinMs, onLate }: CatchUpOptions): () => Promise<void> {
  const topics = services.map(topicOf);
  const run = shared(async () => {
    const signal = AbortSignal.timeout(withinMs);
    const publishing = services.map((service) => (service === name ? untilPublished(pool, signal) : published(service, withinMs)));
    for (const result of await Promise.allSettled(publishing)) if (result.status === 'rejected') onLate(result.reason);
    for (const handled = await events.mark(group, topics); !await handled(); await sleep(EVERY_MS)) if (signal.aborted) return onLate(new Error(`not within ${withinMs} ms`));
  });
  if (!withinMs) return () => Promise.resolve();
  return async () => {
    const late = new AbortController();
    // Whoever comes while others wait is in the next group, and yet waits no longer than that.
    const soon = sleep(withinMs, undefined, { signal: late.signal }).catch(() => undefined);
    await Promise.race([run().catch(onLate), soon]);
    late.abort();
  };
}

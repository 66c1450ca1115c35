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
  pool: Pick<Pool, 'query'>;
  /** Asks another service to say when it has published what it had committed. */
  published(service: string, withinMs: number): Promise<void>;
  withinMs: number;
  /** Is told why somebody was answered without having waited for all. */
  onLate(reason: unknown): void;
}

/** How often it looks how far this service is, in milliseconds. */
const EVERY_MS = 10;

/**
 * Waits until this service has followed what services had committed by then, as far as they are there and the time
 * allows. Each is asked whether everything of its outbox is in the log, and the log whether this service has handled
 * all that is in it. Where nothing is on its way that is one call to each, one statement in each, and one in the log.
 * Says whether it was all.
 */
export async function followAll({
  name,
  group,
  services,
  events,
  pool,
  published,
  withinMs,
  onLate,
}: CatchUpOptions): Promise<boolean> {
  const signal = AbortSignal.timeout(withinMs);
  let all = true;
  const publishing = services.map((service) =>
    service === name ? untilPublished(pool, signal) : published(service, withinMs),
  );
  for (const result of await Promise.allSettled(publishing))
    if (result.status === 'rejected') {
      onLate(result.reason);
      all = false;
    }
  for (const handled = await events.mark(group, services.map(topicOf)); !(await handled()); await sleep(EVERY_MS)) {
    if (signal.aborted) {
      onLate(new Error(`not within ${withinMs} ms`));
      return false;
    }
  }
  return all;
}

/** The same for many who wait: those who come at the same time share one run. */
export function catchUp(options: CatchUpOptions): () => Promise<void> {
  const { withinMs, onLate } = options;
  const run = shared(() => followAll(options));
  if (!withinMs) return () => Promise.resolve();
  // Whoever comes while others wait is in the next group, and yet waits no longer than that.
  return async () => {
    await within(run().catch(onLate), withinMs);
  };
}

/** What work says, or undefined when it takes longer than that many milliseconds. */
export async function within<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  // A timer that a signal ends makes two errors, with their stacks.
  const timer = setTimeout(late.resolve, ms, undefined);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

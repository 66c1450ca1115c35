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
  /** Asks another service to answer once it has published everything that it had committed. */
  published(service: string, withinMs: number): Promise<void>;
  withinMs: number;
  /** Called with the reason when a caller was answered without having waited for all services. */
  onLate(reason: unknown): void;
}

/** How often it checks how far this service is, in milliseconds. */
const EVERY_MS = 10;

/**
 * Waits until this service has followed everything that the given services have committed before the call, as far as
 * they are reachable and the time allows. Each service is asked whether its whole outbox is in the log, and the log
 * whether this service has handled everything in it. If nothing is under way, that takes one call to each service, one
 * statement in each, and one in the log. Returns whether everything was followed.
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

/** The same for concurrent callers: those that call at the same time share one run. */
export function catchUp(options: CatchUpOptions): () => Promise<void> {
  const { withinMs, onLate } = options;
  const run = shared(() => followAll(options));
  if (!withinMs) return () => Promise.resolve();
  // A call that comes during a run waits for the next one, and yet for no longer than `withinMs`.
  return async () => {
    await within(run().catch(onLate), withinMs);
  };
}

/** What the work returns, or undefined if it takes longer than that many milliseconds. */
export async function within<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  // A timer that is cancelled by a signal would create two errors, with their stacks.
  const timer = setTimeout(late.resolve, ms, undefined);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

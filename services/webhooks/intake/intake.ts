import type { ChangeEvent } from '@cadastre/events';
import { occasionOf } from './coalesce.ts';
import { enqueue, type EnqueueOptions } from './enqueue.ts';
import { hold, putOff, release } from './hold.ts';

export interface IntakeOptions extends EnqueueOptions {
  /** How long changes are held that may have more of the same request coming. */
  holdMs: number;
  /** Deliveries were put into the queue. */
  wake(): void;
  onError(error: unknown): void;
}

/** Takes events in. */
export interface Intake {
  /** Resolves when the events are stored, so that none can be lost. */
  take(events: readonly ChangeEvent[]): Promise<void>;
  stop(): Promise<void>;
}

// How often to look for events that were held by a process that died.
const pollMs = 5_000;
const maxAtOnce = 500;

/** Puts what changes cause into the queue: at once, or when all of a request can have come. */
export function startIntake({ holdMs, wake, onError, ...options }: IntakeOptions): Intake {
  const timers = new Set<NodeJS.Timeout>();
  let releasing: Promise<void> | null = null;
  let stopped = false;

  // An event that cannot be handled fails its whole batch, so after a failure events are handled one by one.
  const run = async (): Promise<void> => {
    let atMost = maxAtOnce;
    let added = 0;
    while (!stopped) {
      try {
        if (
          (await release(options.pool, atMost, async (events, client) => {
            added = await enqueue(events, options, client);
          })) === 0
        )
          return;
        if (added > 0) wake();
      } catch (error) {
        onError(error);
        if (atMost === 1) await putOff(options.pool);
        atMost = 1;
      }
    }
  };
  const flush = (): void => {
    releasing ??= run()
      .catch(onError)
      .finally(() => {
        releasing = null;
      });
  };
  const flushIn = (ms: number): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      flush();
    }, ms);
    timers.add(timer);
  };

  const poll = setInterval(flush, pollMs);
  flush();
  return {
    async take(events) {
      const many = new Set(events.filter((event) => event.consequence).map(occasionOf));
      many.delete(undefined);
      const [held, rest] = [
        events.filter((event) => many.has(occasionOf(event))),
        events.filter((event) => !many.has(occasionOf(event))),
      ];
      if (held.length > 0) {
        await hold(options.pool, held, holdMs);
        flushIn(holdMs + 10);
      }
      if ((await enqueue(rest, options)) > 0) wake();
    },
    async stop() {
      stopped = true;
      clearInterval(poll);
      for (const timer of timers) clearTimeout(timer);
      await releasing;
    },
  };
}

import { Unreachable } from '@cadastre/rest';
import { type Counted, type Counting, countReplay } from './count.ts';
import { failNext, type ReplayOptions, replayNext } from './run.ts';

/** Replays, as they are asked for. */
export interface Replayer {
  /** One may be waiting. */
  wake(): void;
  /** What a replay would do, without doing it. */
  count(wanted: Counting): Promise<Counted>;
  stop(): Promise<void>;
}

// The first interval is for replays that wait for their deliveries to be sent, or whose process died; the second, while
// there are none, is for replays that were requested in another process.
const pollMs = 1_000;
const restMs = 10_000;
const unfinished = `select exists (select from webhook_replay where status in ('pending', 'running')) as is`;

/** Goes through replays, one portion after the other. */
export function startReplayer(options: ReplayOptions & { onError(error: unknown, doing: string): void }): Replayer {
  let running: Promise<void> | null = null;
  let stopped = false;
  let restUntil = 0;
  const run = async (): Promise<void> => {
    try {
      while (!stopped && (await replayNext(options)));
      const { rows } = await options.pool.query<{ is: boolean }>(unfinished);
      restUntil = rows[0]?.is ? 0 : performance.now() + restMs;
    } catch (error) {
      options.onError(error, 'replay');
      // A service that cannot be reached now may be reachable later; any other failure would happen again.
      if (!passes(error))
        await failNext(options.pool, (error as Error).message).catch((failed: unknown) =>
          options.onError(failed, 'replay'),
        );
    }
  };
  const wake = (): void => {
    if (!stopped)
      running ??= run().finally(() => {
        running = null;
      });
  };
  const poll = setInterval(() => {
    if (performance.now() >= restUntil) wake();
  }, pollMs);
  return {
    wake,
    count: (wanted) => countReplay(options, wanted),
    async stop() {
      stopped = true;
      clearInterval(poll);
      await running;
    },
  };
}

/** Whether a failure is that of a connection, here or at a neighbour. */
const passes = (error: unknown): boolean =>
  error instanceof Unreachable || /^(08|57P|53|40)|^E[A-Z]+$/.test((error as { code?: string }).code ?? '');

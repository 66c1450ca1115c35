import type { Pool } from 'pg';
import type { Attempt } from './attempt.ts';
import { type Claimed, claim, giveBack, renew, sweep } from './claim.ts';
import { type Finished, finish } from './finish.ts';
import { listen } from './listen.ts';

export interface WorkersOptions {
  pool: Pool;
  attempt: Attempt;
  concurrency: number;
  perDestination: number;
  leaseMs: number;
  /** After how many attempts a delivery whose workers go away is given up. */
  maxAttempts: number;
  shutdownMs: number;
  onError(error: unknown, doing: string): void;
}

/** The deliveries of this process. */
export interface Workers {
  /** Something may be waiting. */
  wake(): void;
  /** Takes no more, lets what is under way end for a while, puts the rest back. */
  stop(): Promise<void>;
}

// For deliveries that are scheduled for later, and should a notification get lost.
const pollMs = 1_000;
const pauseAfterErrorMs = 500;

/** Takes deliveries from the queue and attempts them, many at a time, as fast as receivers and limits allow. */
export function startWorkers({ pool, attempt, concurrency, perDestination, leaseMs, maxAttempts, shutdownMs, onError }: WorkersOptions): Workers {
  const underWay = new Map<number, Claimed>();
  const busy = new Map<string, number>();
  const done: Finished[] = [];
  let stopping = false;
  let wanted = false;
  let filling: Promise<void> | null = null;
  let recording: Promise<void> | null = null;

  const wake = (): void => {
    wanted = true;
    if (!stopping) filling ??= fill().finally(() => { filling = null; });
  };

  const fill = async (): Promise<void> => {
    while (wanted && !stopping && underWay.size < concurrency) {
      wanted = false;
      try {
        const limit = concurrency - underWay.size;
        const claimed = await claim(pool, { limit, perDestination, busy, leaseMs });
        for (const delivery of claimed) begin(delivery);
        if (claimed.length === limit) wanted = true;
      } catch (error) {
        onError(error, 'claim');
        await new Promise((resolve) => { setTimeout(resolve, pauseAfterErrorMs); });
        wanted = true;
      }
    }
  };

  const begin = (delivery: Claimed): void => {
    underWay.set(delivery.id, delivery);
    busy.set(delivery.destination, (busy.get(delivery.destination) ?? 0) + 1);
    void attempt(delivery).then((finished) => {
      if (!underWay.has(delivery.id)) return;
      done.push(finished);
      record();
    });
  };

  // One statement at a time; what ends meanwhile goes into the next. The more there is to do, the larger the batches.
  const record = (): void => {
    recording ??= (async () => {
      while (done.length > 0) {
        const batch = done.splice(0, 500);
        try {
          await finish(pool, batch);
          for (const { delivery } of batch) end(delivery);
          wake();
        } catch (error) {
          onError(error, 'record');
          done.unshift(...batch);
          await new Promise((resolve) => { setTimeout(resolve, pauseAfterErrorMs); });
        }
      }
    })().finally(() => { recording = null; });
  };

  const end = (delivery: Claimed): void => {
    if (!underWay.delete(delivery.id)) return;
    const rest = (busy.get(delivery.destination) ?? 1) - 1;
    if (rest > 0) busy.set(delivery.destination, rest);
    else busy.delete(delivery.destination);
  };

  const keep = async (): Promise<void> => {
    try {
      await renew(pool, [...underWay.keys()], leaseMs);
      if (await sweep(pool, maxAttempts) > 0) wake();
    } catch (error) {
      onError(error, 'lease');
    }
  };

  const listener = listen(pool, wake, (error) => onError(error, 'listen'));
  const poll = setInterval(wake, pollMs);
  const lease = setInterval(() => void keep(), leaseMs / 3);
  void keep();

  return {
    wake,
    async stop() {
      stopping = true;
      clearInterval(poll);
      clearInterval(lease);
      await listener.stop();
      await filling;
      const deadline = performance.now() + shutdownMs;
      while (underWay.size > 0 && performance.now() < deadline) await new Promise((resolve) => { setTimeout(resolve, 10); });
      const rest = [...underWay.keys()].filter((id) => !done.some(({ delivery }) => delivery.id === id));
      underWay.clear();
      await Promise.race([recording, new Promise((resolve) => { setTimeout(resolve, 1_000).unref(); })]);
      await giveBack(pool, rest, maxAttempts).catch((error: unknown) => onError(error, 'give back'));
    },
  };
}

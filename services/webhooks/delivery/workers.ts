import type { Connection } from '@cadastre/events';
import type { Pool } from 'pg';
import type { Attempt } from './attempt.ts';
import { type Claimed, claim, giveBack, renew, sweep } from '../queue/claim.ts';
import { nextDue } from '../queue/due.ts';
import { type Finished, finish } from '../queue/finish.ts';
import { listen } from '../queue/listen.ts';
import type { Registry } from '../rules/registry.ts';
import type { RuleVersions } from '../rules/rules.ts';

export interface WorkersOptions {
  pool: Pool;
  /** To the same database, to listen on. */
  connection: Connection;
  registry: Registry;
  attempt: Attempt;
  /** What this process is called, in deliveries and in the list of workers. */
  worker: string;
  concurrency: number;
  perDestination: number;
  ratePerSecond: number;
  ordered: boolean;
  leaseMs: number;
  /** The number of attempts in a row that may be lost with their workers before a delivery is given up. */
  maxTries: number;
  maxBody: number;
  shutdownMs: number;
  /** Called after every attempt that has ended. */
  onFinished?(finished: Finished): void;
  /** Says from time to time that this process is alive, and how many attempts it has under way. */
  beat?(running: number): Promise<void>;
  onError(error: unknown, doing: string): void;
}

/** The deliveries of this process. */
export interface Workers {
  /** Something may be waiting. */
  wake(): void;
  /** Takes no more, lets what is under way end for a while, puts the rest back. */
  stop(): Promise<void>;
}

// How often to look while due deliveries are held back by the limits of their destination; more often when its rate is
// the reason.
const pollMs = 1_000;
const ratedPollMs = 100;
// How often to look while nothing is due: another process may have put something back for later, and died.
const restMs = 10_000;
const pauseAfterErrorMs = 500;
const gatherMs = 4;
const maxUnrecorded = 500;
// One in this many places of the process is kept for destinations that have nothing under way.
const reservedShare = 4;
const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** Takes deliveries from the queue and attempts them, many at a time, as fast as receivers and limits allow. */
export function startWorkers(options: WorkersOptions): Workers {
  const { pool, registry, attempt, worker, concurrency, leaseMs, maxTries, maxBody, shutdownMs, onError } = options;
  const reserve = Math.floor(concurrency / reservedShare);
  // Deliveries that are taken but not yet recorded; those whose attempt has not ended count against the limit of the
  // process.
  const held = new Map<number, { delivery: Claimed; stop: AbortController }>();
  const done: Finished[] = [];
  let underWay = 0;
  let stopping = false;
  let wanted = false;
  let filling: Promise<void> | null = null;
  let recording: Promise<void> | null = null;
  // Until this time there is no need to look for deliveries, unless the process is woken.
  let restUntil = 0;

  const wake = (): void => {
    wanted = true;
    if (!stopping)
      filling ??= fill().finally(() => {
        filling = null;
      });
  };

  const fill = async (): Promise<void> => {
    while (wanted && !stopping && underWay < concurrency && done.length < maxUnrecorded) {
      // While there is work, a moment's patience makes one statement of several; the first delivery after a pause does
      // not wait.
      if (underWay > 0) await pause(gatherMs);
      wanted = false;
      try {
        const limit = concurrency - underWay;
        const [claimed, rules] = await Promise.all([claim(pool, { ...options, limit, reserve }), registry.current()]);
        // The rules were read in parallel, and may be older than the deliveries that were taken.
        const old = claimed.some(({ webhookVersion: version }) => version !== null && !rules.version(version));
        const history = old ? await registry.current() : rules;
        for (const delivery of claimed) begin(delivery, history);
        // There may be more: each destination only gives its share, not all of its deliveries.
        if (claimed.length > 0) wanted = true;
        else restUntil = performance.now() + Math.min((await nextDue(pool)) ?? restMs, restMs);
      } catch (error) {
        onError(error, 'claim');
        await pause(pauseAfterErrorMs);
        wanted = true;
      }
    }
  };

  const begin = (delivery: Claimed, history: RuleVersions): void => {
    const stop = new AbortController();
    held.set(delivery.id, { delivery, stop });
    underWay += 1;
    void attempt(delivery, history, stop.signal).then((finished) => {
      underWay -= 1;
      options.onFinished?.(finished);
      if (held.get(delivery.id)?.delivery !== delivery) return;
      done.push(finished);
      record();
      wake();
    });
  };

  // One statement at a time; outcomes that arrive meanwhile go into the next. The higher the load, the larger the
  // batches.
  const record = (): void => {
    recording ??= (async () => {
      while (done.length > 0) {
        if (underWay > 0) await pause(gatherMs);
        const batch = done.splice(0, maxUnrecorded);
        try {
          await finish(pool, batch, { worker, maxBody });
          for (const { delivery } of batch) if (held.get(delivery.id)?.delivery === delivery) held.delete(delivery.id);
          wake();
        } catch (error) {
          onError(error, 'record');
          done.unshift(...batch);
          await pause(pauseAfterErrorMs);
        }
      }
    })().finally(() => {
      recording = null;
    });
  };

  const keep = async (): Promise<void> => {
    try {
      await renew(pool, [...held.keys()], leaseMs, worker);
      await options.beat?.(underWay);
      if ((await sweep(pool, maxTries)) > 0) wake();
    } catch (error) {
      onError(error, 'lease');
    }
  };

  const stopListening = listen(
    options.connection,
    { woken: wake, stopped: (id) => held.get(id)?.stop.abort() },
    (error) => onError(error, 'listen'),
  );
  const poll = setInterval(
    () => {
      if (performance.now() >= restUntil) wake();
    },
    options.ratePerSecond > 0 ? ratedPollMs : pollMs,
  );
  const lease = setInterval(() => void keep(), leaseMs / 3);
  void keep();

  return {
    wake,
    async stop() {
      stopping = true;
      clearInterval(poll);
      clearInterval(lease);
      await stopListening();
      await filling;
      const deadline = performance.now() + shutdownMs;
      while (underWay > 0 && performance.now() < deadline) await pause(10);
      await Promise.race([recording, pause(1_000)]);
      // Deliveries that have no recorded outcome by now are put back.
      const rest = [...held.keys()];
      held.clear();
      await giveBack(pool, rest, maxTries, worker).catch((error: unknown) => onError(error, 'give back'));
    },
  };
}

import type { Pool, PoolClient } from 'pg';
import {
  type Due,
  dueReplicas,
  type Engine,
  fillReplicas,
  noteFailed,
  noteFilled,
  type Owners,
  ownersOf,
  type OnReplicated,
} from '@cadastre/rest';
import { isUnreachable } from '../grpc/client.ts';
import type { Log } from '../observe/log.ts';

export interface ReplicaMaintainerOptions {
  engine: Engine;
  owners: Owners;
  log: Log;
  /** What else the service does with the objects that come with a fill. */
  told?: OnReplicated | undefined;
  /**
   * How often to check without having been woken whether a replica has to be filled, in milliseconds. Default: 300,000.
   */
  poll?: number;
  /** Filling begins when this resolves. Default: at once. */
  after?: Promise<unknown> | undefined;
  /** The first pause after a failure; doubled each time up to 30 seconds. Default: 500. */
  firstDelay?: number;
}

export interface ReplicaMaintainer {
  /** Looks now. */
  wake(): void;
  stop(): Promise<void>;
}

/** For this long after its start, in seconds, a service logs only for debugging that it cannot reach others. */
const QUIET_AFTER_START_S = 300;
/** The longest pause after a failure. */
const LONGEST_MS = 30_000;

/**
 * Fills the replicas that need it: new ones, those that are to hold more than they were filled with, and those whose
 * fill was requested. One process of the service does this. An owner that cannot be reached is asked again later, and
 * does not delay the others.
 */
export function startReplicaMaintainer({
  engine,
  owners,
  log,
  told,
  poll = 300_000,
  after,
  firstDelay = 500,
}: ReplicaMaintainerOptions): ReplicaMaintainer {
  const stopping = new AbortController();
  const every = ownersOf(engine, owners);
  const pool = engine.pool;
  let waiting = Promise.withResolvers<void>();
  const wake = () => waiting.resolve();
  const pause = async (ms: number): Promise<void> => {
    const timer = setTimeout(wake, ms);
    await waiting.promise;
    clearTimeout(timer);
    if (!stopping.signal.aborted) waiting = Promise.withResolvers<void>();
  };

  /** Fills the replicas of one owner's objects; returns whether all were filled. */
  const fillFrom = async (owner: string, due: readonly Due[]): Promise<boolean> => {
    const left = new Map(due.map((one) => [one.kept.type, one]));
    try {
      await fillReplicas(
        engine,
        every,
        owner,
        due.map(({ kept }) => kept),
        {
          told,
          signal: stopping.signal,
          async filled({ type }, result) {
            await noteFilled(engine.tables, left.get(type)!, result, pool);
            const { reason } = left.get(type)!;
            left.delete(type);
            if (result.stuck)
              log.error(
                { type, ...result },
                'a replica holds objects that their owner has no longer, as something protects them here',
              );
            // Fills that nobody has requested are logged for debugging only: at a first start these are all the types
            // that there are.
            else log[reason === 'asked' ? 'info' : 'debug']({ type, reason, ...result }, 'a replica was filled');
          },
        },
      );
      if (left.size) throw new Error(`${owner} did not say everything`);
      return true;
    } catch (error) {
      if (stopping.signal.aborted) return true;
      const reason = error instanceof Error ? error.message : String(error);
      const about = { owner, types: left.size };
      // Services that start together find each other after a while.
      if (isUnreachable(error))
        log[process.uptime() > QUIET_AFTER_START_S ? 'info' : 'debug'](
          { ...about, reason },
          'the owner of replicas is not reachable; trying again',
        );
      else log.warn({ ...about, err: error }, 'replicas could not be filled; trying again');
      await noteFailed([...left.keys()], reason, pool);
      return false;
    }
  };

  const round = async (): Promise<boolean> => {
    if (!(await dueReplicas(engine.tables, pool)).length) return true;
    return underLock(pool, async () => {
      // Determined anew each time: another process may have just filled the replica, and more fills may be requested
      // meanwhile.
      for (let complete = true; complete && !stopping.signal.aborted; ) {
        const due = await dueReplicas(engine.tables, pool);
        if (!due.length) return true;
        for (const [owner, group] of Map.groupBy(due, ({ kept }) => kept.owner))
          complete = !stopping.signal.aborted && (await fillFrom(owner, group)) && complete;
      }
      return false;
    });
  };

  const running = (async () => {
    await Promise.race([after, aborted(stopping.signal)]);
    for (let failures = 0; !stopping.signal.aborted; ) {
      const complete = await round().catch((error: unknown) => {
        if (!stopping.signal.aborted) log.warn({ err: error }, 'replicas could not be looked after; trying again');
        return false;
      });
      failures = complete ? 0 : failures + 1;
      if (!stopping.signal.aborted)
        await pause(complete ? poll : Math.min(firstDelay * 2 ** (failures - 1), LONGEST_MS));
    }
  })();
  return {
    wake,
    stop: async () => {
      stopping.abort();
      wake();
      await running;
    },
  };
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

const LOCK = `hashtextextended('cadastre replicas', 0)`;

/**
 * Runs work unless another process of the service is doing it; then it returns false, so that this is checked again
 * soon.
 */
async function underLock(pool: Pool, work: () => Promise<boolean>): Promise<boolean> {
  const client: PoolClient = await pool.connect();
  let broken: Error | undefined;
  const lost = (error: Error) => {
    broken = error;
  };
  client.on('error', lost);
  try {
    const {
      rows: [got],
    } = await client.query<{ got: boolean }>(`select pg_try_advisory_lock(${LOCK}) as got`);
    if (!got?.got) return false;
    try {
      return await work();
    } finally {
      await client.query(`select pg_advisory_unlock(${LOCK})`).catch(lost);
    }
  } finally {
    client.off('error', lost);
    client.release(broken);
  }
}

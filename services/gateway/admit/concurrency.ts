/** Who takes a place: a user, or the address of a client without a login. */
export type Client = number | string;

export interface ConcurrencyLimiterOptions {
  /** How many one client may have at once. */
  each: number;
  /** How many more of a client's requests may wait for one, and for how long. */
  queue: number;
  waitMs: number;
}

/**
 * Places for each client: one that has taken as many as it may have waits for one of its own to become free, and for
 * no other client's.
 */
export interface ConcurrencyLimiter {
  /**
   * True at once where there is one, which is nearly always; else a promise of whether there was one in time. A place that
   * was taken must be released.
   */
  acquire(client: Client): boolean | Promise<boolean>;
  release(client: Client): void;
}

interface Held {
  count: number;
  waiting: Set<(taken: boolean) => void> | undefined;
}

export function concurrencyLimiter({ each, queue, waitMs }: ConcurrencyLimiterOptions): ConcurrencyLimiter {
  const held = new Map<Client, Held>();

  function wait(one: Held): boolean | Promise<boolean> {
    one.waiting ??= new Set();
    if (one.waiting.size >= queue || waitMs === 0) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const late = setTimeout(() => turn(false), waitMs).unref();
    const turn = (taken: boolean) => {
      clearTimeout(late);
      one.waiting!.delete(turn);
      resolve(taken);
    };
    one.waiting.add(turn);
    return promise;
  }

  return {
    acquire(client) {
      const one = held.get(client);
      if (one === undefined) {
        held.set(client, { count: 1, waiting: undefined });
        return true;
      }
      if (one.count >= each) return wait(one);
      one.count++;
      return true;
    },
    release(client) {
      const one = held.get(client);
      if (one === undefined) return;
      // A place that somebody waits for stays taken.
      const [next] = one.waiting ?? [];
      if (next) next(true);
      else if (--one.count === 0) held.delete(client);
    },
  };
}

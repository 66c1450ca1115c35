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
 * Places for concurrent requests of each client. A client that has taken all of its places waits for one of these,
 * whatever other clients do.
 */
export interface ConcurrencyLimiter {
  /**
   * True at once if there is a free place, as nearly always; otherwise a promise of whether one became free in time. A
   * place must be released after use.
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
      // The place passes to the request that has waited for it.
      const [next] = one.waiting ?? [];
      if (next) next(true);
      else if (--one.count === 0) held.delete(client);
    },
  };
}

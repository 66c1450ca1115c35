/** There are no more places to wait in; it may be tried again. */
export class Busy extends Error {
  override readonly name = 'Busy';
}

export interface Places {
  /** Does the work when it is its turn. @throws Busy at once when too many wait already, from everywhere or from the same place */
  use<T>(whose: string, work: () => Promise<T>): Promise<T>;
}

export interface PlacesOptions {
  /** How much is under way at the same time. */
  atOnce: number;
  /** How many wait for that at most, */
  waiting: number;
  /** and how many of these for one and the same. */
  waitingEach: number;
}

/** Lets a few things happen at a time. Those who wait take turns, so that somebody who asks often is not served more often than who asks once. */
export function places({ atOnce, waiting, waitingEach }: PlacesOptions): Places {
  const queues = new Map<string, (() => void)[]>();
  let busy = 0, queued = 0;

  function next(): void {
    const [first] = queues;
    if (!first) { busy -= 1; return; }
    const [whose, queue] = first, begin = queue.shift()!;
    queues.delete(whose);
    if (queue.length) queues.set(whose, queue);
    queued -= 1;
    begin();
  }

  function turn(whose: string): Promise<void> | undefined {
    if (busy < atOnce) { busy += 1; return undefined; }
    const queue = queues.get(whose) ?? [];
    if (queued >= waiting || queue.length >= waitingEach) throw new Busy('too many wait already');
    queued += 1;
    return new Promise((begin) => { queues.set(whose, [...queue, begin]); });
  }

  return {
    async use(whose, work) {
      await turn(whose);
      try { return await work(); } finally { next(); }
    },
  };
}

import { setImmediate as endOfTurn } from 'node:timers/promises';

export interface BatcherOptions {
  /**
   * For how long a batch gathers. `turn` (default): until this turn of the event loop ends; whatever has arrived by then
   * has yet to be read, all of it. `microtask`: until the code that runs now has ended.
   */
  gathers?: 'turn' | 'microtask';
  /** Batches under way at the same time; the next gathers until one of them has ended. Default: any number. */
  concurrency?: number;
  /** So many belong to a batch at most. Default: any number. */
  maxSize?: number;
  /** No batch waits for the end of others for longer than this, in milliseconds. Default: however long it takes. */
  maxWaitMs?: number;
}

/** Does all of a batch; results in its order, each of which may be still to come. */
export type BatchWork<Item, Result> = (
  items: readonly Item[],
) => Promise<readonly Result[]> | readonly (Result | Promise<Result>)[];

interface Batch<Item, Result> {
  readonly items: Item[];
  readonly results: PromiseWithResolvers<Result>[];
}

/**
 * Does in one go what is asked for at the same time: all that comes while a batch gathers, be it for the end of others
 * as in a group commit. Whoever comes first has it done, in its asynchronous context. What the work throws, all of the
 * batch get.
 */
export class Batcher<Item, Result> {
  readonly #work: BatchWork<Item, Result>;
  readonly #options: BatcherOptions;
  /** The batch that gathers. */
  #open: Batch<Item, Result> | undefined;
  /** Batches under way, with those that gather for the last time. */
  #running = 0;
  /** Batches that wait for the end of another, each as the function that has it begin in the other's place. */
  readonly #waiting = new Set<() => void>();

  constructor(work: BatchWork<Item, Result>, options: BatcherOptions = {}) {
    this.#work = work;
    this.#options = options;
  }

  /** Nothing is under way, and nothing gathers. */
  get idle(): boolean {
    return !this.#running && !this.#open && !this.#waiting.size;
  }

  add(item: Item): Promise<Result> {
    const { maxSize = Infinity } = this.#options;
    const result = Promise.withResolvers<Result>();
    const open = this.#open;
    if (open && open.items.length < maxSize) {
      open.items.push(item);
      open.results.push(result);
    } else void this.#run((this.#open = { items: [item], results: [result] }));
    return result.promise;
  }

  async #run(batch: Batch<Item, Result>): Promise<void> {
    const { concurrency = Infinity, gathers = 'turn' } = this.#options;
    if (this.#running >= concurrency) await this.#endOfAnother();
    else this.#running += 1;
    if (gathers === 'turn') await endOfTurn();
    else await undefined;
    if (this.#open === batch) this.#open = undefined;
    try {
      const results = await this.#work(batch.items);
      for (const [i, { resolve }] of batch.results.entries()) resolve(results[i]!);
    } catch (error) {
      for (const { reject } of batch.results) reject(error);
    } finally {
      // The place is handed over at once: a batch that begins before the next one is awake would take it as well.
      const [next] = this.#waiting;
      if (next) next();
      else this.#running -= 1;
    }
  }

  /** Resolves when a batch has ended and left its place, or after `maxWaitMs`, with a place beyond those there are. */
  #endOfAnother(): Promise<void> {
    const { maxWaitMs } = this.#options;
    return new Promise((resolve) => {
      const go = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(go);
        resolve();
      };
      const goOverdue = (): void => {
        this.#running += 1;
        go();
      };
      const timer = maxWaitMs === undefined ? undefined : setTimeout(goOverdue, maxWaitMs);
      this.#waiting.add(go);
    });
  }
}

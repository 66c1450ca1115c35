import { setImmediate as endOfTurn } from 'node:timers/promises';

export interface BatcherOptions {
  /**
   * For how long a batch gathers. `turn` (default): until this turn of the event loop ends; whatever has arrived by then
   * has yet to be read, all of it. `microtask`: until the code that runs now has ended.
   */
  gathers?: 'turn' | 'microtask';
  /** Batches under way at the same time; the next gathers until one of them has ended. Default: any number. */
  concurrency?: number;
  /** The most items of a batch. Default: any number. */
  maxSize?: number;
  /** How long a batch waits for others to end at most, in milliseconds. Default: as long as it takes. */
  maxWaitMs?: number;
}

/** Does all items of a batch and returns the results in their order; each of them may be a promise. */
export type BatchWork<Item, Result> = (
  items: readonly Item[],
) => Promise<readonly Result[]> | readonly (Result | Promise<Result>)[];

interface Batch<Item, Result> {
  readonly items: Item[];
  readonly results: PromiseWithResolvers<Result>[];
}

/**
 * Does in one go what is requested at the same time: all items that are added while a batch gathers, possibly while it
 * waits for others to end, as in a group commit. The work runs in the asynchronous context of the first item's caller.
 * If it throws, all items of the batch fail with that error.
 */
export class Batcher<Item, Result> {
  readonly #work: BatchWork<Item, Result>;
  readonly #options: BatcherOptions;
  /** The batch that is gathering. */
  #open: Batch<Item, Result> | undefined;
  /** The number of batches that are running, or about to run at the end of this turn. */
  #running = 0;
  /** Batches that wait for another to end, each as the function that lets it begin in the other's place. */
  readonly #waiting = new Set<() => void>();

  constructor(work: BatchWork<Item, Result>, options: BatcherOptions = {}) {
    this.#work = work;
    this.#options = options;
  }

  /** No batch is running, and none is gathering. */
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
      // The place is handed over at once: otherwise a batch that begins before the next one has woken up would take the
      // same place.
      const [next] = this.#waiting;
      if (next) next();
      else this.#running -= 1;
    }
  }

  /**
   * Resolves when a batch has ended and left its place, or after `maxWaitMs`, with a place in excess of `concurrency`.
   */
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

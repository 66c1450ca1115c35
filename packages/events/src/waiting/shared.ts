import { setImmediate as turn } from 'node:timers/promises';

/**
 * Work that calls share: each resolves after a run that began after it came, and calls that wait at the same time share
 * one, as in a group commit. What a run returns or throws, all who waited for it get. Up to `atOnce` runs are under way
 * at the same time; they may end in another order than they began.
 */
export function shared<T = void>(work: () => Promise<T>, atOnce = 1): () => Promise<T> {
  let waiting: PromiseWithResolvers<T> | undefined;
  let runners = 0;
  const run = async (): Promise<void> => {
    runners += 1;
    while (waiting) {
      // What has arrived by now has yet to be read, all of it: those who ask in the same turn of the event loop share a
      // run.
      await turn();
      const group = waiting;
      // Another runner has taken them along.
      if (!group) break;
      waiting = undefined;
      try {
        group.resolve(await work());
      } catch (error) {
        group.reject(error);
      }
    }
    runners -= 1;
  };
  return () => {
    const first = !waiting;
    waiting ??= Promise.withResolvers<T>();
    const { promise } = waiting;
    if (first && runners < atOnce) void run();
    return promise;
  };
}

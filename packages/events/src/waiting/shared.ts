import { setImmediate as turn } from 'node:timers/promises';

/**
 * Work that calls share: each resolves after a run that began after it came, and calls that wait at the same time share
 * one, as in a group commit. What a run returns or throws, all who waited for it get.
 */
export function shared<T = void>(work: () => Promise<T>): () => Promise<T> {
  let waiting: PromiseWithResolvers<T> | undefined;
  let running = false;
  const run = async (): Promise<void> => {
    running = true;
    while (waiting) {
      // What has arrived by now has yet to be read, all of it: those who ask in the same turn of the event loop share a
      // run.
      await turn();
      const group = waiting;
      waiting = undefined;
      try {
        group.resolve(await work());
      } catch (error) {
        group.reject(error);
      }
    }
    running = false;
  };
  return () => {
    waiting ??= Promise.withResolvers<T>();
    const { promise } = waiting;
    if (!running) void run();
    return promise;
  };
}

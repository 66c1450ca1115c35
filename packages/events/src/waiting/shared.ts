import { Batcher } from './batcher.ts';

/**
 * Work that calls share: each call resolves after a run that began after the call, and calls that wait at the same time
 * share one run. All calls of a run get what it returns or throws. Up to `concurrency` runs are under way at the same
 * time; they may end in another order than they began.
 */
export function shared<T = void>(work: () => Promise<T>, concurrency = 1): () => Promise<T> {
  const runs = new Batcher<undefined, T>(
    async (calls) => {
      const result = await work();
      return calls.map(() => result);
    },
    { concurrency },
  );
  return () => runs.add(undefined);
}

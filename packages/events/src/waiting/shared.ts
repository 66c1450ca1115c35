import { Batcher } from './batcher.ts';

/**
 * Work that calls share: each resolves after a run that began after it came, and calls that wait at the same time share
 * one. What a run returns or throws, all who waited for it get. Up to `concurrency` runs are under way at the same time;
 * they may end in another order than they began.
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

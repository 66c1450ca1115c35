/**
 * Work that calls share: each resolves after a run that began after it came, and calls that wait at the same time share one, as in a group
 * commit. What a run throws, all who waited for it get.
 */
export function shared(work: () => Promise<void>): () => Promise<void> {
  let waiting: PromiseWithResolvers<void> | undefined, running = false;
  const run = async (): Promise<void> => {
    running = true;
    while (waiting) {
      const group = waiting;
      waiting = undefined;
      try { await work(); group.resolve(); } catch (error) { group.reject(error); }
    }
    running = false;
  };
  return () => {
    waiting ??= Promise.withResolvers<void>();
    const { promise } = waiting;
    if (!running) void run();
    return promise;
  };
}

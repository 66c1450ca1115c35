/**
 * Works on things while more of them are read, a few at the same time. The first failure, of the reading too, is thrown
 * once the work under way has ended; nothing more is read after it. (`p-map` of an asynchronous iterable may take its
 * failure for its end.)
 */
export async function forEachConcurrently<T>(
  things: AsyncIterable<T>,
  most: number,
  work: (thing: T) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>();
  let failure: { error: unknown } | undefined;
  let giveUp: ((error: unknown) => void) | undefined;
  const fail = (error: unknown): void => {
    failure ??= { error };
    giveUp?.(failure.error);
  };
  // Not `Promise.race` with a promise of the failure: that promise would retain the result of each wait until all is
  // over.
  const unlessOneFails = <R>(what: Promise<R>): Promise<R> =>
    new Promise((resolve, reject) => {
      giveUp = reject;
      what.then(resolve, reject);
      if (failure) reject(failure.error);
    });
  const reading = things[Symbol.asyncIterator]();
  const next = () => unlessOneFails(reading.next());
  try {
    for (let read = await next(); !read.done; read = await next()) {
      const one = work(read.value)
        .catch(fail)
        .finally(() => running.delete(one));
      running.add(one);
      if (running.size >= most) await unlessOneFails(Promise.race(running));
    }
    await unlessOneFails(Promise.all(running));
  } catch (error) {
    // Not awaited: the read under way may never end.
    void reading.return?.(undefined).catch(() => undefined);
    throw error;
  } finally {
    await Promise.all(running);
  }
}

/**
 * Works on things while more of them are read, on a few at the same time. Whatever fails, what is under way is waited for.
 * (`p-map` of an asynchronous iterable takes its failure for its end.)
 */
export async function abreast<T>(
  things: AsyncIterable<T>,
  most: number,
  work: (thing: T) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>();
  try {
    for await (const thing of things) {
      const one = work(thing).finally(() => running.delete(one));
      running.add(one);
      if (running.size >= most) await Promise.race(running);
    }
    await Promise.all(running);
  } finally {
    await Promise.allSettled(running);
  }
}

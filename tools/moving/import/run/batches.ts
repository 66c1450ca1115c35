/** Groups of a limited number of things, none heavier than `mostBytes` unless it consists of one thing. */
export async function* batchesOf<T>(
  things: AsyncIterable<T>,
  { most, mostBytes, bytesOf }: { most: number; mostBytes: number; bytesOf: (thing: T) => number },
): AsyncGenerator<T[], void> {
  let batch: T[] = [];
  let weight = 0;
  for await (const thing of things) {
    const bytes = bytesOf(thing);
    if (batch.length && (batch.length >= most || weight + bytes > mostBytes)) {
      yield batch;
      [batch, weight] = [[], 0];
    }
    batch.push(thing);
    weight += bytes;
  }
  if (batch.length) yield batch;
}

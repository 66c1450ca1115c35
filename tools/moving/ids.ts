/** How many ids share a block of bits. */
const PER_BLOCK = 2048;
const PER_WORD = 32;

/**
 * A set of ids: whole numbers, not negative. It has a bit for each, so that the ids of millions of objects, as dense as
 * those of a database are, take less than a megabyte.
 */
export class IdSet {
  readonly #blocks = new Map<number, Uint32Array>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(id: number): boolean {
    const bits = this.#blocks.get(Math.floor(id / PER_BLOCK));
    const at = id % PER_BLOCK;
    return bits !== undefined && ((bits[Math.floor(at / PER_WORD)]! >>> (at % PER_WORD)) & 1) === 1;
  }

  /** @returns whether it is new */
  add(id: number): boolean {
    const block = Math.floor(id / PER_BLOCK);
    let bits = this.#blocks.get(block);
    if (!bits) this.#blocks.set(block, (bits = new Uint32Array(PER_BLOCK / PER_WORD)));
    const at = id % PER_BLOCK;
    const word = Math.floor(at / PER_WORD);
    const before = bits[word]!;
    bits[word] = before | (1 << (at % PER_WORD));
    const isNew = bits[word] !== before;
    if (isNew) this.#size += 1;
    return isNew;
  }

  clear(): void {
    this.#blocks.clear();
    this.#size = 0;
  }

  /** In the order in which their blocks were added, ascending within each. */
  *[Symbol.iterator](): Generator<number, void> {
    for (const [block, bits] of this.#blocks)
      for (let at = 0; at < PER_BLOCK; at += 1)
        if ((bits[Math.floor(at / PER_WORD)]! >>> (at % PER_WORD)) & 1) yield block * PER_BLOCK + at;
  }
}

/** The set of all ids of an iteration. */
export async function idSetOf(ids: AsyncIterable<number>): Promise<IdSet> {
  const all = new IdSet();
  for await (const id of ids) all.add(id);
  return all;
}

import { Batcher } from '@cadastre/events/batcher';

/** Loads values by key: keys asked for in the same turn of the event loop are loaded together, each once. */
export class BatchLoader<V> {
  readonly #known = new Map<string, Promise<V>>();
  readonly #batcher: Batcher<string, V>;

  /**
   * @param load finds the values of keys; keys without a value get `none`
   * @param none the value of a key that is not found
   */
  constructor(load: (keys: string[]) => Promise<ReadonlyMap<string, V>>, none: V) {
    this.#batcher = new Batcher(async (keys) => {
      const found = await load([...keys]);
      return keys.map((key) => found.get(key) ?? none);
    });
  }

  load(key: string): Promise<V> {
    let known = this.#known.get(key);
    if (!known) this.#known.set(key, (known = this.#batcher.add(key)));
    return known;
  }
}

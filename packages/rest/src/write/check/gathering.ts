/** What is asked for until the process turns to something else is answered together, and each answer is remembered. */
export class Gathering<V> {
  readonly #answer: (keys: string[]) => Promise<ReadonlyMap<string, V>>;
  readonly #none: V;
  readonly #known = new Map<string, Promise<V>>();
  #asked: { keys: string[]; answers: Promise<ReadonlyMap<string, V>> } | undefined;

  /**
   * @param answer finds the values of keys; those without one get `none`
   * @param none the value of what is not there
   */
  constructor(answer: (keys: string[]) => Promise<ReadonlyMap<string, V>>, none: V) {
    this.#answer = answer;
    this.#none = none;
  }

  ask(key: string): Promise<V> {
    let known = this.#known.get(key);
    if (!known) {
      const { keys, answers } = (this.#asked ??= this.#begin());
      keys.push(key);
      this.#known.set(key, (known = answers.then((found) => found.get(key) ?? this.#none)));
    }
    return known;
  }

  #begin(): { keys: string[]; answers: Promise<ReadonlyMap<string, V>> } {
    const keys: string[] = [];
    const answers = new Promise<void>((go) => {
      setImmediate(go);
    }).then(() => {
      this.#asked = undefined;
      return this.#answer(keys);
    });
    return { keys, answers };
  }
}

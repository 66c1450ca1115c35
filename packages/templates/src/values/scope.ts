/**
 * Variables of a part of a template. A variable that is set in a loop, a macro or a block is local to it, as in Jinja2.
 */
export class Frame {
  readonly #variables = new Map<string, unknown>();
  readonly #parent: Frame | null;
  constructor(parent: Frame | null = null) {
    this.#parent = parent;
  }

  set(name: string, value: unknown): void {
    this.#variables.set(name, value);
  }
  has(name: string): boolean {
    return this.#variables.has(name) || (this.#parent?.has(name) ?? false);
  }
  lookup(name: string): unknown {
    return this.#variables.has(name) ? this.#variables.get(name) : this.#parent?.lookup(name);
  }
  push(): Frame {
    return new Frame(this);
  }
}

/** Assigns the items of a list to the same number of names. */
export function bind(frame: Frame, names: readonly string[], value: unknown): void {
  const found = names.length === 1 ? [value] : unpacked(value, names.length);
  names.forEach((name, i) => {
    frame.set(name, found[i]);
  });
}

/** The items of a list, which must have this many. */
function unpacked(value: unknown, count: number): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error('cannot unpack what is not a list');
  if (value.length > count) throw new Error(`too many values to unpack (expected ${count})`);
  if (value.length < count) throw new Error(`not enough values to unpack (expected ${count}, got ${value.length})`);
  return value;
}

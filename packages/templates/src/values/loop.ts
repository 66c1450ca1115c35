import type { Callable } from './arguments.ts';
import { bind, type Frame } from './scope.ts';
import { equal, isDict, items, Special, truth } from './values.ts';

/** What a template knows as `loop`. */
class Loop extends Special {
  place = 0;
  #last: readonly unknown[] | null = null;
  readonly #list: readonly unknown[];
  readonly #depth: number;
  override readonly call: (...args: unknown[]) => unknown;

  constructor(list: readonly unknown[], depth: number, again: ((list: unknown) => string) | null) {
    super();
    this.#list = list;
    this.#depth = depth;
    this.call = (given) => {
      if (!again) throw new Error("The loop must have the 'recursive' marker to be called recursively.");
      return again(given);
    };
  }

  override get(key: string): unknown {
    const [place, { length }] = [this.place, this.#list];
    switch (key) {
      case 'index':
        return place + 1;
      case 'index0':
        return place;
      case 'revindex':
        return length - place;
      case 'revindex0':
        return length - place - 1;
      case 'first':
        return place === 0;
      case 'last':
        return place === length - 1;
      case 'length':
        return length;
      case 'depth':
        return this.#depth + 1;
      case 'depth0':
        return this.#depth;
      case 'previtem':
        return place > 0 ? this.#list[place - 1] : undefined;
      case 'nextitem':
        return this.#list[place + 1];
      default:
        return undefined;
    }
  }

  override method(key: string): Callable | undefined {
    if (key === 'cycle') {
      return (...values) => {
        if (values.length === 0) throw new Error('no items for cycling given');
        return values[this.place % values.length];
      };
    }
    if (key !== 'changed') return undefined;
    return (...values) => {
      const same = this.#last !== null && equal(this.#last, values);
      this.#last = values;
      return !same;
    };
  }

  override represent(): string {
    return `<LoopContext ${this.place + 1}/${this.#list.length}>`;
  }
}

/** A `for` tag, compiled. */
export interface ForTag {
  names: readonly string[];
  /** `for x in y if …` */
  filter: ((frame: Frame) => unknown) | null;
  recursive: boolean;
  body(frame: Frame): string;
  otherwise(frame: Frame): string;
}

/** Runs a loop and returns what it prints. */
export function loop(tag: ForTag, parent: Frame, value: unknown, depth = 0): string {
  const { names, filter, recursive, body, otherwise } = tag;
  // Not in Jinja2: `for key, value in object` iterates over its entries.
  const all = names.length > 1 && isDict(value) ? Object.entries(value) : items(value);
  const list = filter
    ? all.filter((item) => {
        const frame = parent.push();
        bind(frame, names, item);
        return truth(filter(frame));
      })
    : [...all];
  if (list.length === 0) return otherwise(parent.push());
  const state = new Loop(list, depth, recursive ? (given) => loop(tag, parent, given, depth + 1) : null);
  let output = '';
  for (; state.place < list.length; state.place += 1) {
    const frame = parent.push();
    frame.set('loop', state);
    bind(frame, names, list[state.place]);
    output += body(frame);
  }
  return output;
}

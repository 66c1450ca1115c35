import { type Callable, splitKeywords, whole } from '../values/arguments.ts';
import { isDict, items, quoted, Special, text } from '../values/values.ts';

/** The longest list that a template can make by itself. */
export const maxRange = 100_000;

const range: Callable = (first, second, third) => {
  const place = (value: unknown) => whole(value, 0, Number.MAX_SAFE_INTEGER);
  const [from, to] = second === undefined ? [0, place(first)] : [place(first), place(second)];
  const step = whole(third, 1, Number.MAX_SAFE_INTEGER);
  if (step === 0) throw new Error('range() arg 3 must not be zero');
  const count = Math.max(Math.ceil((to - from) / step), 0);
  if (count > maxRange)
    throw new Error(`Range too big. The sandbox blocks ranges larger than MAX_RANGE (${maxRange}).`);
  return Array.from({ length: count }, (_, i) => from + i * step);
};

/** What `dict(…)` takes, as pairs. */
function entriesOf(args: readonly unknown[]): [string, unknown][] {
  const { positional, keywords } = splitKeywords(args);
  return [...positional, keywords].flatMap((arg) =>
    isDict(arg)
      ? Object.entries(arg)
      : items(arg).flatMap((pair): [string, unknown][] => (Array.isArray(pair) ? [[text(pair[0]), pair[1]]] : [])),
  );
}

/** An object whose attributes `{% set %}` can change, also from inside a loop. */
export class Namespace extends Special {
  readonly #values: Map<string, unknown>;
  constructor(values: Iterable<[string, unknown]>) {
    super();
    this.#values = new Map(values);
  }
  override get(key: string): unknown {
    return this.#values.get(key);
  }
  set(key: string, value: unknown): void {
    this.#values.set(key, value);
  }
  override represent(inner: (value: unknown) => string): string {
    return `<Namespace {${[...this.#values].map(([key, value]) => `${quoted(key)}: ${inner(value)}`).join(', ')}}>`;
  }
}

class Cycler extends Special {
  readonly #values: readonly unknown[];
  #place = 0;
  constructor(values: readonly unknown[]) {
    super();
    if (values.length === 0) throw new Error('at least one item has to be provided');
    this.#values = values;
  }
  override get(key: string): unknown {
    return key === 'current' ? this.#values[this.#place] : undefined;
  }
  override method(key: string): Callable | undefined {
    if (key === 'reset')
      return () => {
        this.#place = 0;
        return null;
      };
    if (key !== 'next') return undefined;
    return () => {
      const found = this.#values[this.#place];
      this.#place = (this.#place + 1) % this.#values.length;
      return found;
    };
  }
}

class Joiner extends Special {
  override readonly call: () => unknown;
  constructor(separator: unknown) {
    super();
    let used = false;
    this.call = () => {
      if (used) return separator;
      used = true;
      return '';
    };
  }
  override get(): undefined {
    return undefined;
  }
}

/** What every template can call by name. */
export const functions: Readonly<Record<string, Callable>> = {
  range,
  dict: (...args) => Object.fromEntries(entriesOf(args)),
  namespace: (...args) => new Namespace(entriesOf(args)),
  cycler: (...args) => new Cycler(splitKeywords(args).positional),
  joiner: (...args) => {
    const {
      positional: [first],
      keywords,
    } = splitKeywords(args);
    return new Joiner(first ?? keywords['sep'] ?? ', ');
  },
};

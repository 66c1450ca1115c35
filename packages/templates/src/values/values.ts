// How values behave in a template: as in Python, since that is what templates of the reference system are written for.

/** An object as it comes from JSON. */
export type Dict = Record<string, unknown>;

/**
 * A value of a template that is not data: `loop`, a namespace, a cycler. It shows what it chooses to, and nothing of
 * its implementation.
 */
export abstract class Special {
  /** An attribute; undefined when it has none of that name. */
  abstract get(key: string): unknown;
  /** A method by its name. */
  method(_key: string): ((...args: unknown[]) => unknown) | undefined {
    return undefined;
  }
  /** What a call of the value itself does, for callable ones. */
  readonly call?: (...args: unknown[]) => unknown;
  /** It counts as false. */
  readonly empty?: boolean;
  /** How it is printed; `inner` prints what it holds. */
  represent(_inner: (value: unknown) => string): string {
    return '';
  }
}

/**
 * Meaning that an object or a list of a template has beyond its data: an object of a model, related objects, a choice.
 */
export interface TypeBehaviour {
  /** An attribute; `found` is what the data has under that name. */
  get(key: string, found: unknown, target: object): unknown;
  method(key: string, target: object): ((...args: unknown[]) => unknown) | undefined;
  /** The plain value that it is compared and ordered by. */
  plain?(target: object): unknown;
  /** How it is printed, alone and in a list. */
  word?(target: object): string;
  inList?(target: object): string;
  /** Whether another value means the same. */
  is?(target: object, other: unknown): boolean;
  /** The message about a method that it does not have. */
  missing?(key: string): string;
}

// Kept beside the data, so that data cannot pretend to be one.
const behaviours = new WeakMap<object, TypeBehaviour>();
export const behaviourOf = (value: unknown): TypeBehaviour | undefined =>
  typeof value === 'object' && value !== null ? behaviours.get(value) : undefined;

export function withBehaviour<Value extends object>(value: Value, nature: TypeBehaviour): Value {
  behaviours.set(value, nature);
  return value;
}

/** A choice is its value and an object its name, wherever they are compared with texts. */
export const plain = (value: unknown): unknown => {
  const nature = behaviourOf(value);
  return nature?.plain ? nature.plain(value as object) : value;
};

export const isDict = (value: unknown): value is Dict =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Special);

/** Empty texts, lists and objects are false, too. */
export function truth(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (value instanceof Special) return !value.empty;
  return isDict(value) ? Object.keys(value).length > 0 : Boolean(value);
}

/** A value as it is printed by `{{ … }}`. Functions print as nothing, so that no source code leaks. */
export function text(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined || typeof value === 'function') return '';
  return behaviourOf(value)?.word?.(value as object) ?? representation(value, 0);
}

// Lists that are tuples in Python, which only shows when they are printed.
const tuples = new WeakSet<object>();
export function tuple(list: unknown[]): unknown[] {
  tuples.add(list);
  return list;
}
const isTuple = (list: object) => tuples.has(list);

/** The entries of an object as a template sees them. */
export const entries = (value: Dict): unknown[] => Object.entries(value).map((entry) => tuple([...entry]));

// Larger than any representation; stops lists that a template has put into themselves.
const maxDepth = 64;
const maxLength = 8 * 1024 * 1024;

/** Bounds the text of a value that may refer to itself several times, and so grows with every level of depth. */
export class Room {
  #left = maxLength;
  take(text: string): string {
    this.#left -= text.length;
    if (this.#left < 0) throw new Error('the text would become too long');
    return text;
  }
}

function representation(value: unknown, depth: number, room = new Room()): string {
  if (value === null) return room.take('None');
  if (value === true) return room.take('True');
  if (value === false) return room.take('False');
  if (typeof value === 'string') return room.take(quoted(value));
  if (typeof value === 'number')
    return room.take(
      Number.isNaN(value)
        ? 'nan'
        : Math.abs(value) === Number.POSITIVE_INFINITY
          ? value < 0
            ? '-inf'
            : 'inf'
          : String(value),
    );
  if (depth > maxDepth) return room.take('...');
  const nature = behaviourOf(value);
  const shown = nature?.inList ?? nature?.word;
  if (shown) return room.take(nature!.inList ? shown(value as object) : quoted(shown(value as object)));
  const inner = (item: unknown) => representation(item, depth + 1, room);
  if (Array.isArray(value)) {
    const members = value.map(inner).join(room.take(', '));
    return isTuple(value) ? `(${members}${value.length === 1 ? ',' : ''})` : `[${members}]`;
  }
  if (value instanceof Special) return value.represent(inner);
  if (isDict(value))
    return `{${Object.entries(value)
      .map(([key, item]) => `${room.take(quoted(key))}: ${inner(item)}`)
      .join(', ')}}`;
  return '';
}

export function quoted(value: string): string {
  const quote = value.includes("'") && !value.includes('"') ? '"' : "'";
  const escapes: Record<string, string> = {
    '\n': '\\n',
    '\r': '\\r',
    '\t': '\\t',
    '\\': '\\\\',
    [quote]: `\\${quote}`,
  };
  return quote + value.replaceAll(/[\n\r\t\\'"]/g, (found) => escapes[found] ?? found) + quote;
}

/**
 * The values that a loop iterates over: the items of a list, the keys of an object, the characters of a text; none for
 * what is missing.
 */
export function items(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value === 'string') return [...value];
  return isDict(value) ? Object.keys(value) : [];
}

const hidden = new Set(['__proto__', 'constructor', 'prototype']);

/** Sets a key of an object, if templates may know it. */
export function assign(target: Dict, key: string, value: unknown): void {
  if (hidden.has(key)) throw new Error(`'${key}' is not available in templates.`);
  target[key] = value;
}

const groups = new WeakSet<object>();

/** A group as `groupby` makes it: a pair whose parts have names. */
export function group(key: unknown, list: unknown[]): unknown[] {
  const pair = tuple([key, list]);
  groups.add(pair);
  return pair;
}

/** Only own properties that are not functions are found; everything else is missing. */
export function own(target: unknown, key: unknown): unknown {
  if (Array.isArray(target) || typeof target === 'string') {
    if (typeof target !== 'string' && (key === 'grouper' || key === 'list') && groups.has(target))
      return target[key === 'list' ? 1 : 0];
    if (typeof key !== 'number' || !Number.isInteger(key)) return undefined;
    return target.at(key);
  }
  if (target instanceof Special) return typeof key === 'string' && !hidden.has(key) ? target.get(key) : undefined;
  if (!isDict(target) || (typeof key !== 'string' && typeof key !== 'number')) return undefined;
  if (hidden.has(String(key))) return undefined;
  const value = Object.hasOwn(target, key) && typeof target[key] !== 'function' ? target[key] : undefined;
  const nature = behaviours.get(target);
  return nature ? nature.get(String(key), value, target) : value;
}

/** `a.b.0` as filters name attributes. */
export const attribute = (target: unknown, path: unknown): unknown =>
  typeof path === 'number'
    ? own(target, path)
    : text(path)
        .split('.')
        .reduce<unknown>(
          (value, key) => own(value, /^\d+$/.test(key) && Array.isArray(value) ? Number(key) : key),
          target,
        );

/** Equality by value, without JavaScript's conversions; truth values equal 0 and 1. */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  const nature = behaviourOf(a);
  if (nature?.is && behaviourOf(b)) return nature.is(a as object, b);
  if (nature?.plain || behaviourOf(b)?.plain) return equal(plain(a), plain(b));
  if (typeof a === 'boolean' || typeof b === 'boolean') return typeof a !== typeof b && number(a) === number(b);
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, i) => equal(item, b[i]));
  if (isDict(a) && isDict(b)) {
    const keys = Object.keys(a);
    return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && equal(a[key], b[key]));
  }
  return false;
}

/** Order among numbers, texts and lists; -1, 0 or 1. Values without an order between them are equal in it. */
export function order(first: unknown, second: unknown): number {
  const [a, b] = [plain(first), plain(second)];
  if (Array.isArray(a) && Array.isArray(b)) {
    for (let i = 0; i < Math.min(a.length, b.length); i += 1) {
      const found = order(a[i], b[i]);
      if (found !== 0) return found;
    }
    return Math.sign(a.length - b.length);
  }
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
  const [x, y] = [number(a), number(b)];
  return Number.isNaN(x) || Number.isNaN(y) ? 0 : Math.sign(x - y);
}

/** The number that a value stands for, or NaN. */
export const number = (value: unknown): number =>
  typeof value === 'number' ? value : typeof value === 'boolean' ? Number(value) : Number.NaN;

/** `item in container`. */
export function contains(container: unknown, item: unknown): boolean {
  if (typeof container === 'string') {
    const part = plain(item);
    return typeof part === 'string' && container.includes(part);
  }
  if (Array.isArray(container)) return container.some((member) => equal(member, item));
  return isDict(container) && typeof item === 'string' && Object.hasOwn(container, item);
}

// How values behave in a template: as in Python, since that is what templates of the reference system are written for.

/** An object as it comes from JSON. */
export type Dict = Record<string, unknown>;

export const isDict = (value: unknown): value is Dict => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Empty texts, lists and objects are false, too. */
export function truth(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isDict(value) ? Object.keys(value).length > 0 : Boolean(value);
}

/** A value as it is printed by `{{ … }}`. Functions print as nothing, so that no source code leaks. */
export function text(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined || typeof value === 'function') return '';
  return representation(value, 0);
}

// Deeper than any representation; keeps a list that a template has put into itself from running away.
const maxDepth = 64;

function representation(value: unknown, depth: number): string {
  if (value === null) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') return Number.isNaN(value) ? 'nan' : Math.abs(value) === Number.POSITIVE_INFINITY ? (value < 0 ? '-inf' : 'inf') : String(value);
  if (depth > maxDepth) return '...';
  if (Array.isArray(value)) return `[${value.map((item) => representation(item, depth + 1)).join(', ')}]`;
  if (isDict(value)) return `{${Object.entries(value).map(([key, item]) => `${quoted(key)}: ${representation(item, depth + 1)}`).join(', ')}}`;
  return '';
}

function quoted(value: string): string {
  const quote = value.includes("'") && !value.includes('"') ? '"' : "'";
  const escapes: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\\': '\\\\', [quote]: `\\${quote}` };
  return quote + value.replaceAll(/[\n\r\t\\'"]/g, (found) => escapes[found] ?? found) + quote;
}

/** What a loop goes through: the items of a list, the keys of an object, the characters of a text; nothing for what is missing. */
export function items(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value === 'string') return [...value];
  return isDict(value) ? Object.keys(value) : [];
}

const hidden = new Set(['__proto__', 'constructor', 'prototype']);

/** An own property that is no function; everything else is missing. */
export function own(target: unknown, key: unknown): unknown {
  if (Array.isArray(target) || typeof target === 'string') {
    if (typeof key !== 'number' || !Number.isInteger(key)) return undefined;
    return target.at(key);
  }
  if (!isDict(target) || (typeof key !== 'string' && typeof key !== 'number')) return undefined;
  if (hidden.has(String(key)) || !Object.hasOwn(target, key)) return undefined;
  const value = target[key];
  return typeof value === 'function' ? undefined : value;
}

/** `a.b.0` as filters name attributes. */
export const attribute = (target: unknown, path: unknown): unknown =>
  typeof path === 'number' ? own(target, path) : text(path).split('.').reduce<unknown>((value, key) => own(value, /^\d+$/.test(key) && Array.isArray(value) ? Number(key) : key), target);

/** Equality by value, without JavaScript's conversions; truth values equal 0 and 1. */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a === 'boolean' || typeof b === 'boolean') return typeof a !== typeof b && number(a) === number(b);
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, i) => equal(item, b[i]));
  if (isDict(a) && isDict(b)) {
    const keys = Object.keys(a);
    return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && equal(a[key], b[key]));
  }
  return false;
}

/** Order among numbers, texts and lists; -1, 0 or 1. Values without an order between them are equal in it. */
export function order(a: unknown, b: unknown): number {
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

/** A number, or NaN for what is none. */
export const number = (value: unknown): number => (typeof value === 'number' ? value : typeof value === 'boolean' ? Number(value) : Number.NaN);

/** `item in container`. */
export function contains(container: unknown, item: unknown): boolean {
  if (typeof container === 'string') return typeof item === 'string' && container.includes(item);
  if (Array.isArray(container)) return container.some((member) => equal(member, item));
  return isDict(container) && typeof item === 'string' && Object.hasOwn(container, item);
}

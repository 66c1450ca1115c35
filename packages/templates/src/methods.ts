// Methods that templates written for Python call on values: `data.name.lower()`, `data.custom_fields.items()`.
import { type Callable, repeat, whole } from './arguments.ts';
import { capitalize, replace, strip, title } from './filters.text.ts';
import { type Dict, equal, isDict, items, own, text } from './values.ts';

type Methods<Value> = Record<string, (value: Value, ...args: unknown[]) => unknown>;

function split(value: string, separator: unknown, most: unknown): string[] {
  const count = whole(most, -1);
  if (separator === undefined || separator === null) return value.split(/\s+/).filter((part) => part !== '');
  const parts = value.split(text(separator));
  return count < 0 || parts.length <= count + 1 ? parts : [...parts.slice(0, count), parts.slice(count).join(text(separator))];
}

const some = (candidates: unknown, check: (candidate: string) => boolean) => (Array.isArray(candidates) ? candidates : [candidates]).some((candidate) => check(text(candidate)));

const onText: Methods<string> = {
  capitalize,
  count: (value, part) => (text(part) === '' ? value.length + 1 : value.split(text(part)).length - 1),
  endswith: (value, ends) => some(ends, (end) => value.endsWith(end)),
  find: (value, part) => value.indexOf(text(part)),
  format: (value, ...args) => { let next = 0; return value.replaceAll(/\{(\d*)\}/g, (_, place: string) => text(args[place === '' ? next++ : Number(place)])); },
  isalpha: (value) => /^\p{L}+$/u.test(value),
  isdigit: (value) => /^\p{Nd}+$/u.test(value),
  islower: (value) => value === value.toLowerCase() && value !== value.toUpperCase(),
  isupper: (value) => value === value.toUpperCase() && value !== value.toLowerCase(),
  join: (value, list) => items(list).map(text).join(value),
  ljust: (value, width) => value + repeat(' ', whole(width, 0) - value.length),
  lower: (value) => value.toLowerCase(),
  lstrip: (value, characters) => strip(value, characters, 'left'),
  removeprefix: (value, prefix) => (value.startsWith(text(prefix)) ? value.slice(text(prefix).length) : value),
  removesuffix: (value, suffix) => (value.endsWith(text(suffix)) ? value.slice(0, value.length - text(suffix).length) : value),
  replace,
  rjust: (value, width) => repeat(' ', whole(width, 0) - value.length) + value,
  rstrip: (value, characters) => strip(value, characters, 'right'),
  split,
  splitlines: (value) => value.split(/\r\n|\r|\n/),
  startswith: (value, starts) => some(starts, (start) => value.startsWith(start)),
  strip: (value, characters) => strip(value, characters),
  title,
  upper: (value) => value.toUpperCase(),
  zfill: (value, width) => repeat('0', whole(width, 0) - value.length) + value,
};

const onDict: Methods<Dict> = {
  get: (value, key, fallback = null) => { const found = own(value, key); return found === undefined ? fallback : found; },
  items: (value) => Object.entries(value).map((entry) => [...entry]),
  keys: (value) => Object.keys(value),
  values: (value) => Object.values(value).filter((item) => typeof item !== 'function'),
};

const onList: Methods<unknown[]> = {
  count: (value, item) => value.filter((each) => equal(each, item)).length,
  index: (value, item) => value.findIndex((each) => equal(each, item)),
};

const bind = <Value>(methods: Methods<Value>, value: Value, key: unknown): Callable | undefined => {
  if (typeof key !== 'string' || !Object.hasOwn(methods, key)) return undefined;
  const method = methods[key]!;
  return (...args) => method(value, ...args);
};

/** The method of a value, bound to it; undefined when it has none of that name. */
export function methodOf(value: unknown, key: unknown): Callable | undefined {
  if (typeof value === 'string') return bind(onText, value, key);
  if (Array.isArray(value)) return bind(onList, value, key);
  return isDict(value) ? bind(onDict, value, key) : undefined;
}

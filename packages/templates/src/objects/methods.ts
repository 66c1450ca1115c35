// Methods that templates written for Python call on values: `data.name.lower()`, `data.custom_fields.items()`.
import { type Callable, repeat, splitKeywords, whole } from '../values/arguments.ts';
import { capitalize, replace, strip, title } from '../filters/text.ts';
import { braces } from '../values/format.ts';
import {
  assign,
  type Dict,
  entries,
  equal,
  isDict,
  items,
  behaviourOf,
  order,
  own,
  quoted,
  Special,
  text,
  truth,
  tuple,
} from '../values/values.ts';

type Methods<Value> = Record<string, (value: Value, ...args: unknown[]) => unknown>;

// What templates can add to lists and objects stays within what they can make otherwise.
const most = 1_000_000;
const grown = (size: number): void => {
  if (size > most) throw new Error('the list would become too long');
};

function split(value: string, separator: unknown, most: unknown): string[] {
  const count = whole(most, -1);
  if (separator === undefined || separator === null) return value.split(/\s+/).filter((part) => part !== '');
  const parts = value.split(text(separator));
  return count < 0 || parts.length <= count + 1
    ? parts
    : [...parts.slice(0, count), parts.slice(count).join(text(separator))];
}

const some = (candidates: unknown, check: (candidate: string) => boolean) =>
  (Array.isArray(candidates) ? candidates : [candidates]).some((candidate) => check(text(candidate)));

function rsplit(value: string, separator: unknown, most: unknown): string[] {
  const count = whole(most, -1);
  const parts = split(value, separator, null);
  return count < 0 || parts.length <= count + 1
    ? parts
    : [parts.slice(0, parts.length - count).join(text(separator ?? ' ')), ...parts.slice(parts.length - count)];
}

const parted = (value: string, separator: string, at: number, missing: string[]): unknown[] =>
  tuple(at < 0 ? missing : [value.slice(0, at), separator, value.slice(at + separator.length)]);
const padded = (value: string, width: unknown, fill: unknown, side: (space: number) => number): string => {
  const space = Math.max(whole(width, 0) - value.length, 0);
  const character = fill === undefined ? ' ' : text(fill).slice(0, 1);
  return repeat(character, side(space)) + value + repeat(character, space - side(space));
};
const found = (place: number, what: string): number => {
  if (place < 0) throw new Error(`${what} not found`);
  return place;
};
const swapped = (character: string) =>
  character === character.toUpperCase() ? character.toLowerCase() : character.toUpperCase();

function expandtabs(value: string, size: unknown): string {
  const width = whole(size, 8, 100);
  let column = 0;
  return [...value]
    .map((character) => {
      if (character !== '\t') {
        column = character === '\n' ? 0 : column + 1;
        return character;
      }
      const blanks = width === 0 ? 0 : width - (column % width);
      column += blanks;
      return ' '.repeat(blanks);
    })
    .join('');
}

const onText: Methods<string> = {
  capitalize,
  casefold: (value) => value.toLowerCase(),
  center: (value, width, fill) => padded(value, width, fill, (space) => Math.floor(space / 2)),
  count: (value, part) => (text(part) === '' ? value.length + 1 : value.split(text(part)).length - 1),
  endswith: (value, ends) => some(ends, (end) => value.endsWith(end)),
  expandtabs,
  find: (value, part) => value.indexOf(text(part)),
  format: braces,
  index: (value, part) => found(value.indexOf(text(part)), 'substring'),
  isalnum: (value) => /^[\p{L}\p{N}]+$/u.test(value),
  isalpha: (value) => /^\p{L}+$/u.test(value),
  isdecimal: (value) => /^\p{Nd}+$/u.test(value),
  isdigit: (value) => /^\p{Nd}+$/u.test(value),
  islower: (value) => value === value.toLowerCase() && value !== value.toUpperCase(),
  isnumeric: (value) => /^\p{N}+$/u.test(value),
  isspace: (value) => /^\s+$/.test(value),
  istitle: (value) => value !== '' && /\p{L}/u.test(value) && value === value.replaceAll(/\p{L}+/gu, capitalize),
  isupper: (value) => value === value.toUpperCase() && value !== value.toLowerCase(),
  join: (value, list) => items(list).map(text).join(value),
  ljust: (value, width, fill) => padded(value, width, fill, () => 0),
  lower: (value) => value.toLowerCase(),
  lstrip: (value, characters) => strip(value, characters, 'left'),
  partition: (value, separator) => parted(value, text(separator), value.indexOf(text(separator)), [value, '', '']),
  removeprefix: (value, prefix) => (value.startsWith(text(prefix)) ? value.slice(text(prefix).length) : value),
  removesuffix: (value, suffix) =>
    value.endsWith(text(suffix)) ? value.slice(0, value.length - text(suffix).length) : value,
  replace,
  rfind: (value, part) => value.lastIndexOf(text(part)),
  rindex: (value, part) => found(value.lastIndexOf(text(part)), 'substring'),
  rjust: (value, width, fill) => padded(value, width, fill, (space) => space),
  rpartition: (value, separator) => parted(value, text(separator), value.lastIndexOf(text(separator)), ['', '', value]),
  rsplit,
  rstrip: (value, characters) => strip(value, characters, 'right'),
  split,
  splitlines: (value) => value.split(/\r\n|\r|\n/),
  startswith: (value, starts) => some(starts, (start) => value.startsWith(start)),
  strip: (value, characters) => strip(value, characters),
  swapcase: (value) => [...value].map(swapped).join(''),
  title,
  upper: (value) => value.toUpperCase(),
  zfill: (value, width) => {
    const [, sign = '', digits = ''] = /^([-+]?)(.*)$/s.exec(value) ?? [];
    return sign + repeat('0', whole(width, 0) - value.length) + digits;
  },
};

const keyOf = (key: unknown): string => (typeof key === 'string' ? key : text(key));

function update(value: Dict, ...args: unknown[]): null {
  const { positional, keywords } = splitKeywords(args);
  for (const arg of [...positional, keywords]) {
    if (!isDict(arg)) throw new Error('update expected an object');
    grown(Object.keys(value).length + Object.keys(arg).length);
    for (const [key, item] of Object.entries(arg)) assign(value, key, item);
  }
  return null;
}

function taken(value: Dict, key: unknown, otherwise: readonly unknown[]): unknown {
  const name = keyOf(key);
  if (!Object.hasOwn(value, name)) {
    if (otherwise.length > 0) return otherwise[0];
    throw new Error(`no key ${quoted(name)}`);
  }
  const item = own(value, name);
  Reflect.deleteProperty(value, name);
  return item;
}

const onDict: Methods<Dict> = {
  clear: (value) => {
    for (const key of Object.keys(value)) Reflect.deleteProperty(value, key);
    return null;
  },
  copy: (value) => ({ ...value }),
  get: (value, key, fallback = null) => {
    const item = own(value, key);
    return item === undefined ? fallback : item;
  },
  items: entries,
  keys: (value) => Object.keys(value),
  pop: (value, key, ...otherwise) => taken(value, key, otherwise),
  setdefault: (value, key, item = null) => {
    const name = keyOf(key);
    if (!Object.hasOwn(value, name)) {
      grown(Object.keys(value).length + 1);
      assign(value, name, item);
    }
    return own(value, name);
  },
  update,
  values: (value) => Object.values(value).filter((item) => typeof item !== 'function'),
};

const place = (value: unknown[], item: unknown) =>
  found(
    value.findIndex((each) => equal(each, item)),
    'item',
  );
const added = (value: unknown[], at: number, list: readonly unknown[]): null => {
  grown(value.length + list.length);
  if (at >= value.length) for (const item of list) value.push(item);
  else value.splice(at, 0, ...list);
  return null;
};

const onList: Methods<unknown[]> = {
  append: (value, item) => added(value, value.length, [item]),
  clear: (value) => {
    value.length = 0;
    return null;
  },
  copy: (value) => [...value],
  count: (value, item) => value.filter((each) => equal(each, item)).length,
  extend: (value, list) => added(value, value.length, [...items(list)]),
  index: place,
  insert: (value, at, item) => added(value, whole(at, 0, Number.MAX_SAFE_INTEGER), [item]),
  pop: (value, at) => {
    const from = whole(at, -1, Number.MAX_SAFE_INTEGER);
    if (value.length === 0 || from >= value.length || from < -value.length) throw new Error('pop index out of range');
    return value.splice(from, 1)[0];
  },
  remove: (value, item) => {
    value.splice(place(value, item), 1);
    return null;
  },
  reverse: (value) => {
    value.reverse();
    return null;
  },
  sort: (value, ...args) => {
    const {
      keywords: { reverse: backwards },
    } = splitKeywords(args);
    value.sort((a, b) => order(a, b) * (truth(backwards) ? -1 : 1));
    return null;
  },
};

const bind = <Value>(methods: Methods<Value>, value: Value, key: unknown): Callable | undefined => {
  if (typeof key !== 'string' || !Object.hasOwn(methods, key)) return undefined;
  const method = methods[key]!;
  return (...args) => method(value, ...args);
};

/** The method of a value, bound to it; undefined when it has none of that name. */
export function methodOf(value: unknown, key: unknown): Callable | undefined {
  if (value instanceof Special) return typeof key === 'string' ? value.method(key) : undefined;
  if (typeof value === 'string') return bind(onText, value, key);
  const further = typeof key === 'string' ? behaviourOf(value)?.method(key, value as object) : undefined;
  if (further) return further;
  if (Array.isArray(value)) return bind(onList, value, key);
  return isDict(value) ? bind(onDict, value, key) : undefined;
}

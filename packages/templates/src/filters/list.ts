import { type Callable, named, splitKeywords, whole } from '../values/arguments.ts';
import { attribute, entries, equal, group, isDict, items, number, order, own, text, truth } from '../values/values.ts';

const lowered = (value: unknown, caseSensitive: unknown): unknown =>
  typeof value === 'string' && !caseSensitive ? value.toLowerCase() : value;
const pick = (value: unknown, path: unknown): unknown =>
  path === undefined || path === null ? value : attribute(value, path);

function batch(value: unknown, size: unknown, fill: unknown): unknown[][] {
  const [all, count] = [items(value), Math.max(whole(size, 1), 1)];
  const result: unknown[][] = [];
  for (let i = 0; i < all.length; i += count) result.push(all.slice(i, i + count));
  const last = result.at(-1);
  if (last && fill !== undefined && fill !== null) while (last.length < count) last.push(fill);
  return result;
}

function slice(value: unknown, count: unknown, fill: unknown): unknown[][] {
  const [all, columns] = [items(value), Math.max(whole(count, 1, 1000), 1)];
  const [size, larger] = [Math.floor(all.length / columns), all.length % columns];
  let from = 0;
  return Array.from({ length: columns }, (_, i) => {
    const column = all.slice(from, from + size + (i < larger ? 1 : 0));
    from += column.length;
    return fill !== undefined && fill !== null && i >= larger && larger > 0 ? [...column, fill] : column;
  });
}

const sorted = (list: readonly unknown[], path: unknown, caseSensitive: unknown, reverse: unknown): unknown[] => {
  const keys = path === undefined || path === null ? null : text(path).split(',');
  const key = (value: unknown) =>
    keys ? keys.map((each) => lowered(attribute(value, each), caseSensitive)) : lowered(value, caseSensitive);
  const direction = truth(reverse) ? -1 : 1;
  return list
    .map((value) => ({ value, key: key(value) }))
    .sort((a, b) => order(a.key, b.key) * direction)
    .map(({ value }) => value);
};

function groupby(value: unknown, path: unknown, fallback: unknown): unknown[] {
  const groups: { grouper: unknown; list: unknown[] }[] = [];
  for (const item of sorted(items(value), path, false, false)) {
    const grouper = pick(item, path) ?? fallback;
    const last = groups.at(-1);
    if (last && equal(lowered(last.grouper, false), lowered(grouper, false))) last.list.push(item);
    else groups.push({ grouper, list: [item] });
  }
  return groups.map(({ grouper, list }) => group(grouper, list));
}

const extreme = (direction: 1 | -1): Callable =>
  named(['case_sensitive', 'attribute'], (value, caseSensitive, path) => {
    const list = sorted(items(value), path, caseSensitive, false);
    return direction < 0 ? list[0] : list.at(-1);
  });

function unique(value: unknown, caseSensitive: unknown, path: unknown): unknown[] {
  const seen = new Set<string>();
  return items(value).filter((item) => {
    const key = text([lowered(pick(item, path), caseSensitive)]);
    return !seen.has(key) && seen.add(key);
  });
}

type Find = (name: string) => Callable | undefined;

const select =
  (test: Find, wanted: boolean, byAttribute: boolean): Callable =>
  (value, ...args) => {
    const [path, rest] = byAttribute ? [args[0], args.slice(1)] : [undefined, args];
    const [name, ...operands] = rest;
    const run = name === undefined ? truth : test(text(name));
    if (!run) throw new Error(`No test named '${text(name)}'.`);
    return items(value).filter((item) => truth(run(pick(item, path), ...operands)) === wanted);
  };

const map =
  (filter: Find): Callable =>
  (value, ...args) => {
    const { positional, keywords } = splitKeywords(args);
    if (Object.hasOwn(keywords, 'attribute'))
      return items(value).map((item) => attribute(item, keywords.attribute) ?? keywords.default);
    const name = text(positional[0]);
    const run = filter(name);
    if (!run) throw new Error(`No filter named '${name}'.`);
    return items(value).map((item) => run(item, ...args.slice(1)));
  };

function dictsort(value: unknown, caseSensitive: unknown, by: unknown, reverse: unknown): unknown[] {
  if (!isDict(value)) return [];
  const place = by === 'value' ? 1 : 0;
  return sorted(entries(value), String(place), caseSensitive, reverse);
}

/** A text as Python's `int` reads it: digits of the base, with its prefix or without. */
function readWhole(value: string, base: number): number {
  const plain = value.trim().replaceAll(/(?<=[0-9a-zA-Z])_(?=[0-9a-zA-Z])/g, '');
  const prefix = { 2: /^([-+]?)0b/i, 8: /^([-+]?)0o/i, 16: /^([-+]?)0x/i }[base];
  const digits = prefix ? plain.replace(prefix, '$1') : plain;
  const allowed = '0123456789abcdefghijklmnopqrstuvwxyz'.slice(0, base);
  if (
    /^[-+]?[0-9a-z]+$/i.test(digits) &&
    [...digits.replace(/^[-+]/, '').toLowerCase()].every((digit) => allowed.includes(digit))
  )
    return Number.parseInt(digits, base);
  return Math.trunc(readReal(plain));
}
const readReal = (value: string): number =>
  /^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?\s*$/i.test(value) ? Number(value) : Number.NaN;

const parsed = (
  value: unknown,
  fallback: unknown,
  read: (value: string) => number,
  trunc: (value: number) => number,
): unknown => {
  const found = typeof value === 'string' ? read(value) : trunc(number(value));
  return Number.isNaN(found) ? fallback : found;
};

/** Rounds to the nearest number, and halves to the even one, as in Python. */
function nearest(value: number, precision: number): number {
  const digits = Math.max(precision, 0);
  const [, after = ''] = Math.abs(value)
    .toFixed(Math.min(digits + 40, 100))
    .split('.');
  const factor = 10 ** precision;
  if (precision > 0 && !/^50*$/.test(after.slice(digits))) return Number(value.toFixed(digits));
  const scaled = value * factor;
  return (Math.abs(scaled % 1) === 0.5 ? 2 * Math.round(scaled / 2) : Math.round(scaled)) / factor;
}

function round(value: unknown, given: unknown, method: unknown): number {
  const precision = whole(given, 0, 20);
  const factor = 10 ** precision;
  if (method === 'ceil') return Math.ceil(number(value) * factor) / factor;
  return method === 'floor' ? Math.floor(number(value) * factor) / factor : nearest(number(value), precision);
}

/** `value[start:stop:step]` */
function sliceOf(value: unknown, start: unknown, stop: unknown, step: unknown = 1): unknown {
  const list = items(value);
  const stride = step === null ? 1 : whole(step, 1);
  if (stride === 0) throw new Error('slice step cannot be zero');
  const place = (given: unknown, missing: number) => {
    if (given === null || given === undefined) return missing;
    const index = whole(given, 0, Number.MAX_SAFE_INTEGER);
    return index < 0
      ? Math.max(index + list.length, stride < 0 ? -1 : 0)
      : Math.min(index, stride < 0 ? list.length - 1 : list.length);
  };
  const [from, to] =
    stride > 0 ? [place(start, 0), place(stop, list.length)] : [place(start, list.length - 1), place(stop, -1)];
  const result: unknown[] = [];
  for (let i = from; stride > 0 ? i < to : i > to; i += stride) result.push(list[i]);
  return typeof value === 'string' ? result.join('') : result;
}

const length: Callable = (value) =>
  isDict(value)
    ? Object.keys(value).length
    : Array.isArray(value)
      ? value.length
      : typeof value === 'string'
        ? [...value].length
        : 0;
const fallback = named(['default_value', 'boolean'], (value, replacement = '', whenFalse = false) =>
  value === undefined || (truth(whenFalse) && !truth(value)) ? replacement : value,
);

export const listFilters = (filter: Find, test: Find): Record<string, Callable> => ({
  abs: (value) => Math.abs(number(value)),
  attr: (value, name) => own(value, name),
  batch: named(['linecount', 'fill_with'], batch),
  count: length,
  d: fallback,
  default: fallback,
  dictsort: named(['case_sensitive', 'by', 'reverse'], dictsort),
  first: (value) => items(value)[0],
  float: named(['default'], (value, otherwise = 0) => parsed(value, otherwise, readReal, (found) => found)),
  groupby: named(['attribute', 'default'], groupby),
  int: named(['default', 'base'], (value, otherwise = 0, base = 10) =>
    parsed(value, otherwise, (found) => readWhole(found, Math.max(whole(base, 10, 36), 2)), Math.trunc),
  ),
  items: (value) => (isDict(value) ? entries(value) : []),
  join: named(['d', 'attribute'], (value, separator = '', path) =>
    items(value)
      .map((item) => text(pick(item, path)))
      .join(text(separator)),
  ),
  last: (value) => items(value).at(-1),
  length,
  list: (value) => [...items(value)],
  map: map(filter),
  max: extreme(1),
  min: extreme(-1),
  random: (value) => items(value)[Math.floor(Math.random() * items(value).length)],
  reject: select(test, false, false),
  rejectattr: select(test, false, true),
  reverse: (value) => (typeof value === 'string' ? [...value].reverse().join('') : [...items(value)].reverse()),
  round: named(['precision', 'method'], round),
  select: select(test, true, false),
  selectattr: select(test, true, true),
  slice: named(['slices', 'fill_with'], slice),
  slice_of: sliceOf,
  sort: named(['reverse', 'case_sensitive', 'attribute'], (value, reverse, caseSensitive, path) =>
    sorted(items(value), path, caseSensitive, reverse),
  ),
  sum: named(['attribute', 'start'], (value, path, start = 0) =>
    items(value).reduce<number>((total, item) => total + number(pick(item, path)), number(start)),
  ),
  unique: named(['case_sensitive', 'attribute'], unique),
});

import { type Callable, named, splitKeywords, whole } from './arguments.ts';
import { tests } from './tests.ts';
import { attribute, equal, isDict, items, number, order, own, text, truth } from './values.ts';

const lowered = (value: unknown, caseSensitive: unknown): unknown => (typeof value === 'string' && !caseSensitive ? value.toLowerCase() : value);
const pick = (value: unknown, path: unknown): unknown => (path === undefined || path === null ? value : attribute(value, path));

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
  const key = (value: unknown) => (keys ? keys.map((each) => lowered(attribute(value, each), caseSensitive)) : lowered(value, caseSensitive));
  const direction = truth(reverse) ? -1 : 1;
  return list.map((value) => ({ value, key: key(value) })).sort((a, b) => order(a.key, b.key) * direction).map(({ value }) => value);
};

function groupby(value: unknown, path: unknown, fallback: unknown): unknown[] {
  const groups: { grouper: unknown; list: unknown[] }[] = [];
  for (const item of sorted(items(value), path, false, false)) {
    const grouper = pick(item, path) ?? fallback;
    const last = groups.at(-1);
    if (last && equal(lowered(last.grouper, false), lowered(grouper, false))) last.list.push(item);
    else groups.push({ grouper, list: [item] });
  }
  return groups.map(({ grouper, list }) => [grouper, list]);
}

const extreme = (direction: 1 | -1): Callable => named(['case_sensitive', 'attribute'], (value, caseSensitive, path) => {
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

const select = (wanted: boolean, byAttribute: boolean): Callable => (value, ...args) => {
  const [path, rest] = byAttribute ? [args[0], args.slice(1)] : [undefined, args];
  const [name, operand] = rest;
  if (name !== undefined && !Object.hasOwn(tests, text(name))) throw new Error(`No test named '${text(name)}'.`);
  const check = name === undefined ? truth : (item: unknown) => truth(tests[text(name)]!(item, operand));
  return items(value).filter((item) => check(pick(item, path)) === wanted);
};

const map = (filter: (name: string) => Callable | undefined): Callable => (value, ...args) => {
  const { positional, keywords } = splitKeywords(args);
  if (Object.hasOwn(keywords, 'attribute')) return items(value).map((item) => attribute(item, keywords.attribute) ?? keywords.default);
  const name = text(positional[0]);
  const run = filter(name);
  if (!run) throw new Error(`No filter named '${name}'.`);
  return items(value).map((item) => run(item, ...args.slice(1)));
};

function dictsort(value: unknown, caseSensitive: unknown, by: unknown, reverse: unknown): unknown[] {
  if (!isDict(value)) return [];
  const place = by === 'value' ? 1 : 0;
  return sorted(Object.entries(value).map((entry) => [...entry]), String(place), caseSensitive, reverse);
}

const parsed = (value: unknown, fallback: unknown, read: (value: string) => number): unknown => {
  const found = typeof value === 'number' ? read(String(value)) : typeof value === 'boolean' ? Number(value) : typeof value === 'string' ? read(value) : Number.NaN;
  return Number.isNaN(found) ? fallback : found;
};

function round(value: unknown, precision: unknown, method: unknown): number {
  const factor = 10 ** whole(precision, 0, 20);
  const scaled = number(value) * factor;
  const rounded = method === 'ceil' ? Math.ceil(scaled) : method === 'floor' ? Math.floor(scaled) : Math.round(scaled);
  return rounded / factor;
}

/** `value[start:stop:step]` */
function sliceOf(value: unknown, start: unknown, stop: unknown, step: unknown = 1): unknown {
  const list = items(value);
  const stride = step === null ? 1 : whole(step, 1);
  if (stride === 0) throw new Error('slice step cannot be zero');
  const place = (given: unknown, missing: number) => {
    if (given === null || given === undefined) return missing;
    const index = whole(given, 0, Number.MAX_SAFE_INTEGER);
    return index < 0 ? Math.max(index + list.length, stride < 0 ? -1 : 0) : Math.min(index, stride < 0 ? list.length - 1 : list.length);
  };
  const [from, to] = stride > 0 ? [place(start, 0), place(stop, list.length)] : [place(start, list.length - 1), place(stop, -1)];
  const result: unknown[] = [];
  for (let i = from; stride > 0 ? i < to : i > to; i += stride) result.push(list[i]);
  return typeof value === 'string' ? result.join('') : result;
}

const length: Callable = (value) => (isDict(value) ? Object.keys(value).length : Array.isArray(value) ? value.length : typeof value === 'string' ? [...value].length : 0);
const fallback = named(['default_value', 'boolean'], (value, replacement = '', whenFalse = false) =>
  (value === undefined || (truth(whenFalse) && !truth(value)) ? replacement : value));

export const listFilters = (filter: (name: string) => Callable | undefined): Record<string, Callable> => ({
  abs: (value) => Math.abs(number(value)),
  attr: (value, name) => own(value, name),
  batch: named(['linecount', 'fill_with'], batch),
  count: length,
  d: fallback,
  default: fallback,
  dictsort: named(['case_sensitive', 'by', 'reverse'], dictsort),
  first: (value) => items(value)[0],
  float: named(['default'], (value, otherwise = 0) => parsed(value, otherwise, (found) => (found.trim() === '' ? Number.NaN : Number(found)))),
  groupby: named(['attribute', 'default'], groupby),
  int: named(['default', 'base'], (value, otherwise = 0, base = 10) => parsed(value, otherwise, (found) => Number.parseInt(found, whole(base, 10, 36)))),
  items: (value) => (isDict(value) ? Object.entries(value).map((entry) => [...entry]) : []),
  join: named(['d', 'attribute'], (value, separator = '', path) => items(value).map((item) => text(pick(item, path))).join(text(separator))),
  last: (value) => items(value).at(-1),
  length,
  list: (value) => [...items(value)],
  map: map(filter),
  max: extreme(1),
  min: extreme(-1),
  pairs_of: (value) => (isDict(value) ? Object.entries(value).map((entry) => [...entry]) : items(value)),
  items_of: items,
  random: (value) => items(value)[Math.floor(Math.random() * items(value).length)],
  reject: select(false, false),
  rejectattr: select(false, true),
  reverse: (value) => (typeof value === 'string' ? [...value].reverse().join('') : [...items(value)].reverse()),
  round: named(['precision', 'method'], round),
  select: select(true, false),
  selectattr: select(true, true),
  slice: named(['slices', 'fill_with'], slice),
  slice_of: sliceOf,
  sort: named(['reverse', 'case_sensitive', 'attribute'], (value, reverse, caseSensitive, path) => sorted(items(value), path, caseSensitive, reverse)),
  sum: named(['attribute', 'start'], (value, path, start = 0) => items(value).reduce<number>((total, item) => total + number(pick(item, path)), number(start))),
  unique: named(['case_sensitive', 'attribute'], unique),
});

// The methods that templates written for NetBox call on related objects:
// `device.interfaces.filter(enabled=True).order_by('name')`. The lists are complete, so a filter is a comparison here,
// and never part of a statement.
import { splitKeywords } from '../values/arguments.ts';
import {
  attribute,
  contains,
  type Dict,
  equal,
  isDict,
  behaviourOf,
  order,
  own,
  plain,
  text,
  truth,
  tuple,
} from '../values/values.ts';

type Method = (list: unknown[], args: readonly unknown[]) => unknown;

const lower = (value: unknown): string => text(value).toLowerCase();

/** Lookups: what can follow the name of an attribute, after two underscores. */
const lookups: Readonly<Record<string, (value: unknown, wanted: unknown) => boolean>> = {
  exact: (value, wanted) => same(value, wanted),
  iexact: (value, wanted) => lower(value) === lower(wanted),
  contains: (value, wanted) => text(value).includes(text(wanted)),
  icontains: (value, wanted) => lower(value).includes(lower(wanted)),
  startswith: (value, wanted) => text(value).startsWith(text(wanted)),
  istartswith: (value, wanted) => lower(value).startsWith(lower(wanted)),
  endswith: (value, wanted) => text(value).endsWith(text(wanted)),
  iendswith: (value, wanted) => lower(value).endsWith(lower(wanted)),
  in: (value, wanted) =>
    Array.isArray(wanted) ? wanted.some((each) => same(value, each)) : contains(wanted, plain(value)),
  isnull: (value, wanted) => isMissing(value) === truth(wanted),
  gt: (value, wanted) => !isMissing(value) && order(value, wanted) > 0,
  gte: (value, wanted) => !isMissing(value) && order(value, wanted) >= 0,
  lt: (value, wanted) => !isMissing(value) && order(value, wanted) < 0,
  lte: (value, wanted) => !isMissing(value) && order(value, wanted) <= 0,
};

const isMissing = (value: unknown): boolean => value === undefined || value === null;

/** Equality, in which an object may be given by its id. */
const same = (value: unknown, wanted: unknown): boolean =>
  equal(value ?? null, wanted ?? null) ||
  (typeof wanted === 'number' && isDict(value) && behaviourOf(value)?.is !== undefined && own(value, 'id') === wanted);

/** The values at the end of a path `a__b`; of lists on the way, those of all members. */
function reached(value: unknown, path: readonly string[]): unknown[] {
  let found = [value];
  for (const name of path)
    found = found
      .flatMap((each) => (Array.isArray(each) ? each : [each]))
      .map((each) => own(each, name === 'pk' ? 'id' : name));
  return found.flatMap((each) => (Array.isArray(each) ? (each.length ? each : [null]) : [each]));
}

function matcher(args: readonly unknown[], method: string): (item: unknown) => boolean {
  const { positional, keywords } = splitKeywords(args);
  if (positional.length) throw new Error(`${method}() takes conditions by name: ${method}(name='x')`);
  const conditions = Object.entries(keywords).map(([name, wanted]) => {
    const path = name.split('__');
    const last = path.at(-1)!;
    const isLookup = path.length > 1 && Object.hasOwn(lookups, last);
    return { path: isLookup ? path.slice(0, -1) : path, matches: lookups[isLookup ? last : 'exact']!, wanted };
  });
  return (item) =>
    conditions.every(({ path, matches, wanted }) => reached(item, path).some((value) => matches(value, wanted)));
}

const dotted = (name: unknown): string => text(name).replaceAll('__', '.');

function ordered(list: readonly unknown[], names: readonly unknown[]): unknown[] {
  const terms = names.map((name) => ({
    path: dotted(name).replace(/^-/, ''),
    direction: text(name).startsWith('-') ? -1 : 1,
  }));
  return [...list].sort((a, b) =>
    terms.reduce(
      (found, { path, direction }) => found || order(plain(attribute(a, path)), plain(attribute(b, path))) * direction,
      0,
    ),
  );
}

function only(list: readonly unknown[], args: readonly unknown[]): unknown {
  const found = list.filter(matcher(args, 'get'));
  if (found.length !== 1) throw new Error(`get() found ${found.length || 'no'} objects, not one`);
  return found[0];
}

function valuesList(list: readonly unknown[], args: readonly unknown[]): unknown[] {
  const { positional, keywords } = splitKeywords(args);
  if (!positional.length)
    throw new Error("values_list() takes the names of attributes: values_list('name', flat=True)");
  const values = (item: unknown) => positional.map((name) => plain(attribute(item, dotted(name))) ?? null);
  if (truth(own(keywords, 'flat')) && positional.length !== 1) throw new Error('flat is for one attribute');
  return list.map((item) => (truth(own(keywords, 'flat')) ? values(item)[0] : tuple(values(item))));
}

const dictionaries: Method = (list, args) =>
  list.map(
    (item) =>
      Object.fromEntries(
        args
          .filter((name) => typeof name === 'string')
          .map((name) => [name, plain(attribute(item, dotted(name))) ?? null]) as [string, unknown][],
      ) as Dict,
  );

const distinct: Method = (list) =>
  list.filter((item, i) => list.findIndex((each) => each === item || equal(each, item)) === i);

const copy: Method = (list) => [...list];

/** Methods that make lists of objects again. */
export const managed: ReadonlySet<string> = new Set([
  'all',
  'filter',
  'exclude',
  'order_by',
  'reverse',
  'distinct',
  'none',
  'select_related',
  'prefetch_related',
  'values_list',
  'values',
]);

/** Methods of lists of related objects, by name; `count(x)` with an argument is the method of every list. */
export const managerMethods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['all', copy],
  ['select_related', copy],
  ['prefetch_related', copy],
  ['none', () => []],
  ['filter', (list, args) => list.filter(matcher(args, 'filter'))],
  [
    'exclude',
    (list, args) => {
      const matches = matcher(args, 'exclude');
      return list.filter((item) => !matches(item));
    },
  ],
  ['get', only],
  ['first', (list) => list[0] ?? null],
  ['last', (list) => list.at(-1) ?? null],
  ['count', (list, args) => (args.length ? list.filter((each) => equal(each, args[0])).length : list.length)],
  ['exists', (list) => list.length > 0],
  ['order_by', ordered],
  ['reverse', (list) => [...list].reverse()],
  ['distinct', distinct],
  ['values_list', valuesList],
  ['values', dictionaries],
]);

import type { LookupFamily } from '../types/column.ts';
import type { Lookup } from '../types/filter.ts';

const is = (compare: Lookup['compare'], negated = false): Lookup => ({ compare, negated });

const EXACT = { '': is('exact') };
const NOT = { ...EXACT, n: is('exact', true) };
const EMPTY: Lookup = { ...is('empty'), value: 'boolean' };
/** For everything that is compared as text: choices, object types and (but for `empty`) hardware addresses as well. */
const TEXT = {
  ...NOT,
  ic: is('contains'),
  nic: is('contains', true),
  isw: is('startsWith'),
  nisw: is('startsWith', true),
  iew: is('endsWith'),
  niew: is('endsWith', true),
  ie: is('iexact'),
  nie: is('iexact', true),
  empty: EMPTY,
  regex: is('regex'),
  iregex: is('iregex'),
};
const { empty: _, ...ADDRESS } = TEXT;
const ORDERED = { ...NOT, lt: is('lt'), lte: is('lte'), gt: is('gt'), gte: is('gte'), empty: EMPTY };

/**
 * The suffixes of every family; the empty one is the filter's plain name. Custom fields and members of JSON columns have
 * the lookups of the family that their type belongs to.
 */
export const lookups: Record<LookupFamily, Record<string, Lookup>> = {
  string: TEXT,
  choice: TEXT,
  oneChoice: TEXT,
  objectTypes: TEXT,
  objectType: NOT,
  number: ORDERED,
  decimal: ORDERED,
  datetime: ORDERED,
  date: ORDERED,
  numbers: ORDERED,
  instant: { ...EXACT, gte: is('gte'), lte: is('lte') },
  boolean: EXACT,
  uuid: EXACT,
  strings: NOT,
  mac: ADDRESS,
  wwn: ADDRESS,
};

/** `name__ic` → `['name', 'ic']`; names may hold `__` themselves, the longest known name wins elsewhere. */
export function splitLookup(parameter: string): [name: string, suffix: string] {
  const at = parameter.lastIndexOf('__');
  return at <= 0 ? [parameter, ''] : [parameter.slice(0, at), parameter.slice(at + 2)];
}

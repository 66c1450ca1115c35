import type { Filter, Lookup } from '../types/filter.ts';
import { lookups, splitLookup } from './lookups.ts';

/** A parameter's filter and lookup, or undefined when there is none of that name. */
export function filterNamed(known: Record<string, Filter>, parameter: string): [Filter, Lookup, string] | undefined {
  const whole = own(known, parameter);
  if (whole && whole.kind !== 'keyed') return [whole, { compare: 'exact', negated: false }, ''];
  const [name, suffix] = splitLookup(parameter);
  const filter = own(known, name);
  const lookup = filter && suffix ? own(lookupsOf(filter), suffix) : undefined;
  return filter && lookup ? [filter, lookup, suffix] : undefined;
}

/** The member with a name that a client gave; those that every object inherits (`constructor` …) do not count. */
const own = <T>(object: Record<string, T>, name: string): T | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

const PLAIN: Record<string, Lookup> = { '': { compare: 'exact', negated: false } };
const NEGATABLE: Record<string, Lookup> = { ...PLAIN, n: { compare: 'exact', negated: true } };

/** `any` of a tag filter is distinguished from the plain filter by its own comparison. */
const TAG: Record<string, Lookup> = { ...NEGATABLE, any: { compare: 'contains', negated: false } };

/** The lookups of a filter by suffix. */
export function lookupsOf(filter: Filter): Record<string, Lookup> {
  if (filter.kind === 'column' && filter.compare) return PLAIN;
  if (filter.kind === 'column' || filter.kind === 'through') return lookups[filter.family];
  if (filter.kind === 'typeId' && filter.ordered) return lookups.number;
  if (filter.kind === 'related' || filter.kind === 'typeId') return NEGATABLE;
  if (filter.kind === 'tag') return TAG;
  // Its parameters depend on the keys, which are not known here.
  if (filter.kind === 'keyed') return {};
  if (filter.kind === 'either')
    return Object.fromEntries(
      Object.entries(lookupsOf(filter.of[0]!)).filter(([suffix]) =>
        filter.of.every((part) => suffix in lookupsOf(part)),
      ),
    );
  return PLAIN;
}

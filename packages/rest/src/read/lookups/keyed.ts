import { type Filter, type Lookup, lookups, quote, splitLookup } from '@cadastre/model';
import { compare, type Comparing } from './compare.ts';

interface KeyedFilter {
  field: string;
  key: string;
  lookup: Lookup;
}

const ORDERED = new Set<Lookup['compare']>(['lt', 'lte', 'gt', 'gte']);
const LOOKUPS: Record<string, Lookup> = {
  ...lookups.string,
  lt: lookups.number['lt']!,
  lte: lookups.number['lte']!,
  gt: lookups.number['gt']!,
  gte: lookups.number['gte']!,
};

/**
 * What `attr_<key>` and its lookups compare; undefined where the model has no such filter. A key may hold `__` itself.
 */
export function keyedFilterNamed(known: Record<string, Filter>, parameter: string): KeyedFilter | undefined {
  for (const [prefix, filter] of Object.entries(known)) {
    if (filter.kind !== 'keyed' || !parameter.startsWith(prefix) || parameter === prefix) continue;
    const whole = parameter.slice(prefix.length);
    const [key, suffix] = splitLookup(whole);
    return suffix && Object.hasOwn(LOOKUPS, suffix)
      ? { field: filter.field, key, lookup: LOOKUPS[suffix]! }
      : { field: filter.field, key: whole, lookup: LOOKUPS['']! };
  }
  return undefined;
}

/** SQL condition on a member of a JSON column: compared as text, or as a number where there is one to compare. */
export function keyedCondition(
  { field, key, lookup }: KeyedFilter,
  values: string[],
  comparing: Comparing,
): string | undefined {
  const column = `t.${quote(field)}`;
  const bound = comparing.binder.bind(key);
  const text = `(${column} ->> ${bound})`;
  if (!ORDERED.has(lookup.compare))
    return compare(
      { sql: text, type: 'text', array: false },
      'string',
      lookup,
      lookup.compare === 'exact' ? values.flatMap(asStored) : values,
      comparing,
    );
  return compare(
    {
      sql: `(case jsonb_typeof(${column} -> ${bound}) when 'number' then ${text}::numeric end)`,
      type: 'numeric',
      array: false,
    },
    'decimal',
    lookup,
    values,
    comparing,
  );
}

/** A number is stored as JSON has it, however it was written: `2.0` is 2. */
function asStored(value: string): string[] {
  const number = /^[-+]?\d{1,15}(\.\d{1,15})?$/.test(value) ? String(Number(value)) : value;
  return number === value ? [value] : [value, number];
}

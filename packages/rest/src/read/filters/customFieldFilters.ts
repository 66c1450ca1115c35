import { type Lookup, type LookupFamily, lookups, momentOf, splitLookup } from '@cadastre/model';
import type { CustomField } from '../../cache/customFieldDefinitions.ts';
import { likeText } from '../../db/sql.ts';
import { truthy } from '../query/query.ts';
import { compare, type Comparing } from '../lookups/compare.ts';

const FAMILIES: Record<string, LookupFamily> = {
  text: 'string',
  longtext: 'string',
  url: 'string',
  integer: 'number',
  decimal: 'decimal',
  boolean: 'boolean',
  date: 'date',
  datetime: 'datetime',
  select: 'string',
  json: 'string',
};

/** Choices and objects can only be compared for equality, or for whether there are any. */
const OBJECTS: Record<string, Lookup> = {
  '': { compare: 'exact', negated: false },
  n: { compare: 'exact', negated: true },
  empty: { compare: 'empty', negated: false },
};

/** The lookups of the filter of a custom field. */
function customFieldLookups(field: CustomField): Record<string, Lookup> {
  const family = FAMILIES[field.type];
  return family ? lookups[family] : OBJECTS;
}

interface CustomFilter {
  field: CustomField;
  lookup: Lookup;
  suffix: string;
}

/** What `cf_<name>` and its lookups filter by; undefined for a field that the type does not have. */
export function customFilterNamed(fields: readonly CustomField[], parameter: string): CustomFilter | undefined {
  const [name, suffix] = fields.some((f) => `cf_${f.name}` === parameter) ? [parameter, ''] : splitLookup(parameter);
  const field = fields.find((f) => `cf_${f.name}` === name && f.filterLogic !== 'disabled');
  const all = field && customFieldLookups(field);
  const lookup = all && Object.hasOwn(all, suffix) ? all[suffix] : undefined;
  return field && lookup ? { field, lookup, suffix } : undefined;
}

/** SQL condition of a filter by a custom field; undefined when the values do not narrow. */
export function customFieldCondition(
  { field, lookup, suffix }: CustomFilter,
  values: string[],
  comparing: Comparing,
): string | undefined {
  // A value that is neither true nor false does not narrow; that is decided before anything is bound, as PostgreSQL
  // rejects a bound value that no condition uses.
  if (field.type === 'boolean' && suffix === '' && !/^(true|false|1|0|null)$/i.test(values.at(-1)!)) return undefined;
  const key = comparing.binder.bind(field.name);
  const none = withoutValue(key, field);
  if (lookup.compare === 'empty' && !FAMILIES[field.type]) return truthy(values.at(-1)!) ? none : `not (${none})`;
  const nulls = lookup.compare === 'exact' && values.includes('null');
  const rest = nulls ? values.filter((v) => v !== 'null') : values;
  if (!nulls) return valueCondition(key, field, lookup, suffix, values, comparing);
  // A negated lookup negates both alternatives together.
  const some = rest.length ? valueCondition(key, field, { ...lookup, negated: false }, '', rest, comparing) : undefined;
  return negatable(lookup, some ? `(${some} or ${none})` : none);
}

/** That an object has no value in a field. */
function withoutValue(key: string, { type }: CustomField): string {
  if (type === 'multiselect' || type === 'multiobject')
    return `coalesce(t.custom_fields -> ${key}, 'null') in ('null', '[]')`;
  return `coalesce(t.custom_fields ->> ${key}, '') = ''`;
}

/** SQL condition on what stands in a field; undefined after `fail`. */
function valueCondition(
  key: string,
  field: CustomField,
  lookup: Lookup,
  suffix: string,
  values: string[],
  comparing: Comparing,
): string | undefined {
  const text = `(t.custom_fields ->> ${key})`;
  if (field.type === 'multiselect' || field.type === 'multiobject')
    return several(key, field, lookup, values, comparing);
  if (field.type === 'object') {
    if (values.some((v) => !/^\d{1,18}$/.test(v))) return void comparing.fail('Enter a whole number.');
    return negatable(lookup, `${text} = any(${comparing.binder.bind(values)}::text[])`);
  }
  const family = FAMILIES[field.type] ?? 'string';
  if (suffix === '' && family === 'string' && field.type !== 'select' && field.filterLogic === 'loose') {
    return `${text} ilike any(${comparing.binder.bind(values.map((v) => `%${likeText(v)}%`))}::text[])`;
  }
  const cast =
    { number: '::bigint', decimal: '::numeric', boolean: '::boolean', date: '::date', datetime: '::timestamptz' }[
      family as 'number'
    ] ?? '';
  const type =
    { number: 'bigint', decimal: 'numeric', date: 'date', datetime: 'timestamptz' }[family as 'number'] ?? 'text';
  if (family === 'datetime' && values.some((v) => momentOf(v) === undefined))
    return void comparing.fail('Enter a valid date/time.');
  return compare({ sql: cast ? `(${text})${cast}` : text, type, array: false }, family, lookup, values, comparing);
}

function several(
  key: string,
  field: CustomField,
  lookup: Lookup,
  values: string[],
  comparing: Comparing,
): string | undefined {
  const numeric = field.type === 'multiobject';
  if (numeric && values.some((v) => !/^\d{1,18}$/.test(v))) return void comparing.fail('Enter a whole number.');
  const hits = values.map(
    (v) => `t.custom_fields -> ${key} @> ${comparing.binder.bind(JSON.stringify(numeric ? Number(v) : v))}::jsonb`,
  );
  return negatable(lookup, `(${hits.join(' or ')})`);
}

const negatable = (lookup: Lookup, positive: string): string =>
  lookup.negated ? `(${positive}) is not true` : positive;

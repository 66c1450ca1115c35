import { type Filter, filterNamed, type Lookup, type Model } from '@cadastre/model';
import { refuse } from '../../core/errors.ts';
import type { Query } from '../query/query.ts';
import { compare, type Comparing } from '../lookups/compare.ts';
import { customFieldCondition, customFilterNamed } from './customFieldFilters.ts';
import { keyedCondition, keyedFilterNamed } from '../lookups/keyed.ts';
import { type FilterContext, sqlContext } from './context.ts';
import { comparisonOf, counted, operandOf } from './operand.ts';
import { search } from './search.ts';
import { typeIds } from './types.ts';
import { tag } from './tag.ts';
import { related, through } from './related.ts';
import { request, byMethod, byObjects } from './byHand.ts';
import { visibleAboutOnly } from './visibleOnly.ts';

/** The conditions of a request's filters, and what they depend on. */
export interface Conditions {
  sql: string[];
  /** Types whose objects the conditions look at, besides the model's own. */
  types: Set<string>;
  /** Parameters that hold regular expressions. */
  regexes: string[];
}

/** @throws Refusal 400 that names every parameter with a wrong value */
export async function conditionsOf(
  model: Model,
  filters: Query['filters'],
  context: FilterContext,
): Promise<Conditions> {
  const known = context.tables.catalogue.filtersOf(model);
  const out: Conditions = { sql: [], types: new Set(), regexes: [] };
  const errors: Record<string, string[]> = {};
  for (const [parameter, given] of filters) {
    const values = given.filter((v) => v !== '');
    const found = filterNamed(known, parameter);
    if (!found) {
      const member = keyedFilterNamed(known, parameter);
      if (member) {
        if (values.length) add(keyedCondition(member, values, comparing(parameter)));
        continue;
      }
      const custom = parameter.startsWith('cf_')
        ? customFilterNamed(context.definitions.of(model.name), parameter)
        : undefined;
      if (custom && values.length) add(customFieldCondition(custom, values, comparing(parameter)));
      if (!custom && context.strict) errors[parameter] = ['Unknown filter.'];
      continue;
    }
    if (values.length)
      add(await condition(model, found[0], found[1], values, context, comparing(parameter), out.types));
  }
  if (Object.keys(errors).length) throw Object.assign(refuse(400, ''), { body: errors });
  return out;

  function add(sql: string | undefined): void {
    if (sql) out.sql.push(sql);
  }
  function comparing(parameter: string): Comparing {
    return {
      binder: context.binder,
      maxRegexLength: context.maxRegexLength,
      maxRegexSize: context.maxRegexSize,
      fail: (message) => {
        (errors[parameter] ??= []).push(message);
      },
      regex: () => {
        out.regexes.push(parameter);
      },
    };
  }
}

async function condition(
  model: Model,
  filter: Filter,
  lookup: Lookup,
  values: string[],
  context: FilterContext,
  comparing: Comparing,
  types: Set<string>,
): Promise<string | undefined> {
  const { tables } = context;
  switch (filter.kind) {
    case 'column':
      // A filter must not let a requester find out a secret by trying values; it may only say whether there is one.
      if (model.fields[filter.field]?.secret && lookup.compare !== 'empty') return lookup.negated ? undefined : 'false';
      return visibleAboutOnly(
        model,
        filter.field,
        compare(
          counted(model, filter.field, tables, types) ?? operandOf(model, filter.field, 't'),
          filter.family,
          comparisonOf(filter, lookup),
          values,
          comparing,
        ),
        context,
      );
    case 'search':
      return search(model, values, sqlContext(context, types), context, types);
    case 'request':
      return request(model, filter.actions, values, comparing);
    case 'tag':
      return tag(filter.by, lookup, values, context, comparing, types);
    case 'typeId':
      return typeIds(model, tables.catalogue, filter.field, lookup, values, comparing);
    case 'related':
      return related(model, filter, lookup, values, context, comparing, types);
    case 'through':
      return through(model, filter, lookup, values, context, comparing, types);
    case 'keyed':
      return undefined;
    case 'either':
      return either(model, filter.of, lookup, values, context, comparing, types);
    case 'method':
      return byMethod(filter, values, context, comparing, types);
    case 'objects':
      return byObjects(filter, values, context, comparing, types);
  }
}

/**
 * The condition that at least one of the filters matches. A value must be valid for one of them, not for each; `null`
 * means objects that have none of what the filters ask for. A filter whose path leads over a model that does not exist
 * (yet) matches nothing.
 */
async function either(
  model: Model,
  filters: readonly Filter[],
  lookup: Lookup,
  values: string[],
  context: FilterContext,
  comparing: Comparing,
  types: Set<string>,
): Promise<string | undefined> {
  const positive: Lookup = { ...lookup, negated: false };
  const known = filters.filter((part) => !('path' in part) || context.tables.catalogue.steps(model, part.path));
  const parts = known.length ? known : filters.slice(0, 1);
  const nulls = parts.every((part) => part.kind === 'related') && values.includes('null');
  const rest = nulls ? values.filter((v) => v !== 'null') : values;
  const understood = new Set<string>();
  const problems = new Map<string, string>();
  const any: string[] = [];
  const attempt = async (part: Filter, given: string[]): Promise<boolean> => {
    let failed = false;
    const sql = await condition(
      model,
      part,
      positive,
      given,
      context,
      {
        ...comparing,
        fail: (message) => {
          failed = true;
          problems.set(given[0]!, message);
        },
      },
      types,
    );
    if (failed) return false;
    for (const value of given) understood.add(value);
    if (sql) any.push(sql);
    return true;
  };
  for (const part of rest.length ? parts : [])
    if (!(await attempt(part, rest)) && rest.length > 1) for (const value of rest) await attempt(part, [value]);
  const unknown = rest.find((value) => !understood.has(value));
  if (unknown !== undefined) return void comparing.fail(problems.get(unknown)!);
  if (nulls) {
    const none: string[] = [];
    for (const part of parts) none.push((await condition(model, part, positive, ['null'], context, comparing, types))!);
    any.push(`(${none.join(' and ')})`);
  }
  if (!any.length) return undefined;
  const whole = any.length > 1 ? `(${any.join(' or ')})` : any[0]!;
  return lookup.negated ? `(${whole}) is not true` : whole;
}

import type { Filter, Lookup, Model, Step } from '@cadastre/model';
import type { Tables } from '../../db/tables.ts';
import { truthy } from '../query/query.ts';
import { compare, type Comparing } from '../lookups/compare.ts';
import { type FilterContext, idsOf } from './context.ts';
import { operandOf } from './operand.ts';
import { and, type VisibleSql, visibleOnly, isBriefed } from './visibleOnly.ts';
import { walk } from './walk.ts';

type Related = Extract<Filter, { kind: 'related' }>;

export async function related(
  model: Model,
  filter: Related,
  lookup: Lookup,
  values: string[],
  context: FilterContext,
  comparing: Comparing,
  types: Set<string>,
): Promise<string | undefined> {
  const steps = context.tables.catalogue.steps(model, filter.path);
  const target = steps?.at(-1)?.to;
  const nulls = values.includes('null');
  const rest = values.filter((v) => v !== 'null');
  if (!steps || !target || !context.tables.has(target)) {
    // There are no objects of that type (yet), so no value names one.
    if (rest.length)
      return void comparing.fail(`Select a valid choice. ${rest[0]} is not one of the available choices.`);
    return lookup.negated ? 'false' : 'true';
  }
  for (const step of steps) types.add(step.to);
  const ids = rest.length
    ? await idsOf({ type: target, by: filter.by ?? 'id', values: rest, tree: filter.tree ?? false }, context, comparing)
    : [];
  if (!ids) return undefined;
  const parts: string[] = [];
  if (ids.length)
    parts.push(walk(context.tables, steps, 't', { kind: 'ids', bound: `${context.binder.bind(ids)}::bigint[]` }));
  if (nulls) parts.push(leadsNowhere(context.tables, steps));
  const positive = parts.length > 1 ? `(${parts.join(' or ')})` : parts[0]!;
  return lookup.negated ? `(${positive}) is not true` : positive;
}

/** The condition that a chain of relations reaches nothing. */
const leadsNowhere = (tables: Tables, steps: Step[], seen?: VisibleSql): string =>
  `(${walk(tables, steps, 't', { kind: 'some' }, seen)}) is not true`;

export async function through(
  model: Model,
  filter: Extract<Filter, { kind: 'through' }>,
  lookup: Lookup,
  values: string[],
  context: FilterContext,
  comparing: Comparing,
  types: Set<string>,
): Promise<string | undefined> {
  const { tables } = context;
  const steps = tables.catalogue.steps(model, filter.path);
  const target = steps?.at(-1)?.to;
  if (!steps || !target || !tables.has(target)) return lookup.negated ? undefined : 'false';
  for (const step of steps) types.add(step.to);
  const inner = compare(
    operandOf(tables.catalogue.get(target), filter.field, 'x'),
    filter.family,
    { ...lookup, negated: false },
    values,
    comparing,
  );
  if (!inner) return undefined;
  const seen =
    lookup.compare === 'exact' || isBriefed(tables.catalogue, model, filter.path, filter.field)
      ? undefined
      : visibleOnly(context, types);
  const found = walk(
    tables,
    steps,
    't',
    { kind: 'select', sql: `select x.id from ${tables.nameOf(target)} x where ${inner}${and(seen?.(target, 'x'))}` },
    seen,
  );
  // An object whose chain of relations leads nowhere is empty, too.
  const isEmpty = lookup.compare === 'empty' && truthy(values.at(-1)!);
  const positive = isEmpty ? `(${found} or ${leadsNowhere(tables, steps, seen)})` : found;
  return lookup.negated ? `(${positive}) is not true` : positive;
}

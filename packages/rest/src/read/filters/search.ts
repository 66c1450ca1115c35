import {
  addressText,
  type FilterSql,
  type Model,
  networkOf,
  searchPlace,
  type SearchManner,
  sortedBy,
} from '@cadastre/model';
import { type Binder, likeText } from '../../db/sql.ts';
import type { Operand } from '../lookups/compare.ts';
import type { FilterContext } from './context.ts';
import { operandOf } from './operand.ts';
import { and, visibleOnly, isBriefed, visibleAboutOnly } from './visibleOnly.ts';
import { walk } from './walk.ts';

export function search(
  model: Model,
  values: string[],
  sql: FilterSql,
  context: FilterContext,
  types: Set<string>,
): string | undefined {
  const { tables, binder } = context;
  const text = values.at(-1)!.trim();
  if (!text || !(model.search.length || model.searchBy)) return undefined;
  let pattern: string | undefined;
  const holds = (at: Model, field: string, alias: string, manner: SearchManner): string | undefined => {
    const operand = operandOf(at, field, alias);
    if (manner === 'whole') return wholeValue(operand, text, binder);
    return `${operand.sql}${/char|text/.test(operand.type) && !operand.array ? '' : '::text'} ilike ${(pattern ??= binder.bind(`%${likeText(text)}%`))}`;
  };
  const places = model.search.flatMap((name) => {
    const { path, field, manner } = searchPlace(name);
    if (!path.length) return visibleAboutOnly(model, field, holds(model, field, 't', manner), context) ?? [];
    const steps = tables.catalogue.steps(model, path);
    const target = steps?.at(-1)?.to;
    const found =
      steps && target && tables.has(target) ? holds(tables.catalogue.get(target), field, 'x', manner) : undefined;
    if (!steps || !target || !found) return [];
    for (const step of steps) types.add(step.to);
    const seen =
      manner === 'whole' || isBriefed(tables.catalogue, model, path, field) ? undefined : visibleOnly(context, types);
    return walk(
      tables,
      steps,
      't',
      { kind: 'select', sql: `select x.id from ${tables.nameOf(target)} x where ${found}${and(seen?.(target, 'x'))}` },
      seen,
    );
  });
  const more = model.searchBy?.(sql, text);
  if (more) places.push(more);
  return places.length ? `(${places.join(' or ')})` : 'false';
}

/** That a column has a value, or undefined for what cannot be one. */
function wholeValue({ sql, type }: Operand, text: string, { bind }: Binder): string | undefined {
  if (type === 'inet') {
    const address = networkOf(text);
    return (
      address && `${sortedBy({ order: 'host' }, sql)} = ${bind(addressText(address.family, address.address))}::inet`
    );
  }
  if (/int|numeric/.test(type)) return /^[-+]?\d{1,18}$/.test(text) ? `${sql} = ${bind(text)}::bigint` : undefined;
  return `${sql} = ${bind(text)}`;
}

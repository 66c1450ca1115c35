import { columnName, type Field, type Filter, type Lookup, type Model, quote } from '@cadastre/model';
import type { Tables } from '../../db/tables.ts';
import type { Operand } from '../lookups/compare.ts';
import { reverseOrder } from '../../order/reverseOrder.ts';

/** How a column is compared: in the one way that its filter prescribes, or as the request asks. */
export function comparisonOf(filter: Extract<Filter, { kind: 'column' }>, lookup: Lookup): Lookup {
  if (filter.compare) return { compare: filter.compare, negated: false };
  return filter.caseless && lookup.compare === 'exact' && !lookup.negated
    ? { compare: 'iexact', negated: false }
    : lookup;
}

/** A count as a number to compare, or undefined for a field that is not a count. */
export function counted(model: Model, name: string, tables: Tables, types: Set<string>): Operand | undefined {
  const field = model.fields[name];
  if (!field?.reverse) return undefined;
  for (const type of tables.catalogue.countedOver(field)) types.add(type);
  return { sql: reverseOrder(tables, model, field)[0] ?? '0', type: 'bigint', array: false };
}

/** A column of a model in a statement where its table has the alias. */
export function operandOf(model: Model, name: string, alias: string): Operand {
  if (name === 'id') return { sql: `${alias}.id`, type: 'bigint', array: false };
  const field: Field = model.fields[name]!;
  const type = field.column!.type;
  return {
    sql: `${alias}.${quote(columnName(name, field))}`,
    type: type.replace(/\[\]$/, '').replace(/\(.*\)/, ''),
    array: type.endsWith('[]'),
    ...(field.choices ? { choices: field.choices } : {}),
  };
}

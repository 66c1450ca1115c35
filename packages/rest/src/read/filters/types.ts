import { type Catalogue, type Lookup, type Model, typeId } from '@cadastre/model';
import { compare, type Comparing } from '../lookups/compare.ts';
import { operandOf } from './operand.ts';

export function typeIds(
  model: Model,
  catalogue: Catalogue,
  field: string,
  lookup: Lookup,
  values: string[],
  comparing: Comparing,
): string | undefined {
  const operand = operandOf(model, field, 't');
  if (lookup.compare === 'empty')
    return compare(operand, operand.array ? 'objectTypes' : 'objectType', lookup, values, comparing);
  if (lookup.compare !== 'exact')
    return `${operand.sql} = any(${comparing.binder.bind(typesBeside(catalogue, lookup.compare, values))}::varchar[])`;
  const names: string[] = [];
  for (const value of values) {
    const type = /^\d{1,10}$/.test(value) ? catalogue.typeById(Number(value)) : undefined;
    if (type === undefined)
      return void comparing.fail(`Select a valid choice. ${value} is not one of the available choices.`);
    names.push(type);
  }
  return compare(operand, operand.array ? 'objectTypes' : 'objectType', lookup, names, comparing);
}

const BESIDE: Partial<Record<Lookup['compare'], (a: number, b: number) => boolean>> = {
  lt: (a, b) => a < b,
  lte: (a, b) => a <= b,
  gt: (a, b) => a > b,
  gte: (a, b) => a >= b,
};

/** The types whose number is beyond one of the values. */
function typesBeside(catalogue: Catalogue, comparison: Lookup['compare'], values: string[]): string[] {
  const holds = BESIDE[comparison];
  return [...catalogue.models.keys()].filter(
    (type) => holds && values.some((value) => holds(typeId(type), Number(value))),
  );
}

import type { Json, Model, Values } from '@cadastre/model';
import { uniqueRules } from '../../write/check/unique.ts';
import type { Item } from '../../write/context/item.ts';

/**
 * Whether an existing object is the one to be imported, although it was not imported before: because both have the same
 * value of something unique (the name of the first user, say).
 */
export function isTheSame(model: Model, there: Values, coming: Item): boolean {
  const comingValue = (field: string): Json => {
    const [reference] = coming.references.get(field) ?? [];
    return reference && 'id' in reference ? reference.id : (coming.values[field] ?? null);
  };
  return uniqueRules(model).some(
    ({ each }) =>
      each.every((field) => JSON.stringify(comingValue(field)) === JSON.stringify(there[field] ?? null)) &&
      each.some((field) => (there[field] ?? null) !== null),
  );
}

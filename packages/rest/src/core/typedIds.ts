import { typeId } from '@cadastre/model';

/** Objects by their type. */
export interface TypedIds {
  type: string;
  ids: number[];
}

/** The same for a statement: a list of types' numbers, and one of ids. */
export function columnsOf(objects: readonly TypedIds[]): [types: number[], ids: number[]] {
  const types: number[] = [];
  const all: number[] = [];
  for (const { type, ids } of objects) {
    const number = typeId(type);
    for (const id of ids) {
      types.push(number);
      all.push(id);
    }
  }
  return [types, all];
}

/** Objects that are given one by one. */
export const byType = (objects: Iterable<{ type: string; id: number }>): TypedIds[] => {
  const types = new Map<string, Set<number>>();
  for (const { type, id } of objects) {
    const ids = types.get(type);
    if (ids) ids.add(id);
    else types.set(type, new Set([id]));
  }
  return [...types].map(([type, ids]) => ({ type, ids: [...ids] }));
};

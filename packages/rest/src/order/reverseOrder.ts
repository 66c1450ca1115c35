import { columnName, type Field, type Model, quote, reachedBy } from '@cadastre/model';
import { pointersSql } from '../db/pointers.ts';
import type { Tables } from '../db/tables.ts';

/** Sorts by how many objects point at each one. */
export function reverseOrder(tables: Tables, model: Model, field: Field): string[] {
  const { from, field: name, cumulative } = field.reverse!;
  if (from === '*' || !tables.catalogue.has(from) || !tables.has(from)) return [];
  const readContext = tables.catalogue.get(from);
  const other = readContext.fields[name]!;
  const reached = reachedBy(other, name, model);
  if (reached) return [`(select count(*) from ${pointersSql(tables, readContext, reached)} s where s.at = t.id)`];
  const column = `s.${quote(columnName(name, other))}`;
  const table = tables.nameOf(from);
  // An object that points at several objects below counts once.
  if (cumulative && other.relation?.many)
    return [
      `(select count(*) from ${table} s where exists (select 1 from ${tables.nameOf(model.name)} d where d.id = any(${column}) and d."_path" @> array[t.id]))`,
    ];
  if (cumulative)
    return [
      `(select count(*) from ${table} s join ${tables.nameOf(model.name)} d on ${column} = d.id where d."_path" @> array[t.id])`,
    ];
  return [
    `(select count(*) from ${table} s where ${other.relation?.many ? `${column} @> array[t.id]` : `${column} = t.id`})`,
  ];
}

import { columnName, quote } from '@cadastre/model';
import type { Engine } from '../engine.ts';
import { rowsOf } from '../query/sql.ts';
import type { Kept } from './kept.ts';
import { anyPlace, tablePlace } from './place.ts';

/** Objects of a replica's type that this service's own refer to, and that are not here. One statement for each field that refers to them. */
export async function strayReferences({ tables, pool }: Engine, { type, owner, table }: Kept): Promise<number[]> {
  if (owner === tables.service) return [];
  const place = table ? tablePlace(tables, type) : anyPlace(tables, type), found = new Set<number>();
  const absent = (id: string) => `not exists (select from ${place.table} t where ${place.only} and t.id = ${id})`;
  for (const { model, field, many, generic } of tables.catalogue.incoming(type)) {
    if (!tables.owns(model.name)) continue;
    const column = (name: string) => `o.${quote(columnName(name, model.fields[name]!))}`, from = tables.nameOf(model.name), { generic: pointer } = model.fields[field]!;
    const text = generic ? `select distinct ${column(pointer!.idField)} from ${from} o where ${column(pointer!.typeField)} = $1 and ${column(pointer!.idField)} is not null and ${absent(column(pointer!.idField))}`
      : many ? `select distinct u.id from ${from} o, unnest(${column(field)}) as u (id) where ${absent('u.id')}`
        : `select distinct ${column(field)} from ${from} o where ${column(field)} is not null and ${absent(column(field))}`;
    for (const [id] of await rowsOf(pool, { text, values: generic ? [type] : [] })) found.add(Number(id));
  }
  return [...found].sort((a, b) => a - b);
}

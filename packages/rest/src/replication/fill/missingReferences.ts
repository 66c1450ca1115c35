import { columnName, type Incoming, quote } from '@cadastre/model';
import type { WriteEngine } from '../../write/context/engine.ts';
import { rowsOf } from '../../db/sql.ts';
import type { ReplicaDefinition } from '../../replicas/definition.ts';
import { definitionsNow, fieldsPointingAt } from '../../write/consequences/customPointers.ts';
import { isMutual } from '../../replicas/part.ts';
import { anyObjectTable, replicaTableOf } from '../../replicas/replicaTable.ts';

/** The objects of a type that a field of this service's own objects refers to. @param where a condition on `u.id` */
function referredTo(
  { tables }: WriteEngine,
  type: string,
  { model, field, many, generic }: Incoming,
  where: string,
): string {
  const column = (name: string) => `o.${quote(columnName(name, model.fields[name]!))}`;
  const from = tables.nameOf(model.name);
  const pointer = model.fields[field]!.generic;
  const ids = generic
    ? `select ${column(pointer!.idField)} from ${from} o where ${column(pointer!.typeField)} = '${type}'`
    : many
      ? `select unnest(${column(field)}) from ${from} o`
      : `select ${column(field)} from ${from} o`;
  return `select distinct u.id from (${ids}) as u (id) where u.id is not null and ${where}`;
}

/** The objects of a type that values of a custom field name, one or a list; `$1` is its name. */
const named = (table: string): string =>
  `select (v #>> '{}')::bigint from ${table} o cross join lateral jsonb_path_query(o.custom_fields -> $1::text, '$[*]') as v where o.custom_fields ? $1::text and jsonb_typeof(v) = 'number'`;

/**
 * Objects of a replica's type that this service's own refer to and that are not here. Where the type is kept in part,
 * also those that other objects of the type or custom fields name; where it is kept as a whole, their absence is
 * noticed without that. One statement for each field that refers to them.
 */
export async function missingReferences(
  engine: WriteEngine,
  { type, owner, table }: ReplicaDefinition,
): Promise<number[]> {
  const { tables, pool } = engine;
  if (owner === tables.service) return [];
  const place = table ? replicaTableOf(tables, type) : anyObjectTable(tables, type);
  const found = new Set<number>();
  for (const incoming of tables.catalogue.incoming(type)) {
    if (!tables.owns(incoming.model.name) && !isMutual(tables, type, incoming)) continue;
    const text = referredTo(
      engine,
      type,
      incoming,
      `not exists (select from ${place.table} t where ${place.only} and t.id = u.id)`,
    );
    for (const [id] of await rowsOf(pool, { text, values: [] })) found.add(Number(id));
  }
  for (const { model, name } of tables.partOf(type)
    ? fieldsPointingAt(engine, await definitionsNow(engine), type)
    : []) {
    const text = `select distinct u.id from (${named(tables.nameOf(model.name))}) as u (id) where not exists (select from ${place.table} t where t.id = u.id)`;
    for (const [id] of await rowsOf(pool, { text, values: [name] })) found.add(Number(id));
  }
  return [...found].sort((a, b) => a - b);
}

/** Which of some objects must stay as long as objects of this service refer to them. */
export async function protectedHere(engine: WriteEngine, type: string, ids: readonly number[]): Promise<Set<number>> {
  const { tables, pool } = engine;
  const found = new Set<number>();
  for (const incoming of tables.catalogue.incoming(type)) {
    if (incoming.onDelete !== 'protect' || !tables.owns(incoming.model.name)) continue;
    for (const [id] of await rowsOf(pool, {
      text: referredTo(engine, type, incoming, 'u.id = any($1::bigint[])'),
      values: [ids],
    }))
      found.add(Number(id));
  }
  return found;
}

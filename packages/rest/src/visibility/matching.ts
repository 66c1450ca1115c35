import { Binder, type Executor, rowsOf } from '../db/sql.ts';
import type { Tables } from '../db/tables.ts';
import { constraintSql } from './permissions.ts';
import type { Constraint } from '../core/requester.ts';

/** Which objects are meant: those of some types that a permission with these constraints would be about. */
export interface Matching {
  types: readonly string[];
  /** One of these must hold; null: all objects. */
  constraints: Constraint[] | null;
  /** The user that `$user` stands for. */
  userId: number | null;
  /** Only this object, if one is meant. */
  id?: number | undefined;
}

/** Counting stops here: the question is whether there are none, some, or far too many. */
export const MOST_COUNTED = 100_000;

/** How many objects match, type by type in order, by one statement. Types of other services have none here. */
export async function countMatching(
  tables: Tables,
  { types, constraints, userId, id }: Matching,
  executor: Executor,
): Promise<number[]> {
  const binder = new Binder();
  const parts = types.flatMap((type, at) => {
    if (!tables.owns(type)) return [];
    const conditions = [
      constraintSql(tables, tables.catalogue.get(type), constraints, userId, binder),
      id === undefined ? undefined : `t.id = ${binder.bind(id)}::bigint`,
    ].filter((one) => one !== undefined);
    const where = conditions.length ? ` where ${conditions.join(' and ')}` : '';
    return [
      `select ${at}::int, count(*) from (select 1 from ${tables.nameOf(type)} t${where} limit ${MOST_COUNTED}) found`,
    ];
  });
  const rows = parts.length ? await rowsOf(executor, { text: parts.join(' union all '), values: binder.values }) : [];
  const counts = new Map(rows.map(([at, count]) => [Number(at), Number(count)]));
  return types.map((_, at) => counts.get(at) ?? 0);
}

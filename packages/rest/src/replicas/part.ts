import { type RelevanceFilter, kindOf } from '@cadastre/events';
import { columnName, type Incoming, none, type Part, quote } from '@cadastre/model';
import type { ReadEngine } from '../read/engine.ts';
import { type Executor, rowsOf } from '../db/sql.ts';
import type { Tables } from '../db/tables.ts';
import { lockKeys } from '../db/locks.ts';
import { contentsOf, replicaDefinition } from './definition.ts';

/** Whether the row `alias` matters by its own content. */
export function mattersSql({ references, generics }: Part, alias: string): string {
  const names = (types: readonly string[]): string => types.map((type) => `'${type}'`).join(', ');
  const conditions = [
    ...references.map((column) => `${alias}.${quote(column)} is not null`),
    ...generics.flatMap(({ column, types }) =>
      types.length ? [`${alias}.${quote(column)} in (${names(types)})`] : [],
    ),
  ];
  return conditions.length ? `(${conditions.join(' or ')})` : 'false';
}

/** Whether a field is one by which objects of a type that is kept in part point at each other. */
export const isMutual = (tables: Tables, type: string, { model, field }: Pick<Incoming, 'model' | 'field'>): boolean =>
  model.name === type && (tables.partOf(type)?.mutual.includes(columnName(field, model.fields[field]!)) ?? false);

/**
 * Which of some objects have to be kept up to date although they do not matter by their own content: those that are
 * here, or about to be, or of which an earlier state may still be stored. It looks after the events about them have
 * been read, so that whoever begins to refer to one of them later gets its current state from the owner. Two
 * statements.
 */
export async function heldAmong({ tables, pool }: ReadEngine, type: string, ids: number[]): Promise<Set<number>> {
  const keys = lockKeys(type, ids);
  // Writers hold these locks while they refer to an object that they have asked its owner about. A writer that does not
  // hold them any more has stored the reference.
  const busy = await rowsOf(pool, {
    text: 'select k from unnest($1::bigint[]) k where not case when pg_try_advisory_lock(k) then pg_advisory_unlock(k) else false end',
    values: [keys],
  });
  const held = new Set(busy.map(([key]) => key));
  const rows = await rowsOf(pool, {
    text: `select t.id from ${tables.nameOf(type)} t where t.id = any($1::bigint[])
      union all select split_part(p.key, ':', 2)::bigint from parked_message p where p.key = any(select $2 || ':' || i from unnest($1::bigint[]) i)
      union all select i from unnest($1::bigint[]) i where not exists (select from replica_state s where s.type = $2 and s.done >= s.asked and s.contents = $3)`,
    values: [ids, type, contentsOf(tables, replicaDefinition(tables, type)!)],
  });
  return new Set([
    ...rows.map(([id]) => Number(id)),
    ...(held.size ? ids.filter((id) => held.has(lockKeys(type, [id])[0])) : []),
  ]);
}

/** Which changes of objects that this service keeps in part matter to it; undefined where it keeps no type in part. */
export function relevanceFilter(engine: ReadEngine): RelevanceFilter | undefined {
  const parts = engine.catalogue.parts(engine.tables.service);
  if (!parts.size) return undefined;
  return {
    names: [...parts.values()].map(({ name }) => name),
    async relevant(keys) {
      const relevant = new Set<string>();
      for (const [type, some] of Map.groupBy(keys, kindOf)) {
        if (!parts.has(type)) {
          for (const key of some) relevant.add(key);
          continue;
        }
        for (const id of await heldAmong(
          engine,
          type,
          some.map((key) => Number(key.slice(type.length + 1))),
        ))
          relevant.add(`${type}:${id}`);
      }
      return relevant;
    },
  };
}

/**
 * Objects of the type that the given ones point at and that are not here. One statement, or none where there are no
 * such fields.
 */
export async function missingMutual(
  tables: Tables,
  type: string,
  ids: readonly number[],
  executor: Executor,
): Promise<number[]> {
  const mutual = tables.partOf(type)?.mutual ?? [];
  const table = tables.nameOf(type);
  if (!mutual.length || !ids.length) return [];
  const pointed = mutual
    .map((column) => `select ${quote(column)} from ${table} where id = any($1::bigint[])`)
    .join(' union ');
  const rows = await rowsOf(executor, {
    text: `select u.id from (${pointed}) as u (id) where u.id is not null and ${none(`${table} t where t.id = u.id`)}`,
    values: [ids],
  });
  return rows.map(([id]) => Number(id));
}

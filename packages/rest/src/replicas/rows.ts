import { typeId } from '@cadastre/model';
import type { ReadEngine } from '../read/engine.ts';
import { rowsOf } from '../db/sql.ts';
import { type ReplicaDefinition, replicaDefinitions } from './definition.ts';

/** How many objects each replica holds. One statement. */
export async function replicaRows({ tables, pool }: ReadEngine): Promise<{ kept: ReplicaDefinition; rows: number }[]> {
  const all = replicaDefinitions(tables);
  const parts = all
    .filter(({ table }) => table)
    .map(({ type }) => `select ${typeId(type)}, count(*), true from ${tables.nameOf(type)}`);
  if (tables.keepsAnyObject) parts.push('select type, count(*), false from replica.any_object group by type');
  if (!parts.length) return [];
  const counted = new Map(
    (await rowsOf(pool, { text: parts.join(' union all '), values: [] })).map(([type, count, table]) => [
      `${type} ${table === 't'}`,
      Number(count),
    ]),
  );
  return all.map((kept) => ({ kept, rows: counted.get(`${typeId(kept.type)} ${kept.table}`) ?? 0 }));
}

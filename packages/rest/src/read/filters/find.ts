import { quote, type Reference } from '@cadastre/model';
import { ANYBODY } from '../../core/requester.ts';
import type { Finder, Wanted } from './context.ts';
import type { Peers } from '../../peers/peers.ts';
import type { Cache, CacheRegion } from '../../cache/cache.ts';
import { type Executor, rowsOf } from '../../db/sql.ts';
import type { Tables } from '../../db/tables.ts';

/**
 * Finds ids of filter values, remembered until an object of the type changes. The owner of the type is asked for a
 * value that the replica of its objects does not know (yet), before the value counts as unknown.
 */
export function finder(tables: Tables, cache: Cache, executor: Executor, peers: Peers): Finder {
  return async (wanted) => {
    const { type } = wanted;
    const region = regionOf(cache, wanted);
    const found = new Map<string, string[]>();
    const missing: string[] = [];
    for (const value of new Set(wanted.values)) {
      const known = region.get(value);
      if (known) found.set(value, known);
      else missing.push(value);
    }
    if (missing.length)
      for (const [value, ids] of await region.fill(() => load(tables, executor, wanted, missing)))
        found.set(value, ids);
    const unknown = missing.filter((value) => !found.has(value));
    if (unknown.length && !tables.owns(type))
      for (const [value, ids] of await askOwner(tables, peers, wanted, unknown)) found.set(value, ids);
    return found;
  };
}

/** Where the ids of filter values are remembered. */
const regionOf = (cache: Cache, { type, by, tree }: Wanted): CacheRegion<string[]> =>
  cache.region<string[]>(`find ${type} ${by} ${tree}`, [type]);

/** Whether the ids of all these values come from the cache, which is invalidated when they change. */
export const remembers = (cache: Cache, wanted: Wanted): boolean => {
  const region = regionOf(cache, wanted);
  return wanted.values.every((value) => region.get(value) !== undefined);
};

async function askOwner(
  tables: Tables,
  peers: Peers,
  { type, by }: Wanted,
  values: string[],
): Promise<Map<string, string[]>> {
  const references = values.map(
    (value): Reference => (by === 'id' ? { id: Number(value) } : { attributes: { [by]: value } }),
  );
  const { results } = await peers.resolve(
    tables.catalogue.serviceOf(type)!,
    type,
    references,
    ['id', '_version'],
    ANYBODY,
  );
  return new Map(results.flatMap((result, i) => ('id' in result ? [[values[i]!, [String(result.id)]] as const] : [])));
}

async function load(
  tables: Tables,
  executor: Executor,
  { type, by, tree }: Wanted,
  values: string[],
): Promise<Map<string, string[]>> {
  const model = tables.catalogue.get(type);
  const table = tables.nameOf(type);
  const column = by === 'id' ? 'v.id' : `v.${quote(by)}`;
  const cast = by === 'id' ? 'bigint' : 'text';
  const match = by === 'id' ? `${column} = any($1::${cast}[])` : `${column}::text = any($1::${cast}[])`;
  const rows = await rowsOf(executor, {
    text:
      tree && model.tree
        ? `select ${column}::text, d.id from ${table} v join ${table} d on d."_path" @> array[v.id] where ${match}`
        : `select ${column}::text, v.id from ${table} v where ${match}`,
    values: [values],
  });
  const found = new Map<string, string[]>();
  for (const [value, id] of rows) {
    const ids = found.get(value!);
    if (ids) ids.push(id!);
    else found.set(value!, [id!]);
  }
  return found;
}

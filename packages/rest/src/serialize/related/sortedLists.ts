import { arrayItems, type Cell } from '@cadastre/model';
import { orderSql } from '../../order/order.ts';
import type { Brief } from '../../cache/cache.ts';
import { perModel } from '../../db/perModel.ts';
import { loadThroughCache } from '../../cache/loadThroughCache.ts';
import type { ReadContext } from './readContext.ts';
import { idsIn } from '../../db/sql.ts';
import { UnionBatcher } from '../../db/batch/unionBatcher.ts';
import { isUnchangedInTransaction } from './changedInTransaction.ts';

/** About how many bytes of sorted lists of one type a process remembers. */
const MAX_BYTES = 8_000_000;
const sizeOf = (ids: readonly string[]): number => 100 + 50 * ids.length;

/** Ids of objects of a type, in `$1`, with their positions in the order of the type. */
const placesSql = perModel((tables, model) => {
  const { by, joins } = orderSql(tables, model, null);
  return `select t.id, row_number() over (order by ${by}) from ${tables.nameOf(model.name)} t${joins} where t.id = ${idsIn('$1')}`;
});

/** Lists that are to be put in order, by the type of their objects. */
export type ListsToSort = Map<string, Set<string>>;

/** Notes a list of ids, as PostgreSQL writes it, where there is anything to sort in it. */
export function sortLater(lists: ListsToSort, type: string, cell: Cell): void {
  if (!cell?.includes(',')) return;
  const known = lists.get(type);
  if (known) known.add(cell);
  else lists.set(type, new Set([cell]));
}

/** A list of ids as PostgreSQL writes it. */
export const listOf = (ids: readonly string[]): string => `{${ids.join(',')}}`;

/** Lists of ids of one type as rows hold them, each with its ids in order. */
export type SortedLists = ReadonlyMap<string, readonly string[]>;

/** The ids of a list, in order where that is known. */
export const sortedIds = (lists: SortedLists | undefined, cell: Cell): readonly string[] =>
  cell === null ? [] : (lists?.get(cell) ?? arrayItems(cell));

/**
 * Puts lists of objects into the order that lists of their type have. PostgreSQL sorts them, as it does those lists; it
 * is asked once for all lists whose order is not remembered.
 */
export async function sortLists(readContext: ReadContext, lists: ListsToSort): Promise<Map<string, SortedLists>> {
  const together = new UnionBatcher(readContext.executor);
  const here = [...lists].filter(([type]) => readContext.tables.has(type));
  return new Map(
    await Promise.all(
      here.map(async ([type, cells]) => [type, await inOrder(readContext, type, [...cells], together)] as const),
    ),
  );
}

/** The remembered lists of a type are forgotten when anything changes that its objects are sorted by. */
function inOrder(
  readContext: ReadContext,
  type: string,
  lists: readonly string[],
  together: UnionBatcher,
): Promise<SortedLists> {
  const { tables, cache, written } = readContext;
  const types = [...tables.catalogue.orderedBy(type).keys()];
  const name = `${type} in order`;
  return loadThroughCache<readonly string[]>(
    readContext,
    name,
    cache.region(name, types, { most: MAX_BYTES, of: sizeOf }),
    lists,
    async (missing) => {
      const ids = missing.map((list) => arrayItems(list));
      const rows = await together.rows(placesSql(tables, tables.catalogue.get(type)), [...new Set(ids.flat())]);
      const places = new Map(rows.map(([id, place]) => [id!, Number(place)]));
      return new Map(missing.map((list, i) => [list, byPlace(ids[i]!, places)]));
    },
    {
      bypass: types.some((one) => written?.stored.has(one)),
      committed: types.every((one) => isUnchangedInTransaction(readContext, one)),
    },
  );
}

/** An object that is no longer in its table has no place of its own: it stays behind the one that it followed. */
function byPlace(ids: readonly string[], places: ReadonlyMap<string, number>): string[] {
  let last = 0;
  return ids
    .map((id) => ({ id, place: (last = places.get(id) ?? last) }))
    .sort((a, b) => a.place - b.place)
    .map(({ id }) => id);
}

/** As people sort names: `eth2` before `eth10`. */
const names = new Intl.Collator('und', { numeric: true });

/** Sorts objects of which only the brief form is known here by their display texts. */
export const byDisplay = (ids: readonly string[], briefs: ReadonlyMap<string, Brief> | undefined): readonly string[] =>
  ids.toSorted((a, b) => names.compare(briefs?.get(a)?.display ?? '', briefs?.get(b)?.display ?? ''));

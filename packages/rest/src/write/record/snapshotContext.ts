import { arrayItems, type Cell, columnName, type Model } from '@cadastre/model';
import { sortedIds, sortLists, sortLater, type ListsToSort } from '../../serialize/related/sortedLists.ts';
import { selectList, wholeIndex } from '../../db/select.ts';
import type { ReadContext } from '../../serialize/related/readContext.ts';
import { idsIn, rowsOf } from '../../db/sql.ts';
import { isUnchangedInTransaction } from '../../serialize/related/changedInTransaction.ts';
import type { SnapshotContext } from '../../serialize/snapshot.ts';

/** An object as it was and as it is; rows have all columns. */
interface Snapshotted {
  model: Model;
  before: Cell[] | null;
  after: Cell[] | null;
}

/** Looks up what the snapshots of objects say of others. A constant number of statements. */
export async function loadSnapshotContext(
  readContext: ReadContext,
  snapshotted: readonly Snapshotted[],
): Promise<SnapshotContext> {
  const { tags, lists } = listsIn(snapshotted);
  const names = await tagNames(readContext, tags);
  const sorted = await sortLists(readContext, lists);
  return {
    tagName: (id) => names.get(id) ?? id,
    inOrder: (type, list) => sortedIds(sorted.get(type), list),
  };
}

/** The tags of objects, and their other lists of references by the type that these are of. */
function listsIn(snapshotted: readonly Snapshotted[]): { tags: Set<string>; lists: ListsToSort } {
  const tags = new Set<string>();
  const lists: ListsToSort = new Map();
  for (const [model, alike] of Map.groupBy(snapshotted, (one) => one.model)) {
    const index = wholeIndex(model);
    for (const [name, field] of Object.entries(model.fields)) {
      if (!field.relation?.many || !field.column) continue;
      const at = index.get(columnName(name, field))!;
      const cells = alike.flatMap(({ before, after }) => [before?.[at] ?? null, after?.[at] ?? null]);
      if (field.special === 'tags') for (const cell of cells) for (const id of arrayItems(cell ?? '{}')) tags.add(id);
      else for (const cell of cells) sortLater(lists, field.relation.to, cell);
    }
  }
  return { tags, lists };
}

const TAG = 'extras.tag';

async function tagNames(readContext: ReadContext, ids: ReadonlySet<string>): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  if (!ids.size || !readContext.tables.has(TAG)) return names;
  const region = readContext.cache.region<string>('tag names', [TAG]);
  const missing = [...ids].filter((id) => {
    const name = region.get(id);
    if (name !== undefined) names.set(id, name);
    return name === undefined;
  });
  if (!missing.length) return names;
  const tag = readContext.tables.catalogue.get(TAG);
  const loaded = await region.fill(
    async () =>
      new Map(
        (
          await rowsOf(readContext.executor, {
            text: `select ${selectList(readContext.tables, tag, COLUMNS)} from ${readContext.tables.nameOf(TAG)} t where t.id = ${idsIn('$1')}`,
            values: [missing],
          })
        ).map(([id, name]) => [id!, name!]),
      ),
    () => readContext.keep || isUnchangedInTransaction(readContext, TAG),
  );
  for (const [id, name] of loaded) names.set(id, name);
  return names;
}
const COLUMNS = ['id', 'name'];

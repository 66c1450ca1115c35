import { arrayItems, type Cell, columnName, type Model } from '@cadastre/model';
import { idsInOrder, listsInOrder, sortLater, type ToSort } from '../../serialize/related/inOrder.ts';
import { selectList, wholeIndex } from '../../db/select.ts';
import type { Source } from '../../serialize/related/source.ts';
import { idsIn, rowsOf } from '../../db/sql.ts';
import { isUntouched } from '../../serialize/related/untouched.ts';
import type { SnapshotContext } from '../../serialize/snapshot.ts';

/** An object as it was and as it is; rows have all columns. */
interface Snapshotted {
  model: Model;
  before: Cell[] | null;
  after: Cell[] | null;
}

/** Looks up what the snapshots of objects say of others. A constant number of statements. */
export async function loadSnapshotContext(
  source: Source,
  snapshotted: readonly Snapshotted[],
): Promise<SnapshotContext> {
  const { tags, lists } = listsIn(snapshotted);
  const names = await tagNames(source, tags);
  const sorted = await listsInOrder(source, lists);
  return {
    tagName: (id) => names.get(id) ?? id,
    inOrder: (type, list) => idsInOrder(sorted.get(type), list),
  };
}

/** The tags of objects, and their other lists of references by the type that these are of. */
function listsIn(snapshotted: readonly Snapshotted[]): { tags: Set<string>; lists: ToSort } {
  const tags = new Set<string>();
  const lists: ToSort = new Map();
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

async function tagNames(source: Source, ids: ReadonlySet<string>): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  if (!ids.size || !source.tables.has(TAG)) return names;
  const shelf = source.cache.shelf<string>('tag names', [TAG]);
  const missing = [...ids].filter((id) => {
    const name = shelf.get(id);
    if (name !== undefined) names.set(id, name);
    return name === undefined;
  });
  if (!missing.length) return names;
  const tag = source.tables.catalogue.get(TAG);
  const loaded = await shelf.fill(
    async () =>
      new Map(
        (
          await rowsOf(source.executor, {
            text: `select ${selectList(source.tables, tag, COLUMNS)} from ${source.tables.nameOf(TAG)} t where t.id = ${idsIn('$1')}`,
            values: [missing],
          })
        ).map(([id, name]) => [id!, name!]),
      ),
    () => source.keep || isUntouched(source, TAG),
  );
  for (const [id, name] of loaded) names.set(id, name);
  return names;
}
const COLUMNS = ['id', 'name'];

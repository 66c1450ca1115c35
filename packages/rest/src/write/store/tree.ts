import { type Cell, type Model, quote, typeId } from '@cadastre/model';
import { type Executor, rowsOf } from '../../db/sql.ts';
import type { Tables } from '../../db/tables.ts';
import { readRows } from './store.ts';

/** The column that a tree sorts siblings by. */
const sortColumn = (model: Model): string => quote('name' in model.fields ? 'name' : 'id');

/**
 * Lets the writers of a tree in one after the other, until the transaction ends: where a row stands depends on rows
 * above it that another may be moving at this moment. Taken before any row is locked for a change, and after references
 * were resolved: those may take a while.
 */
export async function lockTree(model: Model, executor: Executor): Promise<void> {
  if (model.tree)
    await rowsOf(executor, { text: 'select pg_advisory_xact_lock($1::int, 0)', values: [typeId(model.name)] });
}

/** Gives stored rows of a tree their place. Returns them as they are then, and the other rows that moved along. */
export async function updateTreePaths(
  tables: Tables,
  model: Model,
  rows: Cell[][],
  executor: Executor,
): Promise<{ rows: Cell[][]; moved: Cell[][] }> {
  if (!model.tree) return { rows, moved: [] };
  const ids = rows.map((cells) => Number(cells[0]));
  const own = new Set(ids);
  const others = (await writeTreePaths(tables, model, ids, executor)).filter((id) => !own.has(id));
  const all = new Map(
    (await readRows(tables, model, [...ids, ...others], executor)).map((cells) => [Number(cells[0]), cells]),
  );
  return { rows: ids.map((id) => all.get(id)!), moved: others.map((id) => all.get(id)!) };
}

/**
 * Sets the way from the root, and the sorting names along it, of rows and all below them. Returns the ids of all that
 * changed.
 */
async function writeTreePaths(tables: Tables, model: Model, ids: number[], executor: Executor): Promise<number[]> {
  const table = tables.nameOf(model.name);
  const sort = sortColumn(model);
  const rows = await rowsOf(executor, {
    text: `with recursive up as (
      select c.id as start, c.parent_id, array[c.id] as path, array[c.${sort}::text] as sort from ${table} c where c.id = any($1::bigint[])
      union all
      select u.start, p.parent_id, p.id || u.path, p.${sort}::text || u.sort from up u join ${table} p on p.id = u.parent_id
    ), best as (
      select start as id, path, sort from up where parent_id is null
      union
      select c.id, b.path || c.id, b.sort || c.${sort}::text from ${table} c join best b on c.parent_id = b.id
    )
    update ${table} t set "_path" = b.path, "_sort" = b.sort, "_version" = case when t.id = any($1::bigint[]) then t."_version" else t."_version" + 1 end
    from best b where t.id = b.id and (t."_path", t."_sort") is distinct from (b.path, b.sort) returning t.id`,
    values: [ids],
  });
  return rows.map(([id]) => Number(id));
}

import { type Cell, columnAt, type Json, type Model, type Reach, reachOf } from '@cadastre/model';
import { startsAbout, typeAndId } from '../writer.ts';
import { loadThroughCache } from '../../cache/loadThroughCache.ts';
import { type IsHidden, HIDES_ALL } from '../../visibility/visibility.ts';
import { selectList, wholeIndex } from '../../db/select.ts';
import type { ReadContext } from './readContext.ts';
import { idsIn, rowsOf } from '../../db/sql.ts';
import { remoteBriefs } from './remoteBriefs.ts';

/** Texts may contain texts of other objects: a chain that is longer than this runs in a circle. */
const MAX_DEPTH = 8;

/** Texts of objects by id. */
type Texts = ReadonlyMap<string, string>;

/** Where a column stands in a row; it holds no column that the row lacks. */
type Index = ReadonlyMap<string, number>;

/**
 * The texts that stand for objects, or, with the `rest` of a chain of references, for the objects that it leads to from
 * them. Missing objects have no text. Inside a transaction nothing that is remembered is used, as it may have changed
 * in the same transaction.
 */
export async function displaysAt(
  readContext: ReadContext,
  type: string,
  rest: string,
  ids: readonly string[],
  depth = 0,
): Promise<Texts> {
  const { tables, cache } = readContext;
  if (!ids.length || depth > MAX_DEPTH || !tables.catalogue.has(type)) return new Map();
  return loadThroughCache(
    readContext,
    `${type} display ${rest}`,
    cache.displays(type, rest),
    ids,
    (missing) => load(readContext, type, rest, missing, depth),
    { bypass: true },
  );
}

async function load(
  readContext: ReadContext,
  type: string,
  rest: string,
  ids: string[],
  depth: number,
): Promise<Map<string, string>> {
  const { tables, executor } = readContext;
  const model = tables.catalogue.get(type);
  const column = columnAt(model, rest);
  const reaches = column ? [] : rest ? [reachOf(model, rest)] : reachesOf(model);
  const columns = [
    'id',
    ...new Set(
      [
        ...(column ? [column] : rest ? [] : model.display.columns),
        ...reaches.flatMap((r) => [r.column, ...(r.typeColumn ? [r.typeColumn] : [])]),
      ].filter((c) => c !== 'id'),
    ),
  ];
  const index = indexed(columns);
  if (!tables.holds(type, columns)) return rest ? new Map() : toldTexts(readContext, type, ids);
  const changed = readContext.changed?.get(type);
  const here = ids.filter((id) => changed?.has(id));
  const elsewhere = ids.filter((id) => !changed?.has(id));
  const stored = elsewhere.length
    ? await rowsOf(executor, {
        text: `select ${selectList(tables, model, columns)} from ${tables.nameOf(type)} t where t.id = ${idsIn('$1')}`,
        values: [elsewhere],
      })
    : [];
  const whole = wholeIndex(model);
  const rows = [...stored, ...here.map((id) => columns.map((c) => changed!.get(id)![whole.get(c)!] ?? null))];
  if (column) return new Map(rows.flatMap((cells) => (cells[1] == null ? [] : [[cells[0]!, cells[1]]])));
  if (!rest) {
    const texts = await textsOf({ ...readContext, visibility: HIDES_ALL }, model, index, rows, depth);
    return new Map(rows.map((cells, i) => [cells[0]!, texts[i]!]));
  }
  const at = await follow({ ...readContext, visibility: HIDES_ALL }, model, reaches, index, rows, depth);
  return new Map(
    rows.flatMap((cells) => {
      const text = at(cells)[0];
      return text === null || text === undefined ? [] : [[cells[0]!, text]];
    }),
  );
}

/** Texts of objects that come from their brief forms, as their owner or its events give them. */
async function toldTexts(readContext: ReadContext, type: string, ids: string[]): Promise<Map<string, string>> {
  return new Map(
    [...(await remoteBriefs(readContext, type, ids))].map(([id, brief]) => [
      id,
      String((JSON.parse(brief.at('')) as { display?: Json }).display ?? ''),
    ]),
  );
}

/** The texts that stand for rows of a model. */
export async function textsOf(
  readContext: ReadContext,
  model: Model,
  index: Index,
  rows: Cell[][],
  depth = 0,
): Promise<string[]> {
  const { columns, when, text } = model.display;
  const own = (cells: Cell[]) => columns.map((c) => cells[index.get(c)!] ?? null);
  const related = await follow(
    readContext,
    model,
    reachesOf(model),
    index,
    when ? rows.filter((cells) => when(own(cells))) : rows,
    depth,
  );
  return rows.map((cells) => text(own(cells), related(cells)));
}

const reachesOf = (model: Model): Reach[] => (model.display.related ?? []).map((chain) => reachOf(model, chain));

const indexed = (columns: readonly string[]): Index => new Map(columns.map((name, i) => [name, i]));

/** The objects where chains start, in a row. */
function startOf({ to, typeColumn, column }: Reach, index: Index, cells: Cell[]): { type: string; id: string } | null {
  const type = typeColumn === undefined ? to![0]! : (cells[index.get(typeColumn)!] ?? null);
  const id = cells[index.get(column)!] ?? null;
  return type === null || id === null ? null : { type, id };
}

/** Goes along chains from rows to the texts at their ends. */
async function follow(
  readContext: ReadContext,
  model: Model,
  reaches: readonly Reach[],
  index: Index,
  rows: Cell[][],
  depth: number,
): Promise<(cells: Cell[]) => (string | null)[]> {
  const found = new Map<string, Texts>();
  const hidden = new Map<Reach, IsHidden>();
  for (const reach of reaches) {
    const all = rows.flatMap((cells) => startOf(reach, index, cells) ?? []);
    if (readContext.visibility && startsAbout(model, reach))
      hidden.set(reach, await readContext.visibility(all.map(({ type, id }) => ({ type, id: Number(id) }))));
    const starts = all.filter(({ type, id }) => !hidden.get(reach)?.(type, id));
    for (const [type, group] of Map.groupBy(starts, (start) => start.type)) {
      const key = `${type} ${reach.rest}`;
      found.set(
        key,
        new Map([
          ...(found.get(key) ?? []),
          ...(await displaysAt(
            readContext,
            type,
            reach.rest,
            group.map(({ id }) => id),
            depth + 1,
          )),
        ]),
      );
    }
  }
  return (cells) =>
    reaches.map((reach) => {
      const start = startOf(reach, index, cells);
      return (
        start &&
        (hidden.get(reach)?.(start.type, start.id)
          ? typeAndId(start.type, start.id)
          : (found.get(`${start.type} ${reach.rest}`)?.get(start.id) ?? null))
      );
    });
}

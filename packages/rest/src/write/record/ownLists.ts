import { columnName, type Json, type Model, type Owned, quote, type Values } from '@cadastre/model';
import { wholeIndex } from '../../db/select.ts';
import type { ReadContext } from '../../serialize/related/readContext.ts';
import { rowsOf } from '../../db/sql.ts';
import type { OwnLists } from '../../serialize/snapshot.ts';
import { returning } from '../store/store.ts';
import { valuesOf } from '../../db/values.ts';
import type { Change } from '../context/change.ts';

/** The lists that are part of a model's objects, by name, together where they are made of the same rows. */
const kindsOf = ({ fields }: Model): [name: string, list: Owned][][] => [
  ...Map.groupBy(
    Object.entries(fields).flatMap(([name, { owned, hidden }]): [string, Owned][] =>
      owned && !hidden ? [[name, owned]] : [],
    ),
    ([, { from, field }]) => `${from.name} ${field}`,
  ).values(),
];

const idOf = ({ before, after }: Change): number => Number((after ?? before)![0]);

/**
 * The lists that are part of the objects of a transaction, as they were before it and as they are after it. What they
 * are is read, by one statement for each kind of row; what they were follows from the changes of the rows, which are
 * among the changes.
 */
export async function ownListsOf(
  readContext: ReadContext,
  changes: readonly Change[],
): Promise<(change: Change, when: 'before' | 'after') => OwnLists | undefined> {
  const told = Map.groupBy(
    changes.filter(({ derived }) => !derived),
    ({ model }) => model,
  );
  const found = new Map<Model, { before: Map<number, OwnLists>; after: Map<number, OwnLists> }>();
  for (const [model, owners] of told) {
    const before = new Map<number, OwnLists>();
    const after = new Map<number, OwnLists>();
    for (const lists of kindsOf(model)) {
      const { from, field } = lists[0]![1];
      const values = (change: Change, when: 'before' | 'after'): Values[] =>
        change[when] ? [valuesOf(from, wholeIndex(from), change[when])] : [];
      const parts = changes.filter((change) => change.model === from);
      const changed = new Set(parts.map(idOf));
      const of = (action: Change['action']) => owners.filter((owner) => owner.action === action).map(idOf);
      const stored = await rowsNow(readContext, from, field, of('updated'));
      const createdIds = new Set(of('created'));
      const made = parts.flatMap((part) => values(part, 'after')).filter((row) => createdIds.has(row[field] as number));
      const kept = stored.filter((row) => !changed.has(row['id'] as number));
      print(lists, owners.map(idOf), [...stored, ...made], after);
      print(lists, owners.map(idOf), [...kept, ...parts.flatMap((part) => values(part, 'before'))], before);
    }
    found.set(model, { before, after });
  }
  return (change, when) => found.get(change.model)?.[when].get(idOf(change));
}

/** The lists that are part of objects, by the id of the object. One statement for each kind of row. */
export async function ownListsNow(
  readContext: ReadContext,
  model: Model,
  ids: number[],
): Promise<Map<number, OwnLists>> {
  const found = new Map<number, OwnLists>();
  for (const lists of kindsOf(model)) {
    const { from, field } = lists[0]![1];
    print(lists, ids, await rowsNow(readContext, from, field, ids), found);
  }
  return found;
}

async function rowsNow(
  { tables, executor }: ReadContext,
  from: Model,
  field: string,
  ids: number[],
): Promise<Values[]> {
  if (!ids.length) return [];
  const rows = await rowsOf(executor, {
    text: `select ${returning(tables, from)} from ${tables.nameOf(from.name)} t where t.${quote(columnName(field, from.fields[field]!))} = any($1::bigint[])`,
    values: [ids],
  });
  return rows.map((cells) => valuesOf(from, wholeIndex(from), cells));
}

/** Adds lists as JSON text: what stands in the columns of their rows, under the names that it has on the wire. */
function print(
  lists: readonly [name: string, list: Owned][],
  ids: readonly number[],
  rows: Values[],
  into: Map<number, OwnLists>,
): void {
  const { from, field } = lists[0]![1];
  const byOwner = Map.groupBy(rows.sort(inOwnOrder(from)), (row) => row[field] as number);
  for (const id of ids) {
    const own = byOwner.get(id) ?? [];
    const texts = lists.map(([name, { where, members }]): [string, string] => [
      name,
      JSON.stringify(
        own
          .filter((row) => Object.entries(where).every(([column, value]) => row[column] === value))
          .map((row) =>
            Object.fromEntries(
              Object.entries(members).flatMap(([member, column]) =>
                from.fields[column]!.column ? [[member, row[column] ?? null]] : [],
              ),
            ),
          ),
      ),
    ]);
    into.set(id, new Map([...(into.get(id) ?? []), ...texts]));
  }
}

/** As lists that are part of objects are sorted: by the columns that their model names, then by id; empty ones last. */
function inOwnOrder({ ordering }: Model): (a: Values, b: Values) => number {
  const names = [...ordering, 'id'];
  return (a, b) => names.map((name) => compare(a[name] ?? null, b[name] ?? null)).find((way) => way) ?? 0;
}

function compare(a: Json, b: Json): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? 1 : -1;
  return a < b ? -1 : 1;
}

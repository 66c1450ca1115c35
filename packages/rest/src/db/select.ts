import { columnsOf, type Model, quote } from '@cadastre/model';
import type { Tables } from './tables.ts';

/** A select list; a column that this service does not keep of another's objects is NULL. */
export function selectList(tables: Tables, model: Model, columns: string[]): string {
  let known = lists.get(tables);
  if (!known) lists.set(tables, (known = new WeakMap()));
  let list = known.get(columns);
  if (list === undefined) {
    const kept = tables.columnsOf(model);
    known.set(columns, (list = columns.map((c) => (kept.has(c) ? `t.${quote(c)}` : `null as ${quote(c)}`)).join(', ')));
  }
  return list;
}

/** Lists are put together once for the columns of a compiled writer. */
const lists = new WeakMap<Tables, WeakMap<string[], string>>();

const wholes = new WeakMap<Model, ReadonlyMap<string, number>>();

/** Where each column stands in a row that has all of them. */
export function wholeIndex(model: Model): ReadonlyMap<string, number> {
  let known = wholes.get(model);
  if (!known) wholes.set(model, (known = new Map(columnsOf(model).map(({ name }, i) => [name, i]))));
  return known;
}

import { columnsOf, type Model, quote } from '@cadastre/model';
import type { Tables } from './tables.ts';

/** A select list; a column that this service does not keep of another's objects is NULL. */
export function selectList(tables: Tables, model: Model, columns: string[]): string {
  const kept = tables.columnsOf(model);
  return columns.map((c) => (kept.has(c) ? `t.${quote(c)}` : `null as ${quote(c)}`)).join(', ');
}

const wholes = new WeakMap<Model, ReadonlyMap<string, number>>();

/** Where each column stands in a row that has all of them. */
export function wholeIndex(model: Model): ReadonlyMap<string, number> {
  let known = wholes.get(model);
  if (!known) wholes.set(model, (known = new Map(columnsOf(model).map(({ name }, i) => [name, i]))));
  return known;
}

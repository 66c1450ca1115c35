import { columnName, type Model, quote } from '@cadastre/model';
import type { Tables } from '../query/tables.ts';
import { reverseOrder } from './reverseOrder.ts';

/** Sorts `eth2` before `eth10` and `a` beside `A`. */
const NATURAL = 'collate "natural"';

/** ORDER BY terms for the names that a request gives, or the model's own order; always total, by the id. */
export function orderSql(tables: Tables, model: Model, names: string[] | null, unknown?: (name: string) => void): string {
  const known = (names ?? []).filter((name) => {
    const field = name.replace(/^-/, '');
    const exists = field === 'id' || termOf(tables, model, field) !== undefined;
    if (!exists) unknown?.(name);
    return exists;
  });
  const chosen = known.length ? known : model.ordering.length ? model.ordering : model.tree ? ['_sort'] : [];
  const terms = chosen.flatMap((name) => directed(tables, model, name));
  return chosen.some((name) => name.replace(/^-/, '') === 'id') ? terms.join(', ') : [...terms, 't.id'].join(', ');
}

function directed(tables: Tables, model: Model, name: string): string[] {
  const descending = name.startsWith('-');
  const terms = termOf(tables, model, descending ? name.slice(1) : name) ?? [];
  return terms.map((term) => (descending ? `${term} desc` : term));
}

function termOf(tables: Tables, model: Model, name: string): string[] | undefined {
  if (name === 'id') return ['t.id'];
  if (name === '_sort' && model.tree) return [`t."_sort" ${NATURAL}`];
  if (name === '_depth' && model.tree) return ['cardinality(t."_path")'];
  const field = model.fields[name];
  if (!field || field.secret || field.hidden) return undefined;
  if (field.reverse) return field.reverse.as === 'count' ? reverseOrder(tables, model, field) : undefined;
  if (!field.column) return undefined;
  const column = `t.${quote(columnName(name, field))}`;
  if (field.relation) return field.relation.many ? undefined : relatedOrder(tables, field.relation.to, column);
  return [field.column.natural ? `${column} ${NATURAL}` : column];
}

/** A reference sorts by the order of the objects that it points at. */
function relatedOrder(tables: Tables, type: string, column: string): string[] {
  if (!tables.catalogue.has(type) || !tables.has(type)) return [column];
  const target = tables.catalogue.get(type), kept = tables.columnsOf(target);
  const names = target.tree && !target.ordering.length ? ['_sort'] : target.ordering.map((n) => n.replace(/^-/, ''));
  const columns = names.map((n) => (target.fields[n] ? columnName(n, target.fields[n]!) : n)).filter((n) => kept.has(n));
  if (!columns.length) return [column];
  return columns.map((c) => `(select r.${quote(c)} from ${tables.nameOf(type)} r where r.id = ${column})${kept.get(c)!.natural ? ` ${NATURAL}` : ''}`);
}

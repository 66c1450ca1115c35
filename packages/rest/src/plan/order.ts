import { columnName, directionOf, type Model, NATURAL, orderTerm, quote, sortedBy } from '@cadastre/model';
import type { Tables } from '../query/tables.ts';
import { reverseOrder } from './reverseOrder.ts';

/** ORDER BY terms for the names that a request gives, or the model's own order; always total, by the id. */
export function orderSql(tables: Tables, model: Model, names: string[] | null, unknown?: (name: string) => void): string {
  const known = (names ?? []).filter((name) => {
    const field = name.replace(/^-/, '');
    const exists = field === 'id' || termOf(tables, model, field) !== undefined;
    if (!exists) unknown?.(name);
    return exists;
  });
  const chosen = known.length ? known : model.ordering.length ? model.ordering : model.tree ? ['_sort'] : [];
  const terms = chosen.flatMap((name) => (known.length ? directed(tables, model, name) : declared(tables, model, name)));
  return chosen.some((name) => name.replace(/^-/, '') === 'id') ? terms.join(', ') : [...terms, 't.id'].join(', ');
}

function directed(tables: Tables, model: Model, name: string): string[] {
  const descending = name.startsWith('-');
  const terms = termOf(tables, model, descending ? name.slice(1) : name) ?? [];
  return terms.map((term) => (descending ? `${term} desc` : term));
}

/** A term of the model's own order. */
function declared(tables: Tables, model: Model, term: string): string[] {
  const { field, byId, ...direction } = orderTerm(model, term);
  const terms = byId ? [`t.${quote(columnName(field, model.fields[field]!))}`] : termOf(tables, model, field, true) ?? [];
  return terms.map((sql) => sql + directionOf(direction));
}

function termOf(tables: Tables, model: Model, name: string, own = false): string[] | undefined {
  if (name === 'id') return ['t.id'];
  if (name === '_sort' && model.tree) return [`t."_sort" collate "${NATURAL}"`];
  if (name === '_depth' && model.tree) return ['cardinality(t."_path")'];
  const field = model.fields[name];
  if (!field || field.secret || (field.hidden && !own)) return undefined;
  if (field.reverse) return field.reverse.as === 'count' ? reverseOrder(tables, model, field) : undefined;
  if (!field.column) return undefined;
  const column = `t.${quote(columnName(name, field))}`;
  if (field.relation) return field.relation.many ? undefined : relatedOrder(tables, field.relation.to, column);
  return [sortedBy(field.column, column)];
}

/** A reference sorts by the order of the objects that it points at, which may be that of what those point at. */
const relatedOrder = (tables: Tables, type: string, column: string): string[] => relatedTerms(tables, type, column, 1).map(({ sql, by }) => sortedBy(by, sql));

/** References are followed this far. */
const DEEPEST = 3;

interface Term { sql: string; by: Parameters<typeof sortedBy>[0] }

function relatedTerms(tables: Tables, type: string, column: string, depth: number): Term[] {
  if (depth > DEEPEST || !tables.catalogue.has(type) || !tables.has(type)) return [{ sql: column, by: {} }];
  const target = tables.catalogue.get(type), kept = tables.columnsOf(target), alias = 'r'.repeat(depth);
  const names = target.tree && !target.ordering.length ? ['_sort'] : target.ordering.map((term) => orderTerm(target, term).field);
  const terms = names.flatMap((name): Term[] => {
    const field = target.fields[name], own = field ? columnName(name, field) : name, by = kept.get(own);
    if (!by) return [];
    const at = `${alias}.${quote(own)}`;
    return field?.relation && !field.relation.many ? relatedTerms(tables, field.relation.to, at, depth + 1) : [{ sql: at, by }];
  });
  if (!terms.length) return [{ sql: column, by: {} }];
  return terms.map(({ sql, by }) => ({ sql: `(select ${sql} from ${tables.nameOf(type)} ${alias} where ${alias}.id = ${column})`, by }));
}

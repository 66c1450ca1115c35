import { columnName, type Field, type Model, quote, reachedBy } from '@cadastre/model';
import { holdsOne } from '../../db/sql.ts';
import { pointersSql } from '../../db/pointers.ts';
import type { Tables } from '../../db/tables.ts';
import { orderSql } from '../../order/order.ts';

/**
 * Counts or lists, grouped by the object that is pointed at; `$1` holds the ids of those. What is listed is in the
 * order that lists of its type have.
 */
export function reverseSql(tables: Tables, model: Model, field: Field): string {
  const { from, field: name, as, cumulative } = field.reverse!;
  // An object that points at several objects below counts once.
  const distinct = cumulative && from !== '*' && tables.catalogue.get(from).fields[name]!.relation?.many;
  const count = distinct ? 'count(distinct t.id)' : 'count(*)';
  if (from === '*')
    return `select g.id, ${count} from replica.any_object t, unnest(t.tags) as g(id) where g.id = any($1::bigint[]) group by 1`;
  const readContext = tables.catalogue.get(from);
  const other = readContext.fields[name]!;
  const order = as === 'count' ? undefined : orderSql(tables, readContext, null);
  const value = order ? `array_agg(t.id order by ${order.by})` : count;
  const table = `${tables.nameOf(from)} t${order?.joins ?? ''}`;
  const reached = reachedBy(other, name, model);
  if (reached && order)
    return `select p.at, ${value} from ${pointersSql(tables, readContext, reached)} p join ${table} on t.id = p.id where p.at = any($1::bigint[]) group by 1`;
  if (reached)
    return `select t.at, ${value} from ${pointersSql(tables, readContext, reached)} t where t.at = any($1::bigint[]) group by 1`;
  const column = `t.${quote(columnName(name, other))}`;
  if (cumulative) {
    return `select a.id, ${value} from unnest($1::bigint[]) as a(id) join ${tables.nameOf(model.name)} d on d."_path" @> array[a.id] join ${table} on ${distinct ? `${column} @> array[d.id]` : `${column} = d.id`} group by 1`;
  }
  if (other.relation?.many)
    return `select g.id, ${value} from ${table}, unnest(${column}) as g(id) where ${holdsOne(column, 'true')} and g.id = any($1::bigint[]) group by 1`;
  return `select ${column}, ${value} from ${table} where ${column} = any($1::bigint[]) group by 1`;
}

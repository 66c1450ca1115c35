import { columnName, type Model, quote } from '@cadastre/model';
import type { ReadEngine } from '../read/engine.ts';
import { objectSnapshots } from './objectSnapshots.ts';
import { orderSql } from '../order/order.ts';
import { allowedSql } from '../visibility/permissions.ts';
import type { Requester } from '../core/requester.ts';
import { Binder, rowsOf } from '../db/sql.ts';
import type { Asked, RelatedObjects } from './remoteObjects.ts';

/**
 * Objects of this service that refer to others, those that the requester may view, in the order of their lists. The
 * same few statements whatever their number.
 */
export async function related(
  engine: ReadEngine,
  { type, field, to, ids, limit }: Asked,
  who: Requester,
): Promise<RelatedObjects> {
  const { tables } = engine;
  const model = engine.catalogue.get(type);
  const binder = new Binder();
  const refers = condition(model, field, to, binder);
  const permission = allowedSql(tables, model, 'view', who, binder);
  if (permission === false) return { pairs: [], objects: [] };
  await engine.invalidations.wait();
  const { by, joins } = orderSql(tables, model, null);
  const rows = await rowsOf(engine.pool, {
    text: `select o.id, t.id from unnest(${binder.bind(ids)}::bigint[]) o(id) join ${tables.nameOf(type)} t on ${refers}${joins}${permission ? ` where ${permission}` : ''} order by o.id, ${by} limit ${binder.bind(limit + 1)}`,
    values: binder.values,
  });
  const pairs = rows.map(([of, id]) => [Number(of), Number(id)] as const);
  return {
    pairs,
    objects:
      rows.length > limit ? [] : await objectSnapshots(engine, model, [...new Set(pairs.map(([, id]) => id))], who),
  };
}

/** Whether a row refers to `o.id`, which is an object of a type. */
function condition(model: Model, name: string, to: string, binder: Binder): string {
  const field = model.fields[name];
  const { generic, relation } = field ?? {};
  const column = (of: string): string => `t.${quote(columnName(of, model.fields[of]!))}`;
  if (generic) return `${column(generic.typeField)} = ${binder.bind(to)} and ${column(generic.idField)} = o.id`;
  if (relation?.to !== to) throw new Error(`${model.name} does not refer to ${to} by ${name}`);
  return relation.many ? `${column(name)} @> array[o.id]` : `${column(name)} = o.id`;
}

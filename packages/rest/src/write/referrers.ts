import type { Cell, Json, Model, Values } from '@cadastre/model';
import type { Engine } from '../engine.ts';
import type { Executor } from '../query/sql.ts';
import type { Item } from './parse.ts';
import type { Change } from './record.ts';
import { lockRows, rowColumns, updateRows } from './store.ts';
import { indexOf, valuesOf } from './values.ts';
import { columnName, quote } from '@cadastre/model';

/** Fields of the items that are written at the other end: the objects that are to point here, and no others. */
export async function writeReferrers(engine: Engine, model: Model, items: { item: Item; id: number }[], executor: Executor): Promise<Change[]> {
  const changes: Change[] = [];
  for (const [name, field] of Object.entries(model.fields)) {
    if (!field.reverse || field.readOnly) continue;
    const wanted = items.filter(({ item }) => item.references.has(name));
    if (wanted.length) changes.push(...await point(engine, engine.catalogue.get(field.reverse.from), field.reverse.field, new Map(wanted.map(({ item, id }) => [id, item.values[name] as number[]])), executor));
  }
  return changes;
}

async function point(engine: Engine, source: Model, field: string, wanted: Map<number, number[]>, executor: Executor): Promise<Change[]> {
  const column = quote(columnName(field, source.fields[field]!));
  const ids = [...wanted.keys()], chosen = [...new Set([...wanted.values()].flat())];
  const rows = await lockRows(engine.tables, source, `t.id = any($1::bigint[]) or t.${column} && $2::bigint[]`, [chosen, ids], executor);
  const index = indexOf(rowColumns(source));
  const changed: { before: Cell[]; object: Values }[] = [];
  for (const cells of rows) {
    const object = valuesOf(source, index, cells), now = object[field] as number[];
    const kept = now.filter((id) => !wanted.has(id) || wanted.get(id)!.includes(object['id'] as number));
    const added = ids.filter((id) => !now.includes(id) && wanted.get(id)!.includes(object['id'] as number));
    if (kept.length === now.length && !added.length) continue;
    object[field] = [...kept, ...added] as Json;
    changed.push({ before: cells, object });
  }
  if (!changed.length) return [];
  const after = await updateRows(engine.tables, source, changed.map((c) => c.object), executor);
  return changed.map(({ before }, i): Change => ({ action: 'updated', model: source, before, after: after[i]!, message: '' }));
}

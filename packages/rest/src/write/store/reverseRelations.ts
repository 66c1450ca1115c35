import { arrayItems, type Cell, columnName, type Json, type Model, quote, type Values } from '@cadastre/model';
import type { WriteEngine } from '../context/engine.ts';
import { invalid } from '../../core/errors.ts';
import { reverseSql } from '../../serialize/related/reverse.ts';
import { type Executor, rowsOf } from '../../db/sql.ts';
import { hasErrors, type Item } from '../context/item.ts';
import type { Change } from '../context/change.ts';
import { lockRows, rowColumns, updateRows } from './store.ts';
import { checkUnique, draftsOf, addIfTaken } from '../check/unique.ts';
import { indexOf, valuesOf } from '../../db/values.ts';

/** Fields of the items that are written at the other end: the objects that are to point here, and no others. */
export async function writeReverseRelations(
  engine: WriteEngine,
  model: Model,
  items: { item: Item; id: number }[],
  executor: Executor,
): Promise<Change[]> {
  const changes: Change[] = [];
  for (const [name, field] of Object.entries(model.fields)) {
    if (!field.reverse || field.readOnly) continue;
    const wanted = items.filter(({ item }) => item.references.has(name));
    const readContext = engine.catalogue.get(field.reverse.from);
    if (wanted.length && !engine.tables.owns(readContext.name))
      await refuseRemote(engine, model, name, wanted, executor);
    else if (wanted.length)
      changes.push(
        ...(await writeReverseMany(
          engine,
          name,
          readContext,
          field.reverse.field,
          new Map(wanted.map(({ item, id }) => [id, item.values[name] as number[]])),
          executor,
        )),
      );
  }
  return changes;
}

/**
 * Objects of another service are changed at their own address; naming those that point here already is no change.
 * @throws Refusal 400 that names the field
 */
async function refuseRemote(
  engine: WriteEngine,
  model: Model,
  name: string,
  wanted: { item: Item; id: number }[],
  executor: Executor,
): Promise<void> {
  const field = model.fields[name]!;
  const { from, field: other } = field.reverse!;
  const rows = await rowsOf(executor, {
    text: reverseSql(engine.tables, model, field),
    values: [wanted.map(({ id }) => id)],
  });
  const now = new Map(rows.map(([id, list]) => [Number(id), arrayItems(list!).map(Number)]));
  const sorted = (ids: readonly number[]) => [...ids].sort((a, b) => a - b).join();
  if (wanted.every(({ item, id }) => sorted(item.values[name] as number[]) === sorted(now.get(id) ?? []))) return;
  throw invalid({
    [name]: [`This list is changed from the other side: set "${other}" of each ${engine.catalogue.get(from).label}.`],
  });
}

async function writeReverseMany(
  engine: WriteEngine,
  name: string,
  readContext: Model,
  field: string,
  wanted: Map<number, number[]>,
  executor: Executor,
): Promise<Change[]> {
  const column = quote(columnName(field, readContext.fields[field]!));
  const ids = [...wanted.keys()];
  const chosen = [...new Set([...wanted.values()].flat())];
  if (!readContext.fields[field]!.relation!.many)
    return writeReverseOne(engine, name, readContext, field, wanted, chosen, executor);
  const rows = await lockRows(
    engine.tables,
    readContext,
    `t.id = any($1::bigint[]) or t.${column} && $2::bigint[]`,
    [chosen, ids],
    executor,
  );
  const index = indexOf(rowColumns(readContext));
  const changed: { before: Cell[]; object: Values }[] = [];
  for (const cells of rows) {
    const object = valuesOf(readContext, index, cells);
    const now = object[field] as number[];
    const kept = now.filter((id) => !wanted.has(id) || wanted.get(id)!.includes(object['id'] as number));
    const added = ids.filter((id) => !now.includes(id) && wanted.get(id)!.includes(object['id'] as number));
    if (kept.length === now.length && !added.length) continue;
    object[field] = [...kept, ...added] as Json;
    changed.push({ before: cells, object });
  }
  if (!changed.length) return [];
  const after = await updateRows(
    engine.tables,
    readContext,
    changed.map((c) => c.object),
    executor,
  );
  return changed.map(
    ({ before }, i): Change => ({ action: 'updated', model: readContext, before, after: after[i]!, message: '' }),
  );
}

/**
 * The same where each of them points at one object: those that are named move here, others are unlinked where their
 * reference may be empty.
 */
async function writeReverseOne(
  engine: WriteEngine,
  name: string,
  readContext: Model,
  field: string,
  wanted: Map<number, number[]>,
  chosen: number[],
  executor: Executor,
): Promise<Change[]> {
  const column = `t.${quote(columnName(field, readContext.fields[field]!))}`;
  const free = readContext.fields[field]!.column!.nullable;
  const rows = await lockRows(
    engine.tables,
    readContext,
    `t.id = any($1::bigint[])${free ? ` or ${column} = any($2::bigint[])` : ''}`,
    free ? [chosen, [...wanted.keys()]] : [chosen],
    executor,
  );
  const index = indexOf(rowColumns(readContext));
  const target = new Map([...wanted].flatMap(([id, list]) => list.map((one) => [one, id] as const)));
  const changed = rows.flatMap((before) => {
    const object = valuesOf(readContext, index, before);
    const to = target.get(object['id'] as number) ?? null;
    return object[field] === to ? [] : [{ before, object: { ...object, [field]: to } }];
  });
  if (!changed.length) return [];
  const drafts = draftsOf(changed.map(({ object }) => object));
  const refuse = () => {
    const wrong = drafts.find(({ item }) => hasErrors(item));
    if (wrong) throw invalid({ [name]: Object.values(wrong.item.errors).flat() });
  };
  (await checkUnique(engine.tables, readContext, drafts, executor))();
  refuse();
  const after = await updateRows(
    engine.tables,
    readContext,
    changed.map((c) => c.object),
    executor,
  ).catch((error: unknown) => {
    if (addIfTaken(readContext, error, drafts)) refuse();
    throw error;
  });
  return changed.map(
    ({ before }, i): Change => ({ action: 'updated', model: readContext, before, after: after[i]!, message: '' }),
  );
}

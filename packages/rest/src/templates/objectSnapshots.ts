import { type Model, quote } from '@cadastre/model';
import type { ReadEngine } from '../read/engine.ts';
import { allowedSql } from '../visibility/permissions.ts';
import { ANYBODY, type Requester } from '../core/requester.ts';
import { textsOf } from '../serialize/related/displays.ts';
import { loadRelated } from '../serialize/related/related.ts';
import { Binder, rowsOf } from '../db/sql.ts';
import type { ObjectSnapshot } from '../serialize/objectSnapshot.ts';
import { snapshotOf } from '../serialize/snapshot.ts';
import { forWriter, shapesOf } from '../write/record/record.ts';
import { rowColumns } from '../write/store/store.ts';
import { ownListsNow } from '../write/record/ownLists.ts';
import { loadSnapshotContext } from '../write/record/snapshotContext.ts';

/**
 * Objects of this service as events would tell of them now, those that the requester may view. The same few statements
 * whatever their number.
 */
export async function objectSnapshots(
  engine: ReadEngine,
  model: Model,
  ids: readonly number[],
  who: Requester = ANYBODY,
): Promise<ObjectSnapshot[]> {
  const { tables } = engine;
  const binder = new Binder();
  const wanted = `t.id = any(${binder.bind(ids)}::bigint[])`;
  const permission = allowedSql(tables, model, 'view', who, binder);
  if (permission === false) return [];
  await engine.invalidations.wait();
  const rows = await rowsOf(engine.pool, {
    text: `select ${rowColumns(model)
      .map((name) => `t.${quote(name)}`)
      .join(', ')} from ${tables.nameOf(model.name)} t where ${wanted}${permission ? ` and ${permission}` : ''}`,
    values: binder.values,
  });
  if (!rows.length) return [];
  const readContext = await engine.readContext(engine.pool, who);
  const shape = shapesOf(readContext, model).event;
  const around = await loadSnapshotContext(
    readContext,
    rows.map((after) => ({ model, before: null, after })),
  );
  const lists = await ownListsNow(
    readContext,
    model,
    rows.map(([id]) => Number(id)),
  );
  const related = (
    await loadRelated(
      readContext,
      model,
      shape.writer,
      rows.map((cells) => forWriter(shape, cells)),
    )
  )('');
  const displays = await textsOf(readContext, model, shape.index, rows);
  return rows.map((cells, i) => ({
    id: Number(cells[0]),
    version: Number(cells[shape.index.get('_version')!]),
    display: displays[i]!,
    data: shape.writer.print(forWriter(shape, cells), related),
    snapshot: snapshotOf(model, shape.index, cells, around, { lists: lists.get(Number(cells[0])) }),
  }));
}

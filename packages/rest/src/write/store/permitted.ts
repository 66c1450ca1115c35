import type { Cell, Model } from '@cadastre/model';
import type { PoolClient } from 'pg';
import { invalid, Refusal } from '../../core/errors.ts';
import type { Action, Requester } from '../../core/requester.ts';
import { Binder, idsIn } from '../../db/sql.ts';
import { permissionSql } from '../../read/plan/plan.ts';
import { etagOf, matches } from '../../serialize/etag.ts';
import type { WriteEngine } from '../context/engine.ts';
import { lockRows, rowColumns } from './store.ts';

/** Rows that a requester may change or delete, locked. */
export function lockPermitted(
  engine: WriteEngine,
  model: Model,
  ids: number[],
  action: Action,
  who: Requester,
  client: PoolClient,
): Promise<Cell[][]> {
  const binder = new Binder();
  const list = binder.bind(ids);
  const permission = permissionSql(engine.tables, model, action, who, binder);
  return lockRows(
    engine.tables,
    model,
    `t.id = ${idsIn(list)}${permission ? ` and ${permission}` : ''}`,
    binder.values,
    client,
    action === 'delete' ? 'delete' : 'change',
  );
}

/** @throws Refusal 412 that carries the present ETag */
export function requireMatch(model: Model, cells: Cell[], ifMatch: string | undefined): void {
  const etag = etagOf(model, rowColumns(model), cells);
  if (ifMatch !== undefined && !matches(ifMatch, etag))
    throw new Refusal(412, { detail: 'Precondition failed.' }, etag ? { ETag: etag } : {});
}

/** @throws Refusal 400 that names every id that is not there or may not be touched */
export function refuseMissing(model: Model, ids: number[], found: ReadonlyMap<number, unknown>): void {
  const missing = ids.filter((id) => !found.has(id));
  if (missing.length)
    throw invalid({ id: missing.map((id) => `No ${model.className} with id ${id} exists, or you may not touch it.`) });
}

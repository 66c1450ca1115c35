import type { PoolClient } from 'pg';
import { type Cell, type Dict, type Json, type Model, typeName } from '@cadastre/model';
import type { WriteEngine } from './context/engine.ts';
import { invalid, notFound, notPermitted, Refusal } from '../core/errors.ts';
import { permissionSql } from '../read/plan/plan.ts';
import { type Action, allowed, type Requester } from '../core/requester.ts';
import { requireProofFor } from '../core/proof.ts';
import { Binder, idsIn } from '../db/sql.ts';
import { etagOf, matches } from '../serialize/etag.ts';
import { runPrepare } from './prepare.ts';
import type { WriteAnswer } from './answer.ts';
import type { Draft } from './draft.ts';
import { hasErrors, type Item, type Mode } from './parse/parse.ts';
import type { Prefetched } from './resolve/references.ts';
import {
  validate,
  finish,
  prefetchReferences,
  parseItems,
  refuseErrors,
  withFieldErrors,
  type WriteContext,
} from './save.ts';
import { lockRows, rowColumns, updateRows } from './store/store.ts';
import { lockTree } from './store/tree.ts';
import { indexOf, valuesOf } from '../db/values.ts';

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

/** Who may change nothing of a type, or not now, has no references looked up. @throws Refusal 403 */
function requirePermission(model: Model, who: Requester): void {
  if (allowed(who.grants, 'change', model.name) === false) throw notPermitted(who);
  requireProofFor(model, who);
}

/** @throws Refusal 412 that carries the present ETag */
export function requireMatch(model: Model, cells: Cell[], ifMatch: string | undefined): void {
  const etag = etagOf(model, rowColumns(model), cells);
  if (ifMatch !== undefined && !matches(ifMatch, etag))
    throw new Refusal(412, { detail: 'Precondition failed.' }, etag ? { ETag: etag } : {});
}

/** Changes one object. @throws Refusal 400, 403, 404, 412 */
export async function updateOne(
  engine: WriteEngine,
  model: Model,
  id: number,
  body: Json,
  mode: Mode,
  ifMatch: string | undefined,
  given: WriteContext,
): Promise<WriteAnswer> {
  await engine.ready();
  const context = await runPrepare(
    engine,
    model,
    'change',
    () => parseItems(engine, model, [body], mode, given.files),
    given,
  );
  return engine.transact(async (client) => {
    requirePermission(model, context.who);
    const prefetched = await prefetchReferences(
      engine,
      model,
      await parseItems(engine, model, [body], mode, context.files),
      context,
      client,
    );
    await lockTree(model, client);
    const [cells] = await lockPermitted(engine, model, [id], 'change', context.who, client);
    if (!cells) throw notFound(model.className);
    requireMatch(model, cells, ifMatch);
    const [item] = await parseItems(engine, model, [body], mode, context.files);
    return saveUpdate(engine, model, [{ item: item!, cells }], true, context, client, prefetched);
  });
}

/**
 * Changes several objects, all or none. @throws Refusal 400 that has one entry for each object, or names ids that are
 * not there
 */
export async function updateMany(
  engine: WriteEngine,
  model: Model,
  bodies: Json[],
  mode: Mode,
  given: WriteContext,
): Promise<WriteAnswer> {
  let parsed: Item[] | undefined = await parseItems(engine, model, bodies, mode);
  const items = parsed;
  const ids = readIds(items);
  await engine.ready();
  const context = await runPrepare(engine, model, 'change', () => items, given);
  return engine.transact(async (client) => {
    requirePermission(model, context.who);
    const prefetched = await prefetchReferences(
      engine,
      model,
      parsed ?? (await parseItems(engine, model, bodies, mode)),
      context,
      client,
    );
    // Tried again, it starts from what the client sent.
    parsed = undefined;
    await lockTree(model, client);
    const rows = await lockPermitted(engine, model, ids, 'change', context.who, client);
    const byId = new Map(rows.map((cells) => [Number(cells[0]), cells]));
    refuseMissing(model, ids, byId);
    const items = await parseItems(engine, model, bodies, mode);
    readIds(items);
    return saveUpdate(
      engine,
      model,
      items.map((item) => ({ item, cells: byId.get(item.id!)! })),
      false,
      context,
      client,
      prefetched,
    );
  });
}

/** Reads the `id` of every item of a bulk request. @throws Refusal 400 when one is missing or named twice */
function readIds(items: Item[]): number[] {
  const seen = new Set<number>();
  for (const item of items) {
    const id = item.given['id'];
    if (id === undefined) {
      if (!('non_field_errors' in item.errors)) item.errors = { id: ['This field is required.'] };
      continue;
    }
    if (typeof id !== 'number' || !Number.isSafeInteger(id)) item.errors['id'] = ['A valid integer is required.'];
    else if (seen.has(id)) item.errors['id'] = [`Object ${id} is named more than once.`];
    else {
      seen.add(id);
      item.id = id;
    }
  }
  if (items.some((i) => i.id === undefined)) throw invalid(items.map((i) => (i.id === undefined ? i.errors : {})));
  return [...seen];
}

/** @throws Refusal 400 that names every id that is not there or may not be touched */
export function refuseMissing(model: Model, ids: number[], found: ReadonlyMap<number, unknown>): void {
  const missing = ids.filter((id) => !found.has(id));
  if (missing.length)
    throw invalid({ id: missing.map((id) => `No ${model.className} with id ${id} exists, or you may not touch it.`) });
}

async function saveUpdate(
  engine: WriteEngine,
  model: Model,
  given: { item: Item; cells: Cell[] }[],
  single: boolean,
  context: WriteContext,
  client: PoolClient,
  prefetched: Prefetched,
): Promise<WriteAnswer> {
  const index = indexOf(rowColumns(model));
  const drafts: Draft[] = given.map(({ item, cells }) => {
    const before = valuesOf(model, index, cells);
    item.id = before['id'] as number;
    return { item, object: { ...before }, before, beforeCells: cells };
  });
  if (drafts.some(({ item }) => hasErrors(item) && 'non_field_errors' in item.errors))
    refuseErrors(
      drafts.map((d) => d.item),
      single,
    );
  const definitions = await validate(engine, model, drafts, context, client, { single, prefetched });
  const stored = await withFieldErrors(model, drafts, single, () =>
    updateRows(
      engine.tables,
      model,
      drafts.map((d) => d.object),
      client,
    ),
  );
  return finish(engine, model, { drafts, stored, action: 'change', definitions, single }, context, client);
}

/** The items of a bulk request. @throws Refusal 400 when it is no list */
export function requireList(body: Json | undefined): Json[] {
  if (Array.isArray(body)) return body;
  throw invalid({ non_field_errors: [`Expected a list of items but got type "${typeName(body ?? ({} as Dict))}".`] });
}

import { type Cell, type Dict, type Json, type Model, typeName } from '@cadastre/model';
import { invalid, notFound, notPermitted } from '../../core/errors.ts';
import { requireReauthenticationFor } from '../../core/reauthentication.ts';
import { allowed, type Requester } from '../../core/requester.ts';
import { sendLast } from '../../db/transaction.ts';
import { indexOf, valuesOf } from '../../db/values.ts';
import { renderAnswers, type WriteAnswer } from '../record/answer.ts';
import { withFieldErrors } from '../check/fieldErrors.ts';
import { validate } from '../check/validate.ts';
import type { WriteContext } from '../context/context.ts';
import type { Draft } from '../context/draft.ts';
import type { WriteEngine } from '../context/engine.ts';
import { applyEffects } from '../effects/applyEffects.ts';
import { parseItems, refuseErrors } from '../parse/items.ts';
import type { Item, Mode } from '../context/item.ts';
import { runPrepare } from '../check/prepare.ts';
import { prefetchReferences } from '../resolve/prefetch.ts';
import { rowColumns, updateRows } from '../store/store.ts';
import { lockPermitted, refuseMissing, requireMatch } from '../store/permitted.ts';
import { lockTree } from '../store/tree.ts';

/** @throws Refusal 403 to requesters who may change no object of the type, or who have to authenticate again */
function requirePermission(model: Model, who: Requester): void {
  if (allowed(who.grants, 'change', model.name) === false) throw notPermitted(who);
  requireReauthenticationFor(model, who);
}

/** Changes one object. @throws Refusal 400, 403, 404, 412 */
export const updateOne = (
  engine: WriteEngine,
  model: Model,
  id: number,
  body: Json,
  mode: Mode,
  ifMatch: string | undefined,
  context: WriteContext,
): Promise<WriteAnswer> => {
  const requireFound = ([cells]: Cell[][]): void => {
    if (!cells) throw notFound(model.className);
    requireMatch(model, cells, ifMatch);
  };
  return update(engine, model, [body], mode, { single: true, readIds: () => [id], requireFound }, context);
};

/**
 * Changes several objects, all or none. @throws Refusal 400 that has one entry for each object, or names ids that are
 * not there
 */
export const updateMany = (
  engine: WriteEngine,
  model: Model,
  bodies: Json[],
  mode: Mode,
  context: WriteContext,
): Promise<WriteAnswer> => {
  const requireFound = (rows: Cell[][], ids: number[]): void => refuseMissing(model, ids, byId(rows));
  return update(engine, model, bodies, mode, { single: false, readIds, requireFound }, context);
};

/** Which objects a request changes. */
interface Targets {
  single: boolean;
  /** Their ids, in the order of the items. */
  readIds(items: Item[]): number[];
  /** @throws Refusal when one is not there, or not as it was expected */
  requireFound(rows: Cell[][], ids: number[]): void;
}

async function update(
  engine: WriteEngine,
  model: Model,
  bodies: Json[],
  mode: Mode,
  { single, readIds: idsOf, requireFound }: Targets,
  asked: WriteContext,
): Promise<WriteAnswer> {
  requirePermission(model, asked.who);
  const parse = () => parseItems(engine, model, bodies, mode, asked.files);
  const parsed = await parse();
  const ids = idsOf(parsed);
  await engine.ready();
  const context = await runPrepare(engine, model, 'change', () => parsed, asked);
  let first: Item[] | undefined = parsed;
  return engine.transact(async (client) => {
    const prefetched = await prefetchReferences(engine, model, first ?? (await parse()), context, client);
    // A transaction that is tried again starts from what the client sent.
    first = undefined;
    await lockTree(model, client);
    const rows = await lockPermitted(engine, model, ids, 'change', context.who, client);
    requireFound(rows, ids);
    const items = await parse();
    const drafts = draftsOf(model, items, idsOf(items), byId(rows));
    if (items.some((item) => 'non_field_errors' in item.errors)) refuseErrors(items, single);
    const definitions = await validate(engine, model, drafts, context, client, { single, prefetched });
    const objects = drafts.map(({ object }) => object);
    const stored = await withFieldErrors(model, drafts, single, () =>
      updateRows(engine.tables, model, objects, client),
    );
    const finished = { drafts, stored, action: 'change' as const, definitions, single };
    const { readContext, rows: after, write } = await applyEffects(engine, model, finished, context, client);
    const [answer] = await renderAnswers(readContext, model, drafts, [after], context.base);
    sendLast(client, write());
    return answer!;
  });
}

const byId = (rows: Cell[][]): Map<number, Cell[]> => new Map(rows.map((cells) => [Number(cells[0]), cells]));

/** The objects as they are, with what is to be changed. */
function draftsOf(model: Model, items: Item[], ids: number[], rows: ReadonlyMap<number, Cell[]>): Draft[] {
  const index = indexOf(rowColumns(model));
  return items.map((item, i) => {
    const cells = rows.get(ids[i]!)!;
    const before = valuesOf(model, index, cells);
    item.id = ids[i]!;
    return { item, object: { ...before }, before, beforeCells: cells };
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

/** The items of a bulk request. @throws Refusal 400 when it is no list */
export function requireList(body: Json | undefined): Json[] {
  if (Array.isArray(body)) return body;
  throw invalid({ non_field_errors: [`Expected a list of items but got type "${typeName(body ?? ({} as Dict))}".`] });
}

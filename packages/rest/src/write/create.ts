import type { PoolClient } from 'pg';
import type { Cell, Json, Model } from '@cadastre/model';
import type { WriteEngine } from './context/engine.ts';
import { notPermitted, Refusal } from '../core/errors.ts';
import { uploadsOf } from '../media/files.ts';
import { allowed } from '../core/requester.ts';
import { requireProofFor } from '../core/proof.ts';
import { runPrepare } from './prepare.ts';
import type { WriteAnswer } from './answer.ts';
import type { Draft } from './draft.ts';
import { createInGroup } from './group/createInGroup.ts';
import {
  type ValidateOptions,
  validate,
  finish,
  prefetchReferences,
  parseItems,
  refuseErrors,
  withFieldErrors,
  type WriteContext,
} from './save.ts';
import { hasErrors, type Item } from './parse/parse.ts';
import { insertIfUnique, insertRows } from './store/store.ts';
import { lockTree } from './store/tree.ts';

const NOTHING: WriteAnswer = { texts: [], etag: undefined, ids: [] };

/**
 * What a client sent for each new object, or how that is made of what was sent inside the transaction (after taking a
 * lock there, say).
 */
export type Bodies = Json[] | { given: Json[]; make(client: PoolClient): Promise<Json[]> };

/**
 * Creates objects, all or none. A single one may be stored along with those of other requests.
 * @throws Refusal 400 with messages by field, 403 without permission
 */
export async function create(
  engine: WriteEngine,
  model: Model,
  bodies: Bodies,
  single: boolean,
  context: WriteContext,
): Promise<WriteAnswer> {
  if (allowed(context.who.grants, 'add', model.name) === false) throw notPermitted(context.who);
  requireProofFor(model, context.who);
  const given = Array.isArray(bodies) ? bodies : bodies.given;
  if (!given.length) return NOTHING;
  const alone = () => createAll(engine, model, bodies, single, context);
  return single && bodies === given ? createInGroup(engine, model, given[0]!, context, alone) : alone();
}

/**
 * Most objects are new indeed, so whether something is taken is asked only when storing them shows that something is, or
 * when something else is wrong: a message of one field keeps rules from running.
 */
async function createAll(
  engine: WriteEngine,
  model: Model,
  bodies: Bodies,
  single: boolean,
  asked: WriteContext,
): Promise<WriteAnswer> {
  const parsed = (some: Json[]) => parseItems(engine, model, some, 'create', asked.files);
  await engine.ready();
  const given = Array.isArray(bodies) ? bodies : bodies.given;
  const context = await runPrepare(engine, model, 'add', () => parsed(given), asked);
  // A file would have been kept for nothing.
  if (uploadsOf(model).length) return store(false);
  try {
    return await store(true);
  } catch (error) {
    if (error instanceof RetryWithUniqueCheck) return store(false);
    throw error;
  }

  function store(optimistic: boolean): Promise<WriteAnswer> {
    return engine.transact(async (client) => {
      const prefetched =
        model.tree || !Array.isArray(bodies)
          ? await prefetchReferences(engine, model, await parsed(given), context, client)
          : undefined;
      await lockTree(model, client);
      // Parsed here, as a transaction that is tried again starts from what the client sent.
      const items = await parsed(Array.isArray(bodies) ? bodies : await bodies.make(client));
      return items.length
        ? createInTransaction(engine, model, items, { single, prefetched, optimistic }, context, client)
        : NOTHING;
    });
  }
}

/** How new objects are stored; `linked` may complete their rows by what only they can tell: their ids. */
export interface CreateOptions extends ValidateOptions {
  linked?(stored: Cell[][]): Promise<Cell[][]>;
}

/**
 * Creates objects inside a transaction, in which more may follow once its last statement has been waited for. A tree
 * has been locked before.
 */
export async function createInTransaction(
  engine: WriteEngine,
  model: Model,
  items: Item[],
  { single, prefetched, optimistic = false, linked = async (stored) => stored }: CreateOptions,
  context: WriteContext,
  client: PoolClient,
): Promise<WriteAnswer> {
  if (items.some((i) => 'non_field_errors' in i.errors)) refuseErrors(items, single);
  if (optimistic && items.some(hasErrors)) throw new RetryWithUniqueCheck();
  const drafts: Draft[] = items.map((item) => ({ item, object: {}, before: null, beforeCells: null }));
  const completed = validate(engine, model, drafts, context, client, { single, prefetched, optimistic });
  const definitions = await (optimistic ? completed.catch(retryIfRefused) : completed);
  const objects = drafts.map((d) => d.object);
  const insert = optimistic ? insertIfUnique : insertRows;
  const stored = await withFieldErrors(model, drafts, single, () => insert(engine.tables, model, objects, client));
  if (stored.length < objects.length) throw new RetryWithUniqueCheck();
  const rows = await linked(stored);
  return finish(engine, model, { drafts, stored: rows, action: 'add', definitions, single }, context, client);
}

/** Something may be taken, and nobody has asked: it is done again, with the question. */
class RetryWithUniqueCheck extends Error {
  override readonly name = 'RetryWithUniqueCheck';
}

/** What is taken would be said along with what is wrong, or before it. */
function retryIfRefused(error: unknown): never {
  throw error instanceof Refusal ? new RetryWithUniqueCheck() : error;
}

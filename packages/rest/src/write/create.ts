import type { PoolClient } from 'pg';
import type { Cell, Json, Model } from '@cadastre/model';
import type { Engine } from '../engine.ts';
import { notPermitted, Refusal } from '../core/errors.ts';
import { uploadsOf } from '../media/files.ts';
import { allowed } from '../visibility/permissions.ts';
import { requireProofFor } from '../core/proof.ts';
import { doneAhead } from './ahead.ts';
import type { Written } from './answered.ts';
import type { Draft } from './draft.ts';
import { createTogether } from './group/createTogether.ts';
import {
  type Completing,
  complete,
  finish,
  foresee,
  parseItems,
  refuseErrors,
  storing,
  type WriteContext,
} from './save.ts';
import { hasErrors, type Item } from './parse/parse.ts';
import { insertFree, insertRows } from './store/store.ts';
import { lockTree } from './store/tree.ts';

const NOTHING: Written = { texts: [], etag: undefined, ids: [] };

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
  engine: Engine,
  model: Model,
  bodies: Bodies,
  single: boolean,
  context: WriteContext,
): Promise<Written> {
  if (allowed(context.who.grants, 'add', model.name) === false) throw notPermitted(context.who);
  requireProofFor(model, context.who);
  const given = Array.isArray(bodies) ? bodies : bodies.given;
  if (!given.length) return NOTHING;
  const alone = () => createAll(engine, model, bodies, single, context);
  return single && bodies === given ? createTogether(engine, model, given[0]!, context, alone) : alone();
}

/**
 * Most objects are new indeed, so whether something is taken is asked only when storing them shows that something is, or
 * when something else is wrong: a message of one field keeps rules from running.
 */
async function createAll(
  engine: Engine,
  model: Model,
  bodies: Bodies,
  single: boolean,
  asked: WriteContext,
): Promise<Written> {
  const parsed = (some: Json[]) => parseItems(engine, model, some, 'create', asked.files);
  await engine.ready();
  const given = Array.isArray(bodies) ? bodies : bodies.given;
  const context = await doneAhead(engine, model, 'add', () => parsed(given), asked);
  // A file would have been kept for nothing.
  if (uploadsOf(model).length) return store(false);
  try {
    return await store(true);
  } catch (error) {
    if (error instanceof Doubtful) return store(false);
    throw error;
  }

  function store(trusting: boolean): Promise<Written> {
    return engine.transact(async (client) => {
      const known =
        model.tree || !Array.isArray(bodies)
          ? await foresee(engine, model, await parsed(given), context, client)
          : undefined;
      await lockTree(model, client);
      // Parsed here, as a transaction that is tried again starts from what the client sent.
      const items = await parsed(Array.isArray(bodies) ? bodies : await bodies.make(client));
      return items.length ? createWithin(engine, model, items, { single, known, trusting }, context, client) : NOTHING;
    });
  }
}

/** How new objects are stored; `linked` may complete their rows by what only they can tell: their ids. */
export interface Storing extends Completing {
  linked?(stored: Cell[][]): Promise<Cell[][]>;
}

/**
 * Creates objects inside a transaction, in which more may follow once its last statement has been waited for. A tree
 * has been locked before.
 */
export async function createWithin(
  engine: Engine,
  model: Model,
  items: Item[],
  { single, known, trusting = false, linked = async (stored) => stored }: Storing,
  context: WriteContext,
  client: PoolClient,
): Promise<Written> {
  if (items.some((i) => 'non_field_errors' in i.errors)) refuseErrors(items, single);
  if (trusting && items.some(hasErrors)) throw new Doubtful();
  const drafts: Draft[] = items.map((item) => ({ item, object: {}, before: null, beforeCells: null }));
  const completed = complete(engine, model, drafts, context, client, { single, known, trusting });
  const definitions = await (trusting ? completed.catch(doubt) : completed);
  const objects = drafts.map((d) => d.object);
  const insert = trusting ? insertFree : insertRows;
  const stored = await storing(model, drafts, single, () => insert(engine.tables, model, objects, client));
  if (stored.length < objects.length) throw new Doubtful();
  const rows = await linked(stored);
  return finish(engine, model, { drafts, stored: rows, action: 'add', definitions, single }, context, client);
}

/** Something may be taken, and nobody has asked: it is done again, with the question. */
class Doubtful extends Error {
  override readonly name = 'Doubtful';
}

/** What is taken would be said along with what is wrong, or before it. */
function doubt(error: unknown): never {
  throw error instanceof Refusal ? new Doubtful() : error;
}

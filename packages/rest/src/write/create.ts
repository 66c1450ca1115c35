import type { PoolClient } from 'pg';
import type { Json, Model } from '@cadastre/model';
import type { Engine } from '../engine.ts';
import { notPermitted } from '../errors.ts';
import { allowed } from '../plan/permissions.ts';
import { requireProofFor } from '../plan/proof.ts';
import { doneAhead } from './ahead.ts';
import type { Draft } from './draft.ts';
import {
  complete,
  finish,
  foresee,
  parseItems,
  refuseErrors,
  storing,
  type WriteContext,
  type Written,
} from './save.ts';
import { insertRows } from './store/store.ts';
import { lockTree } from './store/tree.ts';

const NOTHING: Written = { texts: [], etag: undefined, ids: [] };

/**
 * What a client sent for each new object, or how that is made of what was sent inside the transaction (after taking a
 * lock there, say).
 */
export type Bodies = Json[] | { given: Json[]; make(client: PoolClient): Promise<Json[]> };

/** Creates objects, all or none. @throws Refusal 400 with messages by field, 403 without permission */
export async function create(
  engine: Engine,
  model: Model,
  bodies: Bodies,
  single: boolean,
  asked: WriteContext,
): Promise<Written> {
  if (allowed(asked.who.grants, 'add', model.name) === false) throw notPermitted(asked.who);
  requireProofFor(model, asked.who);
  const given = Array.isArray(bodies) ? bodies : bodies.given;
  const parsed = (some: Json[]) => parseItems(engine, model, some, 'create', asked.files);
  if (!given.length) return NOTHING;
  await engine.ready();
  const context = await doneAhead(engine, model, 'add', () => parsed(given), asked);
  return engine.transact(async (client) => {
    const known =
      model.tree || !Array.isArray(bodies) ? await foresee(engine, model, parsed(given), context, client) : undefined;
    await lockTree(model, client);
    // Parsed here, as a transaction that is tried again starts from what the client sent.
    const items = parsed(Array.isArray(bodies) ? bodies : await bodies.make(client));
    if (!items.length) return NOTHING;
    if (items.some((i) => 'non_field_errors' in i.errors)) refuseErrors(items, single);
    const drafts: Draft[] = items.map((item) => ({ item, object: {}, before: null, beforeCells: null }));
    const definitions = await complete(engine, model, drafts, context, client, single, known);
    const stored = await storing(model, drafts, single, () =>
      insertRows(
        engine.tables,
        model,
        drafts.map((d) => d.object),
        client,
      ),
    );
    return finish(engine, model, { drafts, stored, action: 'add', definitions, single }, context, client);
  });
}

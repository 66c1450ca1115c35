import type { Json, Model } from '@cadastre/model';
import type { PoolClient } from 'pg';
import { notPermitted } from '../../core/errors.ts';
import { requireReauthenticationFor } from '../../core/reauthentication.ts';
import { allowed } from '../../core/requester.ts';
import { uploadsOf } from '../../media/files.ts';
import type { WriteAnswer } from '../record/answer.ts';
import type { WriteContext } from '../context/context.ts';
import type { WriteEngine } from '../context/engine.ts';
import { createInTransaction, RetryWithUniqueCheck } from './createInTransaction.ts';
import { createInGroup } from './createInGroup.ts';
import { parseItems } from '../parse/items.ts';
import { runPrepare } from '../check/prepare.ts';
import { prefetchReferences } from '../resolve/prefetch.ts';
import { lockTree } from '../store/tree.ts';

const NOTHING: WriteAnswer = { texts: [], etag: undefined, ids: [] };

/**
 * What a client sent for each new object; with `make`, the objects are made of that inside the transaction (after
 * taking a lock, for example).
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
  requireReauthenticationFor(model, context.who);
  const given = Array.isArray(bodies) ? bodies : bodies.given;
  if (!given.length) return NOTHING;
  const alone = () => createAlone(engine, model, bodies, single, context);
  return single && bodies === given ? createInGroup(engine, model, given[0]!, context, alone) : alone();
}

/**
 * Most objects are new indeed, so whether a unique value is taken is checked only when storing shows that one is, or
 * when something else is wrong: a message about one field keeps rules from running.
 */
async function createAlone(
  engine: WriteEngine,
  model: Model,
  bodies: Bodies,
  single: boolean,
  asked: WriteContext,
): Promise<WriteAnswer> {
  const given = Array.isArray(bodies) ? bodies : bodies.given;
  const parse = (some: Json[]) => parseItems(engine, model, some, 'create', asked.files);
  await engine.ready();
  const context = await runPrepare(engine, model, 'add', () => parse(given), asked);
  const attempt = (optimistic: boolean): Promise<WriteAnswer> =>
    engine.transact(async (client) => {
      const prefetched =
        model.tree || !Array.isArray(bodies)
          ? await prefetchReferences(engine, model, await parse(given), context, client)
          : undefined;
      await lockTree(model, client);
      // Parsed here, as a transaction that is tried again starts from what the client sent.
      const items = await parse(Array.isArray(bodies) ? bodies : await bodies.make(client));
      if (!items.length) return NOTHING;
      const how = { single, prefetched, optimistic };
      const [answer] = await createInTransaction(engine, model, items, how, context, client);
      return answer!;
    });
  // A file would have been kept for nothing.
  if (uploadsOf(model).length) return attempt(false);
  try {
    return await attempt(true);
  } catch (error) {
    if (error instanceof RetryWithUniqueCheck) return attempt(false);
    throw error;
  }
}

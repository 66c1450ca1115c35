import type { PoolClient } from 'pg';
import type { WriteEngine } from '../../write/context/engine.ts';
import { ANYBODY } from '../../core/requester.ts';
import { addTombstones } from '../../replicas/tombstones.ts';
import { applyConsequences, consequencesElsewhere } from '../../write/consequences/cascade.ts';
import { followersOf, runFollowers, runEffects } from '../../write/effects/effects.ts';
import { record } from '../../write/record/record.ts';
import type { Cause } from '../../write/context/change.ts';
import { awaitWriters } from '../../write/consequences/asking.ts';
import { unmark } from '../../write/consequences/marks.ts';
import type { TypedIds } from '../../core/typedIds.ts';
import { dropReplicas } from '../../replicas/replicas.ts';
import { dropAnyObjects } from './anyObject.ts';
import { lockFollowersExclusive } from './followersLock.ts';

/**
 * Follows deletions of other services' objects, in as many transactions as it takes. An interrupted run continues where
 * it stopped: references that are already removed are not found again. `asOf` is when the objects were deleted.
 */
export async function applyRemoteDeletions(
  engine: WriteEngine,
  gone: readonly TypedIds[],
  request: Cause | null,
  asOf?: string,
): Promise<void> {
  while (!(await engine.transact((client) => applyDeletionBatch(engine, gone, request, client, asOf))));
}

/**
 * Objects of other services are deleted: `cascade` and `setNull` references of this service's follow, under the request
 * that caused it, and nothing brings the objects back. A constant number of statements for each type. Where very many
 * objects lose a reference, only the first of them are handled. Returns whether all is done.
 */
async function applyDeletionBatch(
  engine: WriteEngine,
  gone: readonly TypedIds[],
  request: Cause | null,
  client: PoolClient,
  asOf?: string,
): Promise<boolean> {
  const { tables, catalogue } = engine;
  const cause: Cause | null = request && { ...request, elsewhere: true };
  const others = elsewhere(engine, gone);
  await lockFollowersExclusive(client);
  // The owner may not have asked anybody before it deleted, so a writer may be about to commit a reference to an
  // object.
  await awaitWriters(others, client);
  const consequences = await consequencesElsewhere(engine, others, 'follow', client);
  const changes = await applyConsequences(tables, consequences, client, cause?.imported ? 'kept' : 'now');
  await unmark(
    consequences.deleted
      .filter(({ model }) => catalogue.deletions.isGuarded(model.name))
      .map(({ model, rows }) => ({ type: model.name, ids: [...rows.keys()] })),
    client,
  );
  if (changes.length)
    await record(
      await engine.readContext(client),
      await runEffects(engine, changes, { ...ANYBODY, userId: cause?.userId ?? null }, client),
      cause,
      client,
      asOf,
    );
  if (consequences.more) return false;
  await dropFromReplicas(engine, gone, client);
  for (const { type, ids } of others) {
    const followers = followersOf(engine, type);
    if (followers.length)
      await record(
        await engine.readContext(client),
        await runFollowers(engine, followers, type, ids, client),
        cause,
        client,
        asOf,
      );
  }
  return true;
}

/**
 * Removes deleted objects when nothing here follows from any of them, so that it does not matter which requests deleted
 * them. Otherwise removes none and returns false.
 */
export async function dropUnreferenced(
  engine: WriteEngine,
  gone: readonly TypedIds[],
  client: PoolClient,
): Promise<boolean> {
  const others = elsewhere(engine, gone);
  if (others.some(({ type }) => followersOf(engine, type).length)) return false;
  await lockFollowersExclusive(client);
  await awaitWriters(others, client);
  const { cleared, deleted } = await consequencesElsewhere(engine, others, 'follow', client);
  if (cleared.some(({ objects }) => objects.size) || deleted.some(({ rows }) => rows.size)) return false;
  await dropFromReplicas(engine, gone, client);
  return true;
}

const elsewhere = ({ catalogue, tables }: WriteEngine, objects: readonly TypedIds[]): TypedIds[] =>
  objects.filter(({ type }) => catalogue.has(type) && !tables.owns(type));

/** Removes objects of other services from what is kept here, for good. */
async function dropFromReplicas(engine: WriteEngine, gone: readonly TypedIds[], client: PoolClient): Promise<void> {
  const { tables, catalogue } = engine;
  const replicated = elsewhere(engine, gone).filter(({ type }) => tables.replicas.has(type));
  await addTombstones(tables.keepsAnyObject ? gone.filter(({ type }) => catalogue.has(type)) : replicated, client);
  for (const { type, ids } of replicated) await dropReplicas(tables, type, ids, client);
  if (tables.keepsAnyObject) await dropAnyObjects(gone, client);
}

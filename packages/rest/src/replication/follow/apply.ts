import { type ChangeEvent, isDerived, madeAt, partText } from '@cadastre/events';
import { type Model, matters } from '@cadastre/model';
import type { PoolClient } from 'pg';
import type { WriteEngine } from '../../write/context/engine.ts';
import { heldAmong } from '../../replicas/part.ts';
import { fetchMissingMutual } from '../../replicas/fetch.ts';
import { followersOf, runFollowers } from '../../write/effects/effects.ts';
import { record } from '../../write/record/record.ts';
import type { Cause } from '../../write/context/change.ts';
import { byType, type TypedIds } from '../../core/typedIds.ts';
import { keepReplicas } from '../../replicas/replicas.ts';
import { pipelined, transaction } from '../../db/transaction.ts';
import { keepAnyObjects } from './anyObject.ts';
import { followDefinition } from './catchUp.ts';
import { CUSTOM_FIELD } from './customFields.ts';
import { applyRemoteDeletions, dropUnreferenced } from './remoteDeletions.ts';
import { lockFollowersExclusive, lockFollowersShared } from './followersLock.ts';

/**
 * Brings this service up to date with what happened elsewhere: replicas, references to deleted objects, custom fields.
 * Safe to repeat, as row versions decide. Changes are applied before deletions, the changes of a type together and the
 * deletions of a request together: a deleted object does not come back, so the order of its events is kept.
 */
export async function applyEvents(engine: WriteEngine, events: readonly ChangeEvent[]): Promise<void> {
  const all = splitAtDefinitions(events);
  const [only] = all;
  const keepAny = (client: PoolClient) => keepAnyObjects(engine, events, client);
  // Usually objects are only created and changed, which takes one transaction.
  if (all.length === 1 && !isDefinition(only![0]!) && !only!.some(isDeletion)) {
    await applyRows(engine, only!, engine.tables.keepsAnyObject ? keepAny : undefined);
    return;
  }
  for (const part of all) {
    const keep = async (): Promise<void> => {
      await applyRows(engine, part);
      await followDeletions(engine, part.filter(isDeletion));
    };
    const [first] = part;
    if (first && isDefinition(first)) await followDefinition(engine, first, keep);
    else await keep();
  }
  if (!engine.tables.keepsAnyObject) return;
  await transaction(engine.pool, (client) => pipelined([lockFollowersShared(client), keepAny(client)]));
}

const isDeletion = ({ action }: ChangeEvent): boolean => action === 'deleted';
const isDefinition = (event: ChangeEvent): boolean => event.objectType === CUSTOM_FIELD && !isDerived(event);

/** Definitions of custom fields are applied by themselves, as they affect how the events after them are applied. */
function splitAtDefinitions(events: readonly ChangeEvent[]): ChangeEvent[][] {
  const all: ChangeEvent[][] = [];
  let open: ChangeEvent[] | undefined;
  for (const event of events) {
    if (event.objectType === CUSTOM_FIELD) {
      all.push([event]);
      open = undefined;
    } else if (open) open.push(event);
    else all.push((open = [event]));
  }
  return all;
}

/** Rows of objects that replicas keep, and what follows here from them; with them, whatever else is to be kept. */
async function applyRows(
  engine: WriteEngine,
  events: readonly ChangeEvent[],
  keepMore?: (client: PoolClient) => Promise<void>,
): Promise<void> {
  const { tables } = engine;
  const kept = events.filter(
    (event) => !isDeletion(event) && tables.replicas.has(event.objectType) && partText(event, 'row') !== 'null',
  );
  const groups: { type: string; group: readonly ChangeEvent[]; followers: Model[] }[] = [];
  for (const [type, all] of Map.groupBy(kept, ({ objectType }) => objectType)) {
    const group = await relevantEvents(engine, type, all);
    if (group.length) groups.push({ type, group, followers: followersOf(engine, type) });
  }
  if (!groups.length && !keepMore) return;
  const consequential = groups.some(({ followers }) => followers.length);
  const work = async (client: PoolClient) => {
    await pipelined([
      (consequential ? lockFollowersExclusive : lockFollowersShared)(client),
      ...groups.map(({ type, group }) =>
        keepReplicas(
          tables,
          type,
          group.map((event) => partText(event, 'row')),
          client,
        ),
      ),
      keepMore?.(client),
    ]);
    for (const { type, group } of groups)
      await fetchMissingMutual(
        engine,
        type,
        group.map(({ objectId }) => objectId),
        client,
      );
    for (const { type, group, followers } of groups) {
      if (followers.length)
        await record(
          await engine.readContext(client),
          await runFollowers(
            engine,
            followers,
            type,
            group.map(({ objectId }) => objectId),
            client,
          ),
          null,
          client,
          earliestOf(group),
        );
    }
  };
  // Where nothing of this service changes, the relay has nothing to publish and is not woken.
  await (consequential ? engine.transact(work) : transaction(engine.pool, work));
}

/** The events that concern objects kept here; all of them, unless the type is kept in part. */
async function relevantEvents(
  engine: WriteEngine,
  type: string,
  events: readonly ChangeEvent[],
): Promise<readonly ChangeEvent[]> {
  const part = engine.tables.partOf(type);
  if (!part) return events;
  const known = new Set(
    events.filter(({ row }) => matters(part, (column) => row?.[column])).map(({ objectId }) => objectId),
  );
  const unknown = [...new Set(events.map(({ objectId }) => objectId))].filter((id) => !known.has(id));
  const held = unknown.length ? await heldAmong(engine, type, unknown) : known;
  return events.filter(({ objectId }) => known.has(objectId) || held.has(objectId));
}

/** How many deletions are followed in one transaction. */
const MAX_DELETIONS = 500;

/**
 * Follows deletions: request by request, as the records of the consequences name the request, or all at once where
 * there are no consequences.
 */
async function followDeletions(engine: WriteEngine, deleted: readonly ChangeEvent[]): Promise<void> {
  for (let at = 0; at < deleted.length; at += MAX_DELETIONS) {
    const some = deleted.slice(at, at + MAX_DELETIONS);
    const requests = [...Map.groupBy(some, ({ request }) => request?.id ?? '').values()];
    if (
      requests.length > 1 &&
      (await transaction(engine.pool, (client) => dropUnreferenced(engine, objectsOf(some), client)))
    )
      continue;
    for (const group of requests)
      await applyRemoteDeletions(engine, objectsOf(group), causeOf(group[0]!), earliestOf(group));
  }
}

/** What follows from an import is part of it. */
const causeOf = ({ request, imported }: ChangeEvent): Cause | null =>
  request && { ...request, ...(imported ? { imported } : {}) };

/** When the earliest of the changes was made. */
const earliestOf = (events: readonly ChangeEvent[]): string => events.map(madeAt).sort()[0]!;

const objectsOf = (events: readonly ChangeEvent[]): TypedIds[] =>
  byType(events.map(({ objectType: type, objectId: id }) => ({ type, id })));

/**
 * Whether changes of a type's objects can matter to this service: because it keeps them, refers to them, or derives
 * something from them.
 */
export function concerns(engine: WriteEngine, type: string): boolean {
  const { tables, catalogue } = engine;
  if (tables.keepsAnyObject || tables.replicas.has(type) || type === CUSTOM_FIELD) return true;
  return catalogue.incoming(type).some(({ model }) => tables.owns(model.name)) || followersOf(engine, type).length > 0;
}

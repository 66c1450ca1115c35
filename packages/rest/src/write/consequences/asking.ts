import type { PoolClient } from 'pg';
import type { WriteEngine } from '../context/engine.ts';
import type { Requester } from '../../core/requester.ts';
import { type Executor, rowsOf } from '../../db/sql.ts';
import { consequencesElsewhere, namesOf } from './cascade.ts';
import type { DeletedRows } from './consequences.ts';
import { tryMark, markedByOther } from './marks.ts';
import type { TypedIds } from '../../core/typedIds.ts';
import type { Dependents } from '../../peers/peers.ts';
import { lockKeys } from '../../db/locks.ts';
import { transaction } from '../../db/transaction.ts';

/** Objects that would be deleted, by type, of types that other services have a say in. */
export type IdsByType = Map<string, number[]>;

/** Those of them that others must be asked about. */
export const askedAbout = ({ catalogue }: Pick<WriteEngine, 'catalogue'>, deleted: readonly DeletedRows[]): IdsByType =>
  new Map(
    deleted
      .filter(({ model, rows }) => rows.size && catalogue.deletions.askedAbout(model.name).length)
      .map(({ model, rows }) => [model.name, [...rows.keys()].sort((a, b) => a - b)]),
  );

/**
 * Asks every service that has a say whether objects may go, and in turn about what would go with them there. One call
 * for each type and service, however many objects. `heard` gets the services that may have marked objects of theirs.
 * @throws Unreachable when one does not answer; Refusal 409 when another deletion is at the same objects
 */
export async function askServices(
  engine: WriteEngine,
  asked: IdsByType,
  by: string,
  who: Requester,
  heard: Set<string>,
): Promise<Dependents> {
  const { catalogue, tables, peers } = engine;
  const known = new Map([...asked].map(([type, ids]) => [type, new Set(ids)]));
  const dependents: Dependents = { count: 0, names: [] };
  for (let wave = asked; wave.size && !dependents.count && !dependents.clashing; ) {
    const questions = [...wave].flatMap(([type, ids]) =>
      catalogue.deletions.askedAbout(type).map((service) => ({ service, type, ids })),
    );
    for (const { service } of questions) heard.add(service);
    const answers = await Promise.all(
      questions.map(({ service, type, ids }) =>
        service === tables.service
          ? answerDeletion(engine, type, ids, by, who)
          : peers.prepareDeletion(service, type, ids, by, who),
      ),
    );
    if (answers.some(({ busy }) => busy)) throw markedByOther();
    for (const { count, names, clashing = [] } of answers) {
      dependents.count += count;
      dependents.names.push(...names);
      if (clashing.length) dependents.clashing = [...(dependents.clashing ?? []), ...clashing];
    }
    wave = unknownIds(
      known,
      answers.flatMap(({ cascaded = [] }) => cascaded),
    );
  }
  return dependents;
}

/** The ids that are not in `known` yet; they are added to it. */
function unknownIds(known: Map<string, Set<number>>, objects: readonly TypedIds[]): IdsByType {
  const found: IdsByType = new Map();
  for (const { type, ids } of objects) {
    const seen = known.get(type) ?? new Set<number>();
    const more = ids.filter((id) => !seen.has(id));
    for (const id of more) seen.add(id);
    known.set(type, seen);
    if (more.length) found.set(type, [...(found.get(type) ?? []), ...more]);
  }
  return found;
}

/**
 * This service's answer to a deletion of another's objects: which of its own objects stand in the way or would no
 * longer be unique, and which would be deleted along with them. The latter are marked, if they may be protected, so
 * that nothing comes to depend on them before the event of the deletion arrives. Nothing is marked once the signal is
 * aborted.
 */
export function answerDeletion(
  engine: WriteEngine,
  type: string,
  ids: number[],
  by: string,
  who: Requester,
  signal?: AbortSignal,
): Promise<Dependents> {
  return transaction(engine.pool, async (client: PoolClient) => {
    await awaitWriters([{ type, ids }], client);
    const { dependents, clashing, deleted } = await consequencesElsewhere(engine, [{ type, ids }], 'ask', client);
    if (dependents.length)
      return { count: dependents.length, names: await namesOf(await engine.readContext(client, who), dependents) };
    if (clashing.length)
      return { count: 0, names: [], clashing: await namesOf(await engine.readContext(client, who), clashing) };
    const along = deleted
      .filter(({ rows }) => rows.size)
      .map(({ model, rows }): TypedIds => ({ type: model.name, ids: [...rows.keys()].sort((a, b) => a - b) }));
    if (!(await tryMark(along, by, client))) return { count: 0, names: [], busy: true };
    // The service that asked has given up, and may already have released the marks of this deletion.
    signal?.throwIfAborted();
    return {
      count: 0,
      names: [],
      cascaded: along.filter((objects) => engine.catalogue.deletions.askedAbout(objects.type).length),
    };
  });
}

/**
 * Waits for writers that hold references to objects in open transactions; their rows are seen by the next statement. By
 * now nobody gets a new reference, as the objects are marked or deleted, so no lock needs to be kept: each is released
 * before the next is requested, so that waiting here causes no deadlock.
 */
export async function awaitWriters(objects: readonly TypedIds[], executor: Executor): Promise<void> {
  const keys = objects.flatMap(({ type, ids }) => lockKeys(type, ids));
  if (keys.length)
    await rowsOf(executor, {
      text: 'select pg_advisory_lock(k), pg_advisory_unlock(k) from unnest($1::bigint[]) k',
      values: [keys],
    });
}

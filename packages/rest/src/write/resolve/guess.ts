import type { Reference } from '@cadastre/model';
import { LRUCache } from 'lru-cache';
import type { WriteEngine } from '../context/engine.ts';
import type { Requester } from '../../core/requester.ts';
import type { Executor } from '../../db/sql.ts';
import { lookUp } from './attributes.ts';
import type { Resolved } from '../../peers/peers.ts';

/** How many references a service remembers at most. */
const MOST = 10_000;
/** Longer references, as JSON, are not remembered. */
const MAX_LENGTH = 300;

const remembered = new WeakMap<WriteEngine, LRUCache<string, number>>();

/**
 * Ids that attributes probably mean, only to take the right locks before the owner is asked: what the owner answered to
 * the same requester last, or else what the replica has. The replica is searched only among what the requester may
 * view, as the time that it takes could reveal the rest.
 */
export async function guessIds(
  engine: WriteEngine,
  type: string,
  references: readonly Reference[],
  who: Requester,
  executor: Executor,
): Promise<number[]> {
  const last = remembered.get(engine);
  const ids: number[] = [];
  const others: Reference[] = [];
  for (const reference of references) {
    if ('id' in reference) continue;
    const id = last?.get(keyOf(type, reference, who));
    if (id === undefined) others.push(reference);
    else ids.push(id);
  }
  const { tables } = engine;
  if (!others.length || !tables.replicas.has(type)) return ids;
  const results: (Resolved | undefined)[] = [];
  await lookUp(tables, tables.catalogue.get(type), others, who, executor, results);
  return [...ids, ...results.flatMap((result) => (result && 'id' in result ? [result.id] : []))];
}

/** Remembers what the owner answered. */
export function rememberAnswers(
  engine: WriteEngine,
  type: string,
  references: readonly Reference[],
  results: readonly Resolved[],
  who: Requester,
): void {
  let last = remembered.get(engine);
  if (!last) remembered.set(engine, (last = new LRUCache({ max: MOST })));
  for (const [i, reference] of references.entries()) {
    if ('id' in reference) continue;
    const key = keyOf(type, reference, who);
    const result = results[i]!;
    if (!('id' in result)) last.delete(key);
    else if (key.length <= MAX_LENGTH) last.set(key, result.id);
  }
}

/** Other requesters, and the same one with other rights, may have to get a different answer. */
const keyOf = (type: string, reference: Reference, { userId, grantsVersion }: Requester): string =>
  `${userId} ${grantsVersion ?? ''} ${type} ${JSON.stringify(reference)}`;

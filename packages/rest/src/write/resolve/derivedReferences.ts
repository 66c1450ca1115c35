import type { Model } from '@cadastre/model';
import type { WriteEngine } from '../context/engine.ts';
import { ANYBODY } from '../../core/requester.ts';
import type { Executor } from '../../db/sql.ts';
import { resolve } from './references.ts';
import type { Draft } from '../context/draft.ts';

/**
 * References to objects of other services that rules have set (a cluster at a location is at the location's site):
 * their owners are asked as for those that a client gives, which brings them into the replica and keeps them from being
 * deleted meanwhile. What is not there any more is not referred to; what led to it goes as well. One call for each
 * type.
 */
export async function resolveDerived(
  engine: WriteEngine,
  model: Model,
  drafts: readonly Draft[],
  executor: Executor,
): Promise<void> {
  for (const [name, { relation, column }] of Object.entries(model.fields)) {
    if (!relation || !column || engine.tables.owns(relation.to) || !engine.tables.has(relation.to)) continue;
    const set = drafts.filter(
      ({ item, object, before }) =>
        typeof object[name] === 'number' &&
        object[name] !== item.values[name] &&
        object[name] !== (before?.[name] ?? null),
    );
    const ids = [...new Set(set.map(({ object }) => object[name] as number))];
    if (!ids.length) continue;
    const results = await resolve(
      engine,
      relation.to,
      ids.map((id) => ({ id })),
      ANYBODY,
      executor,
    );
    const gone = new Set(ids.filter((_, i) => 'error' in results[i]!));
    for (const { object } of set) if (gone.has(object[name] as number)) object[name] = null;
  }
}

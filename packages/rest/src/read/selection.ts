import type { Model } from '@cadastre/model';
import type { Action, Requester } from '../core/requester.ts';
import type { ReadEngine } from './engine.ts';
import { planSelection, type Selection } from './plan/plan.ts';
import { plannerOf } from './planned.ts';
import type { Query } from './query/query.ts';
import { withSavedFilters } from './savedFilters.ts';

/**
 * What a request's filters select among the objects to which the requester may do something: the condition on the
 * table's rows (as `t`), and its values, to which a statement may add its own. With regular expressions among them it
 * is to be run by `guarded`.
 * @throws Refusal 403 without permission, 400 for wrong filter values
 */
export async function selection(
  engine: ReadEngine,
  model: Model,
  query: Query,
  who: Requester,
  action: Action,
): Promise<Selection> {
  await engine.invalidations.wait();
  return planSelection(await plannerOf(engine), model, await withSavedFilters(engine, query, who), who, action);
}

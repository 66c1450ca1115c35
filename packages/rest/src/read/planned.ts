import type { Model } from '@cadastre/model';
import type { Requester } from '../core/requester.ts';
import type { ReadEngine } from './engine.ts';
import type { ListPlan, Planner } from './plan/plan.ts';
import type { Query } from './query/query.ts';
import { withSavedFilters } from './savedFilters.ts';

/** How a list is read. @throws Refusal 403 without permission, 400 for wrong filter values */
export async function planOf(
  engine: ReadEngine,
  model: Model,
  query: Query,
  who: Requester,
  strict: boolean,
): Promise<ListPlan> {
  return engine.plans.of(await plannerOf(engine), model, await withSavedFilters(engine, query, who), who, strict);
}

export const plannerOf = async (engine: ReadEngine): Promise<Planner> => ({
  tables: engine.tables,
  cache: engine.cache,
  find: engine.find(),
  definitions: await engine.definitions(),
  maxRegexLength: engine.settings.maxRegexLength,
  maxRegexSize: engine.settings.regex.maxSize,
});

import type { Model } from '@cadastre/model';
import { allowed, type ApiRequest, type Engine, list, parseQuery } from '@cadastre/rest';

export type Shown = Record<string, unknown> & { id: number; display: string };

/** All objects of a list that the requester may view; an empty list without a permission to view any. */
export async function visible(engine: Engine, model: Model, search: string, request: ApiRequest): Promise<Shown[]> {
  if (allowed(request.who.grants, 'view', model.name) === false) return [];
  const settings = { ...engine.settings, maxPageSize: 0 };
  return (
    JSON.parse(await list(engine, model, parseQuery(`${search}&limit=0`, settings), request.who, request)) as {
      results: Shown[];
    }
  ).results;
}

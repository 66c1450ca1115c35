import { fileURLToPath } from 'node:url';
import { loadCatalogue } from '@cadastre/model';
import { type Requester, Tables } from '@cadastre/rest';
import { planDetail, planList, writerFor } from '@cadastre/rest/read/plan/plan';
import { Cache } from '@cadastre/rest/cache/cache';
import { NO_DEFINITIONS } from '@cadastre/rest/cache/customFieldDefinitions';
import { selectList } from '@cadastre/rest/db/select';
import { parseQuery } from '@cadastre/rest/read/query/query';

const superuser: Requester = {
  userId: 1,
  username: 'admin',
  grants: { superuser: true, userId: 1, byAction: new Map() },
};

/**
 * The statements that the product itself runs for a detail and for pages of a model, by the path under which the floor
 * serves them.
 */
export async function statementsOf(
  service: string,
  type: string,
  id: number,
  pages: number[],
): Promise<Record<string, { text: string; values: unknown[] }>> {
  const catalogue = await loadCatalogue(fileURLToPath(new URL('../../services', import.meta.url)));
  const tables = new Tables(catalogue, service);
  const model = catalogue.get(type);
  const cache = new Cache(catalogue);
  const query = (limit: number) => parseQuery(`limit=${limit}`, { paginateCount: 50, maxPageSize: 1000 });
  const planner = {
    tables,
    cache,
    definitions: NO_DEFINITIONS,
    maxRegexLength: 200,
    find: () => Promise.resolve(new Map<string, string[]>()),
  };
  const selected = selectList(tables, model, writerFor(tables, model, query(50)).columns);
  const detail = planDetail(tables, model, selected, superuser);
  const all: Record<string, { text: string; values: unknown[] }> = {
    '/detail': { text: detail.text, values: [[String(id)], ...detail.values] },
  };
  for (const limit of pages)
    all[`/page/${limit}`] = (await planList(planner, model, query(limit), superuser, false)).page(selected);
  return all;
}

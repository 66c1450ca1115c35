import type { Schema } from '@cadastre/model';
import {
  type ActionHandler,
  type ApiRequest,
  type ApiResponse,
  type Engine,
  notPermitted,
  type Operation,
  pageLink,
  pageOf,
  pageParameters,
  parseQuery,
  refuse,
} from '@cadastre/rest';

const ALLOW = { Allow: 'GET, HEAD, OPTIONS' };

/** @throws Refusal 403 for everybody but administrators */
export const administratorsOnly = ({ who }: ApiRequest): void => {
  if (!who.grants.superuser) throw notPermitted(who);
};

/** A read-only action for administrators. */
export const reading = (
  operation: Operation,
  answer: (request: ApiRequest, id: string | null) => Promise<object>,
): ActionHandler => ({
  methods: ['GET', 'HEAD', 'OPTIONS'],
  operations: { GET: operation },
  async handle(request, id): Promise<ApiResponse> {
    administratorsOnly(request);
    return { status: 200, headers: ALLOW, body: JSON.stringify(await answer(request, id)) };
  },
});

const words = (path: string): string => path.replaceAll('-', ' ');
export const several = (path: string, shown: Schema): Operation => ({
  summary: `List ${words(path)}`,
  parameters: pageParameters,
  answer: pageOf(shown),
});
export const single = (path: string, shown: Schema): Operation => ({
  summary: `Get one of the ${words(path)}`,
  answer: shown,
});

/** The page that a request asks for, as `limit` (null: all) and `offset`. */
export function pageAsked(engine: Engine, { search }: ApiRequest): { limit: number | null; offset: number } {
  const { page } = parseQuery(search, engine.settings);
  return { limit: page.limit || null, offset: page.mode === 'offset' ? page.offset : 0 };
}

/** A page of a list with `count` items. */
export function pageBody(engine: Engine, request: ApiRequest, path: string, count: number, results: object[]): object {
  const { all } = parseQuery(request.search, engine.settings);
  const { limit, offset } = pageAsked(engine, request);
  const link = (to: number) =>
    pageLink(`${request.base}/api/core/${path}/`, all, { limit: String(limit), offset: to > 0 ? String(to) : null });
  return {
    count,
    next: limit && offset + limit < count ? link(offset + limit) : null,
    previous: limit && offset > 0 ? link(offset - limit) : null,
    results,
  };
}

/** A short list that is loaded as a whole. */
export const listing = (
  engine: Engine,
  path: string,
  shown: Schema,
  items: (base: string) => Promise<object[]>,
): ActionHandler =>
  reading(several(path, shown), async (request) => {
    const all = await items(request.base);
    const { limit, offset } = pageAsked(engine, request);
    return pageBody(engine, request, path, all.length, all.slice(offset, limit ? offset + limit : undefined));
  });

/** One item of such a list, by its name. */
export const one = (path: string, shown: Schema, items: (base: string) => Promise<{ name: string }[]>): ActionHandler =>
  reading(single(path, shown), async ({ base }, id) => {
    const found = (await items(base)).find(({ name }) => name === id);
    if (!found) throw refuse(404, 'Not found.');
    return found;
  });

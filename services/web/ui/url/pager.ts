import { changed, lasting, orderingIn, selecting } from './listQuery.ts';

export const SIZES = [25, 50, 100, 250, 500, 1000];
const USUAL = 50;

const number = (text: string | null): number | undefined =>
  text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;

/** The first object of a page, and how many it shows at most; `page` and `per_page` occur in bookmarks. */
function placeOf(query: URLSearchParams, usual = USUAL): { limit: number; offset: number } {
  const limit = number(query.get('limit')) || number(query.get('per_page')) || usual;
  const offset = number(query.get('offset')) ?? ((number(query.get('page')) || 1) - 1) * limit;
  return { limit, offset };
}

/** The parameters for the API. @param usual how many objects a page shows if the address does not say */
export function pageQuery(query: URLSearchParams, usual?: number): URLSearchParams {
  const asked = selecting(query);
  const { limit, offset } = placeOf(query, usual);
  const ordering = orderingIn(query);
  if (ordering) asked.set('ordering', ordering);
  asked.set('limit', String(limit));
  if (offset) asked.set('offset', String(offset));
  return asked;
}

export interface Pager {
  from: number;
  to: number;
  count: number;
  limit: number;
  previous: string | undefined;
  next: string | undefined;
  sizes: { size: number; href: string; here: boolean }[];
}

/** The links from one page of a list to the others. */
export function pager(
  { count, results }: { count: number; results: { readonly length: number } },
  path: string,
  query: URLSearchParams,
  usual?: number,
): Pager {
  const { limit, offset } = placeOf(query, usual);
  const at = (to: number, size?: number): string =>
    changed(path, lasting(query), {
      page: null,
      offset: to > 0 ? String(to) : null,
      ...(size ? { limit: String(size), per_page: null } : {}),
    });
  return {
    from: results.length ? offset + 1 : 0,
    to: offset + results.length,
    count,
    limit,
    previous: offset > 0 ? at(offset - limit) : undefined,
    // The API may give less than a page: MAX_PAGE_SIZE can be smaller.
    next: results.length && offset + results.length < count ? at(offset + results.length) : undefined,
    sizes: SIZES.map((size) => ({ size, href: at(0, size), here: size === limit })),
  };
}

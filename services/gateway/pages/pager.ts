/** A page of a list, as the API answers it. */
export interface Listed<T> {
  count: number;
  next: string | null;
  results: T[];
}

const size = 50;
const furthest = 1_000_000_000;

const offsetIn = (query: URLSearchParams): number => {
  const given = Number(query.get('offset'));
  return Number.isSafeInteger(given) && given > 0 && given <= furthest ? given : 0;
};

/** The page of the API's list that a page's own address asks for. */
export const pageQuery = (query: URLSearchParams): Record<string, string> => ({
  limit: String(size),
  offset: String(offsetIn(query)),
});

export interface Pager {
  from: number;
  to: number;
  count: number;
  previous: string | null;
  next: string | null;
}

/** Where a page stands in its list, and the addresses of its neighbours. */
export function pager({ count, results }: Listed<unknown>, path: string, query: URLSearchParams): Pager {
  const offset = offsetIn(query);
  const link = (to: number): string => {
    const kept = new URLSearchParams(query);
    kept.delete('done');
    if (to > 0) kept.set('offset', String(to));
    else kept.delete('offset');
    return kept.size > 0 ? `${path}?${kept}` : path;
  };
  return {
    // The API may give less than a page: MAX_PAGE_SIZE can be smaller.
    from: results.length > 0 ? offset + 1 : 0,
    to: offset + results.length,
    count,
    previous: offset > 0 ? link(Math.max(0, offset - size)) : null,
    next: offset + results.length < count ? link(offset + results.length) : null,
  };
}

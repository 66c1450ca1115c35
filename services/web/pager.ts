import type { Listed } from '@cadastre/pages';

export const SIZES = [25, 50, 100, 250, 500, 1000];
const USUAL = 50;

const number = (text: string | null): number | undefined =>
  text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;

/** Where a page begins, and how much it shows at most; `page` and `per_page` are what bookmarks have. */
function placeOf(query: URLSearchParams): { limit: number; offset: number } {
  const limit = number(query.get('limit')) || number(query.get('per_page')) || USUAL;
  const offset = number(query.get('offset')) ?? ((number(query.get('page')) || 1) - 1) * limit;
  return { limit, offset };
}

/** What to ask the API for. */
export function pageQuery(query: URLSearchParams): string {
  const asked = new URLSearchParams(query);
  for (const name of ['columns', 'per_page', 'page']) asked.delete(name);
  const { limit, offset } = placeOf(query);
  asked.set('limit', String(limit));
  if (offset) asked.set('offset', String(offset));
  else asked.delete('offset');
  return asked.toString();
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

/** The way from one page of a list to the others. */
export function pager({ count, results }: Listed<unknown>, path: string, query: URLSearchParams): Pager {
  const { limit, offset } = placeOf(query);
  const at = (changes: Record<string, number>): string => {
    const next = new URLSearchParams(query);
    next.delete('page');
    for (const [name, value] of Object.entries(changes))
      if (name === 'offset' && !value) next.delete(name);
      else next.set(name, String(value));
    return `${path}?${next}`;
  };
  return {
    from: results.length ? offset + 1 : 0,
    to: offset + results.length,
    count,
    limit,
    previous: offset > 0 ? at({ offset: Math.max(0, offset - limit) }) : undefined,
    next: offset + limit < count ? at({ offset: offset + limit }) : undefined,
    sizes: SIZES.map((size) => ({ size, href: at({ limit: size, offset: 0 }), here: size === limit })),
  };
}

import { BACK } from './returnUrl.ts';

/** Parameters of a list's address that control the page, and do not select objects. */
const ABOUT_PAGE = new Set([
  'limit',
  'offset',
  'start',
  'ordering',
  'sort',
  'columns',
  'per_page',
  'page',
  'tableconfig_id',
  'export',
  BACK,
]);

/** Parameters with an underscore pass information between our own pages, and do not belong in a bookmark. */
const isOurs = (name: string): boolean => name.startsWith('_') || name.startsWith('find.');

/** The parameters that select objects: the API's filters, including saved ones. */
export const filtersIn = (query: URLSearchParams): [name: string, value: string][] =>
  [...query].filter(([name, value]) => !ABOUT_PAGE.has(name) && !isOurs(name) && value !== '');

/** The same as parameters. */
export const selecting = (query: URLSearchParams): URLSearchParams => new URLSearchParams(filtersIn(query));

/** The parameters that a bookmark should keep. */
export const lasting = (query: URLSearchParams): URLSearchParams =>
  new URLSearchParams([...query].filter(([name]) => !isOurs(name)));

/** The address of a path with parameters, if there are any. */
export const addressWith = (path: string, query: URLSearchParams): string => (query.size ? `${path}?${query}` : path);

/** A list with some parameters changed: `null` removes one. */
export function changed(path: string, query: URLSearchParams, changes: Record<string, string | null>): string {
  const next = lasting(query);
  for (const [name, value] of Object.entries(changes))
    if (value === null) next.delete(name);
    else next.set(name, value);
  return addressWith(path, next);
}

/** The requested order; old bookmarks use `sort`. */
export const orderingIn = (query: URLSearchParams): string | null => query.get('ordering') ?? query.get('sort');

import { BACK } from './returnUrl.ts';

/** Parameters of a list's address that are about the page, and select no objects. */
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

/** Those with an underscore are between our own pages, and in no bookmark. */
const isOurs = (name: string): boolean => name.startsWith('_') || name.startsWith('find.');

/** What selects objects: the API's filters, with those that it has saved. */
export const filtersIn = (query: URLSearchParams): [name: string, value: string][] =>
  [...query].filter(([name, value]) => !ABOUT_PAGE.has(name) && !isOurs(name) && value !== '');

/** The same as parameters. */
export const selecting = (query: URLSearchParams): URLSearchParams => new URLSearchParams(filtersIn(query));

/** All that an address should say, also when it is kept. */
export const lasting = (query: URLSearchParams): URLSearchParams =>
  new URLSearchParams([...query].filter(([name]) => !isOurs(name)));

/** The address of a list with parameters; nothing follows the path where there are none. */
export const addressWith = (path: string, query: URLSearchParams): string => (query.size ? `${path}?${query}` : path);

/** A list with some parameters changed: `null` takes one away. */
export function changed(path: string, query: URLSearchParams, changes: Record<string, string | null>): string {
  const next = lasting(query);
  for (const [name, value] of Object.entries(changes))
    if (value === null) next.delete(name);
    else next.set(name, value);
  return addressWith(path, next);
}

/** The order that is asked for, also as bookmarks of old say it. */
export const orderingIn = (query: URLSearchParams): string | null => query.get('ordering') ?? query.get('sort');

import { pathTable } from '@cadastre/rest/http/paths';
import { checkPath, type Collection, prefixOf } from '@cadastre/service/collections';

/** All paths that begin with `prefix` go to `service`. A `listed` route stands in its app's root. */
export interface Route {
  prefix: string;
  service: string;
  listed?: { app: string; path: string };
}

/** Files that a service answers for: `/media/<folder>/`. */
export interface ServedFiles {
  folder: string;
  service: string;
}

/** Paths of services that stand in no root. */
const beside: readonly Route[] = [{ prefix: checkPath, service: 'auth' }];

/** The table of all routes to services, from what each one serves. */
export const routes = (served: readonly Collection[], files: readonly ServedFiles[] = []): Route[] => [
  ...files.map(({ folder, service }) => ({ prefix: `/media/${folder}/`, service })),
  ...served.map(
    ({ app, path, service, unlisted }): Route => ({
      prefix: prefixOf({ app, path }),
      service,
      ...(unlisted ? {} : { listed: { app, path } }),
    }),
  ),
  ...beside,
];

/** Compiles a table of routes to a lookup; the longest prefix wins, whatever the order of the table. */
export function router(table: readonly Route[]): (path: string) => Route | null {
  const byPrefix = new Map<string, Route>();
  for (const route of table) {
    if (!/^\/(?:[^/]+\/)+$/.test(route.prefix))
      throw new Error(`The prefix of a route must begin and end with a slash: ${route.prefix}`);
    const other = byPrefix.get(route.prefix);
    if (other && other.service !== route.service)
      throw new Error(`Two services claim ${route.prefix}: ${other.service} and ${route.service}`);
    byPrefix.set(route.prefix, route);
  }
  const paths = pathTable(byPrefix);
  return (path) => paths.findPrefix(path)?.target ?? null;
}

/**
 * Paths that could be resolved to another one (dot segments, empty segments and backslashes, encoded or not), or that
 * contain an encoded NUL.
 */
const crooked = /\/\.{0,2}\/|\/\.{1,2}$|\\|%(?:2e|2f|5c|00)/i;

/** The path of a request target; null if it does not begin with a slash, or could be resolved to another path. */
export function pathOf(target: string): string | null {
  const query = target.indexOf('?');
  const path = query < 0 ? target : target.slice(0, query);
  return path.startsWith('/') && !crooked.test(path) ? path : null;
}

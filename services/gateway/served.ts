import type { Catalogue } from '@cadastre/model';
import { background, type Served } from './routes.ts';

/** Change records are asked for under both apps. */
const alsoAt = new Map([['core.objectchange', 'extras']]);

/** What each service answers for: a collection for every model that it owns, and those that are no models. */
export function servedBy(catalogue: Catalogue): Served[] {
  const collections = [...catalogue.models.values()].filter(({ part }) => part !== 'hidden').flatMap(({ name, app, path }) => {
    const service = catalogue.serviceOf(name)!;
    const also = alsoAt.get(name);
    return [{ app, path, service }, ...(also === undefined ? [] : [{ app: also, path, service }])];
  });
  return catalogue.services().includes('webhooks') ? [...collections, ...background] : collections;
}

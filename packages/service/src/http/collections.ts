import type { Catalogue } from '@cadastre/model';

/** A collection that a service answers for: `/api/<app>/<path>/` and everything below it. */
export interface Collection {
  app: string;
  path: string;
  service: string;
  unlisted?: boolean;
}

/** Queues, tasks and workers of deliveries: no models, yet collections of an app like any other. */
export const background: readonly Collection[] = ['queues', 'tasks', 'workers'].map((what) => ({
  app: 'core',
  path: `background-${what}`,
  service: 'webhooks',
}));

/** Other API addresses that do not belong to a model. */
const further: readonly Collection[] = [
  { app: 'users', path: 'config', service: 'auth' },
  { app: 'users', path: 'password', service: 'auth', unlisted: true },
  { app: 'users', path: 'sessions', service: 'auth', unlisted: true },
  { app: 'users', path: 'factors', service: 'auth', unlisted: true },
  { app: 'extras', path: 'dashboard', service: 'extras', unlisted: true },
  { app: 'dcim', path: 'connected-device', service: 'dcim' },
];

/** Change records are available under both apps. */
const alsoAt = new Map([['core.objectchange', 'extras']]);

/** What each service answers for: a collection for every model that it owns, and those that are no models. */
export function collectionsOf(catalogue: Catalogue): Collection[] {
  const collections = [...catalogue.models.values()]
    .filter(({ part }) => part !== 'hidden')
    .flatMap(({ name, app, path }) => {
      const service = catalogue.serviceOf(name)!;
      const also = alsoAt.get(name);
      return [{ app, path, service }, ...(also === undefined ? [] : [{ app: also, path, service }])];
    });
  const services = catalogue.services();
  return [...collections, ...[...background, ...further].filter(({ service }) => services.includes(service))];
}

/** Tells who the requester is, and whether the credentials are valid: the only API address that belongs to no app. */
export const checkPath = '/api/authentication-check/';

/** Where a collection begins in the API. */
export const prefixOf = ({ app, path }: Pick<Collection, 'app' | 'path'>): string => `/api/${app}/${path}/`;

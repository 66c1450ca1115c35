import type { Catalogue } from '@cadastre/model';
import { background, further, type Served, type ServedFiles } from './routes.ts';

/** Change records are asked for under both apps. */
const alsoAt = new Map([['core.objectchange', 'extras']]);

/** What each service answers for: a collection for every model that it owns, and those that are no models. */
export function servedBy(catalogue: Catalogue): Served[] {
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

/** The folders of files that each service keeps. */
export const filesServedBy = (catalogue: Catalogue): ServedFiles[] =>
  [...catalogue.models.values()].flatMap((model) =>
    Object.values(model.fields).flatMap(({ upload }) =>
      upload ? [{ folder: upload.folder, service: catalogue.serviceOf(model.name)! }] : [],
    ),
  );

/** Pages that are about no app: the home page, what is found everywhere, and one's own account. */
const beside = ['', 'search', 'user', 'help'];

/** The first parts of the addresses of web pages. */
export const pagesOf = (catalogue: Catalogue): ReadonlySet<string> =>
  new Set([...beside, ...[...catalogue.models.values()].map(({ app }) => app)]);

import type { Catalogue } from '@cadastre/model';
import type { ServedFiles } from './routes.ts';

/** The folders of files that each service keeps. */
export const filesServedBy = (catalogue: Catalogue): ServedFiles[] =>
  [...catalogue.models.values()].flatMap((model) =>
    Object.values(model.fields).flatMap(({ upload }) =>
      upload ? [{ folder: upload.folder, service: catalogue.serviceOf(model.name)! }] : [],
    ),
  );

/** Pages of no app: home, search, and the user's account. */
const beside = ['', 'search', 'user', 'help'];

/** The first parts of the addresses of web pages. */
export const pagesOf = (catalogue: Catalogue): ReadonlySet<string> =>
  new Set([...beside, ...[...catalogue.models.values()].map(({ app }) => app)]);

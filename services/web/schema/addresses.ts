import { apiPath, type Catalogue, type Model, type Pages, webPath } from '@cadastre/model';

/** How a model's own pages are declared. */
export const pagesOf = ({ pages }: Pick<Model, 'pages'>): Pages => pages || {};

const isId = /^\d+\/$/;

/** A page of a model's: what follows the address of the model, part by part. */
export interface Address {
  model: Model;
  rest: string[];
}

/** Finds models by the addresses of their pages, and of their objects in the API. */
export interface Addresses {
  /** The model whose pages begin there, and what follows. */
  find(path: string): Address | undefined;
  /** The page of an object, from its address in the API; undefined where it has none. */
  pageOf(url: string): string | undefined;
}

export function addressesOf(catalogue: Catalogue): Addresses {
  const byPage = new Map<string, Model>();
  const pageByApi = new Map<string, string>();
  for (const model of catalogue.models.values()) {
    const page = webPath(model);
    if (page === undefined) continue;
    byPage.set(page, model);
    pageByApi.set(apiPath(model), page);
  }
  return {
    find(path) {
      const [, app, name, ...rest] = path.split('/');
      const model = byPage.get(`/${app}/${name}/`);
      return model && { model, rest: rest.slice(0, -1) };
    },
    pageOf(url) {
      // Cut from its end: a list asks hundreds of times.
      const last = url.length - 1;
      const beforeId = url.lastIndexOf('/', last - 1);
      const begin = url.lastIndexOf('/', url.lastIndexOf('/', url.lastIndexOf('/', beforeId - 1) - 1) - 1);
      const page = pageByApi.get(url.slice(begin, beforeId + 1));
      const id = url.slice(beforeId + 1);
      return page !== undefined && isId.test(id) ? `${page}${id}` : undefined;
    },
  };
}

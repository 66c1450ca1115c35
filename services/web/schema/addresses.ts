import { apiPath, type Catalogue, type Model, type Pages, webPath } from '@cadastre/model';

/** The declaration of a model's own pages. */
export const pagesOf = ({ pages }: Pick<Model, 'pages'>): Pages => pages || {};

const isId = /^\d+\/$/;

/** A page of a model: the parts of the path after the address of the model. */
export interface Address {
  model: Model;
  rest: string[];
}

/** Finds models and pages by address. */
export interface Addresses {
  /** The model to whose pages the path belongs, and the rest of the path. */
  find(path: string): Address | undefined;
  /** The page of an object, from its address in the API; undefined if it has none. */
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
      // Parsed from the end, without splitting: a list does this hundreds of times.
      const last = url.length - 1;
      const beforeId = url.lastIndexOf('/', last - 1);
      const begin = url.lastIndexOf('/', url.lastIndexOf('/', url.lastIndexOf('/', beforeId - 1) - 1) - 1);
      const page = pageByApi.get(url.slice(begin, beforeId + 1));
      const id = url.slice(beforeId + 1);
      return page !== undefined && isId.test(id) ? `${page}${id}` : undefined;
    },
  };
}

import type { Catalogue, Model, Pages } from '@cadastre/model';

/** Address of a model's list of objects in the API. */
export const apiPath = ({ app, path }: Pick<Model, 'app' | 'path'>): string => `/api/${app}/${path}/`;

/** Address of a model's pages; undefined for objects that have none. */
export const webPath = ({ app, path, displayPath, part, pages }: Model): string | undefined =>
  pages === false || part ? undefined : `/${displayPath || `${app}/${path}`}/`;

/** How a model's own pages are declared. */
export const pagesOf = ({ pages }: Pick<Model, 'pages'>): Pages => pages || {};

/** Finds models by the addresses of their pages, and of their objects in the API. */
export interface Addresses {
  /** The model whose pages begin there, and what follows. */
  find(path: string): { model: Model; rest: string[] } | undefined;
  /** The page of an object, from its address in the API; undefined where it has none. */
  pageOf(url: string): string | undefined;
}

export function addressesOf(catalogue: Catalogue): Addresses {
  const byPage = new Map<string, Model>();
  const byApi = new Map<string, Model>();
  for (const model of catalogue.models.values()) {
    const page = webPath(model);
    if (page !== undefined) byPage.set(page, model);
    byApi.set(apiPath(model), model);
  }
  return {
    find(path) {
      const [, app, name, ...rest] = path.split('/');
      const model = byPage.get(`/${app}/${name}/`);
      return model && { model, rest: rest.slice(0, -1) };
    },
    pageOf(url) {
      const [, list, id] = /(\/api\/[^/]+\/[^/]+\/)(\d+)\/$/.exec(url) ?? [];
      const model = list === undefined ? undefined : byApi.get(list);
      const page = model && webPath(model);
      return page && `${page}${id}/`;
    },
  };
}

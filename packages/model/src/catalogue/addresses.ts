import type { Model } from '../types/model.ts';

/** Address of a model's list of objects in the API. */
export const apiPath = ({ app, path }: Pick<Model, 'app' | 'path'>): string => `/api/${app}/${path}/`;

/** Address of a model's pages; undefined for objects that have none. */
export const webPath = ({ app, path, displayPath, part, pages }: Model): string | undefined =>
  pages === false || part ? undefined : `/${displayPath || `${app}/${path}`}/`;

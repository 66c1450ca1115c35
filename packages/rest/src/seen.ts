import type { Model } from '@cadastre/model';
import type { Engine } from './engine.ts';
import { notFound } from './errors.ts';
import type { ApiRequest } from './http.ts';
import type { Named } from './query/briefs.ts';
import { detail } from './read.ts';
import { parseQuery } from './request/query.ts';
import { anyBrief, arrayOf, type Operations, record } from './response/operation.ts';

/** What actions can be asked with, that only read. */
export const READ = ['GET', 'HEAD', 'OPTIONS'];

/** What is said of actions that answer the paths over an object. */
export const PATHS: Operations = {
  GET: {
    summary: 'List the paths that lead over it',
    answer: arrayOf(record({ id: { type: 'integer' }, path: arrayOf(arrayOf(anyBrief)), is_active: { type: 'boolean' }, is_complete: { type: 'boolean' }, is_split: { type: 'boolean' } })),
  },
};

/** The object that an action below its address is about. @throws Refusal 403, 404 when it is not there or the requester may not see it */
export async function seen(engine: Engine, model: Model, id: string | null, { who, base }: ApiRequest): Promise<Named> {
  if (!id || !/^\d{1,15}$/.test(id)) throw notFound(model.className);
  await detail(engine, model, id, parseQuery('fields=id', engine.settings), who, base);
  return { type: model.name, id: Number(id) };
}

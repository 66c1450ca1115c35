import type { Model } from '@cadastre/model';
import type { Engine } from '../../engine.ts';
import { notFound } from '../../core/errors.ts';
import type { ApiRequest } from '../message/message.ts';
import { type Action, allowed } from '../../core/requester.ts';
import { permissionSql } from '../../read/plan/plan.ts';
import type { Named } from '../../core/named.ts';
import { Binder, rowsOf } from '../../db/sql.ts';
import { detail } from '../../read/detail.ts';
import { parseQuery } from '../../read/query/query.ts';
import type { Operations } from '../../openapi/operation.ts';
import { anyBrief, arrayOf, record } from '../../openapi/shapes.ts';

/** Methods that only read. */
export const READ = ['GET', 'HEAD', 'OPTIONS'];

/** How the API document describes actions that answer the paths over an object. */
export const PATHS: Operations = {
  GET: {
    summary: 'List the paths that lead over it',
    answer: arrayOf(
      record({
        id: { type: 'integer' },
        path: arrayOf(arrayOf(anyBrief)),
        is_active: { type: 'boolean' },
        is_complete: { type: 'boolean' },
        is_split: { type: 'boolean' },
      }),
    ),
  },
};

/**
 * The object that an action below its address is about. @throws Refusal 403, 404 when it is not there or the requester
 * may not see it
 */
export async function requireVisible(
  engine: Engine,
  model: Model,
  id: string | null,
  { who, base }: ApiRequest,
): Promise<Named> {
  if (!id || !/^\d{1,15}$/.test(id)) throw notFound(model.className);
  await detail(engine, model, id, parseQuery('fields=id', engine.settings), who, base);
  return { type: model.name, id: Number(id) };
}

/**
 * Makes sure that the requester may see an object and may do to it what has a permission of its own. Otherwise the
 * answer says only that there is no such object. @throws Refusal 404
 */
export async function requirePermitted(
  engine: Engine,
  model: Model,
  id: string | null,
  { who }: ApiRequest,
  action: Action,
): Promise<void> {
  const needed: Action[] = ['view', action];
  const binder = new Binder();
  if (!id || !/^\d{1,15}$/.test(id) || needed.some((one) => allowed(who.grants, one, model.name) === false))
    throw notFound(model.className);
  const conditions = [
    `t.id = ${binder.bind(id)}`,
    ...needed.flatMap((one) => permissionSql(engine.tables, model, one, who, binder) ?? []),
  ];
  const rows = await rowsOf(engine.pool, {
    text: `select from ${engine.tables.nameOf(model.name)} t where ${conditions.join(' and ')}`,
    values: binder.values,
  });
  if (!rows.length) throw notFound(model.className);
}

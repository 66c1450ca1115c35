import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Schema } from '@cadastre/model';
import { Refusal } from '@cadastre/rest/core/errors';
import { pathTable } from '@cadastre/rest/http/paths';
import { type Page, type PageSettings, pageLink, parseQuery, type Query } from '@cadastre/rest/read/query/query';
import { type Parameter, parameter } from '@cadastre/rest/openapi/operation';
import { refusals } from '@cadastre/rest/openapi/refusals';
import { arrayOf, pageOf as pageSchema, record } from '@cadastre/rest/openapi/shapes';
import { HttpError } from '@cadastre/service/errors';
import type { Admit, Admitted } from '../admit/admission.ts';
import { sendJson, sendRefusal } from '../arrive/json.ts';
import { pathOf } from '../forward/routes.ts';

/** What an operation is asked. */
export interface Asked {
  /** The parts of the address that match `*` in the pattern. */
  parts: readonly string[];
  query: Query;
  /** The address of the request as the client used it, without the query. */
  address: string;
  base: string;
}

/** One thing that administrators may ask of the whole system; the gateway answers it with what the services say. */
export interface Operation {
  method: 'GET' | 'POST' | 'DELETE';
  /** Address below `/api/`; `*` stands for any one part of it. */
  path: string;
  /** The names of those parts. Default: service, id. */
  parts?: readonly string[];
  summary: string;
  /** What it takes besides its address. */
  parameters?: readonly Parameter[];
  /** The schema of its answer and the status: 200 by default, or 204 without a schema. */
  shown?: Schema;
  status?: number;
  answer(asked: Asked): Promise<OperationAnswer>;
}

interface OperationAnswer {
  status: number;
  body?: unknown;
}

export interface OperationsOptions {
  operations: readonly Operation[];
  admit: Admit;
  pages: PageSettings;
}

export interface Operations {
  covers(path: string): boolean;
  /** Answers a request for an operation. */
  answer(path: string, req: IncomingMessage, res: ServerResponse): Promise<void>;
  /**
   * Runs an operation within this process, for a client that was admitted. @throws HttpError as the request would be
   * refused
   */
  ask(admitted: Admitted, method: string, url: string): Promise<OperationAnswer>;
}

const forbidden = { status: 403, detail: 'You do not have permission to perform this action.' };

/** All operations. They are for superusers only. */
export function operationsBy({ operations, admit, pages }: OperationsOptions): Operations {
  const table = pathTable(Map.groupBy(operations, ({ path }) => `/api/${path}/`));
  const perform = async ({ identity, base }: Admitted, method: string, url: string): Promise<OperationAnswer> => {
    const path = pathOf(url) ?? '';
    const here = table.find(path);
    const operation = here?.target.find((one) => one.method === method);
    if (identity.anonymous || !identity.superuser) throw new HttpError(403, { detail: forbidden.detail });
    if (!here || !operation) throw new HttpError(405, { detail: `Method "${method}" not allowed.` });
    return operation.answer({ parts: here.parts, query: queryOf(url, pages), address: base + path, base });
  };
  return {
    covers: (path) => table.find(path) !== undefined,
    ask: perform,
    async answer(path, req, res) {
      const here = table.find(path)?.target ?? [];
      const methods = here.map(({ method }) => method);
      res.setHeader('Allow', ['OPTIONS', ...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].sort().join(', '));
      const admitted = await admit(req);
      if ('status' in admitted) return sendRefusal(req, res, admitted);
      const { identity } = admitted;
      if (identity.anonymous || !identity.superuser) return sendRefusal(req, res, forbidden);
      if (req.method === 'OPTIONS')
        return sendJson(req, res, 200, {
          name: here[0]?.summary ?? '',
          description: '',
          renders: ['application/json'],
          parses: ['application/json'],
        });
      const { status, body } = await perform(
        admitted,
        req.method === 'HEAD' ? 'GET' : (req.method ?? ''),
        req.url ?? '',
      );
      if (body === undefined) res.writeHead(status).end();
      else sendJson(req, res, status, body);
    },
  };
}

function queryOf(url: string, pages: PageSettings): Query {
  const question = url.indexOf('?');
  try {
    return parseQuery(question < 0 ? '' : url.slice(question + 1), pages);
  } catch (error) {
    throw error instanceof Refusal ? new HttpError(error.status, error.body) : error;
  }
}

/** A filter of an operation, for the API document. */
export const filter = (name: string, known?: readonly string[]): Parameter =>
  parameter(name, arrayOf({ type: 'string', ...(known ? { enum: known } : {}) }));

/** The values of an operation's filters. @throws HttpError 400 that names the unknown filters */
export function filtersOf(query: Query, known: readonly string[]): Map<string, readonly string[]> {
  const unknown = query.filters.filter(([name]) => !known.includes(name));
  if (unknown.length)
    throw new HttpError(400, Object.fromEntries(unknown.map(([name]) => [name, ['Unknown filter field']])));
  return new Map(query.filters);
}

/** Where a page begins and how long it is at most. */
export const rangeOf = (page: Page): { offset: number; limit: number } => ({
  offset: page.mode === 'offset' ? page.offset : 0,
  limit: page.limit || Number.MAX_SAFE_INTEGER,
});

/** A list from all services; those that did not answer are listed beside it. */
export const listSchema = (one: Schema): Schema => ({
  allOf: [pageSchema(one), record({ unavailable: arrayOf({ type: 'string' }) })],
});

/** A page of a list, as all lists of the API are. */
export function pageOf({ query, address }: Asked, count: number, results: readonly object[]): object {
  const { offset, limit } = rangeOf(query.page);
  const link = (to: number) =>
    pageLink(address, query.all, { limit: String(limit), offset: to > 0 ? String(to) : null });
  return {
    count,
    next: offset + limit < count ? link(offset + limit) : null,
    previous: offset > 0 ? link(offset - limit) : null,
    results,
  };
}

/** The operations in the API document. */
export const operationsDocument = (operations: readonly Operation[]): { paths: Record<string, object> } => ({
  paths: Object.fromEntries(
    [...Map.groupBy(operations, ({ path }) => path)].map(([path, here]) => {
      const names = here[0]?.parts ?? ['service', 'id'];
      const stars = path.split('*').length - 1;
      let at = 0;
      const address = `/api/${path.replaceAll('*', () => `{${names[at++]}}`)}/`;
      const parameters = names
        .slice(0, stars)
        .map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
      return [
        address,
        {
          ...(stars ? { parameters } : {}),
          ...Object.fromEntries(
            here.map(({ method, summary, parameters: more, shown, status = shown ? 200 : 204 }) => [
              method.toLowerCase(),
              {
                operationId: `${path
                  .split('/')
                  .filter((part) => part !== '*')
                  .join('_')
                  .replaceAll(
                    '-',
                    '_',
                  )}_${method === 'GET' ? (stars ? 'retrieve' : 'list') : method === 'POST' ? 'create' : 'destroy'}`,
                tags: [path.split('/')[0]],
                summary,
                ...(more ? { parameters: more } : {}),
                responses: {
                  [status]: shown
                    ? { description: 'The answer.', content: { 'application/json': { schema: shown } } }
                    : { description: 'Done.' },
                  ...refusals(...(stars ? ([404, 409] as const) : [])),
                },
              },
            ]),
          ),
        },
      ];
    }),
  ),
});

import { STATUS_CODES } from 'node:http';
import { apiPath, type Catalogue, type Json, type Model } from '@cadastre/model';
import { html, type Html, type Shown } from '@cadastre/pages';
import { HttpError } from '@cadastre/service/errors';
import { csrfField } from '@cadastre/service/web';
import type { Plain } from '../../client/api.ts';
import { chipsOf } from '../list/filters/chips.ts';
import { type FilterForm, filterForm } from '../list/filters/filterForm.ts';
import { givenFilters } from '../list/filters/givenFilters.ts';
import { sentOf } from '../form/sent.ts';
import { addressWith, lasting, selecting } from '../../ui/url/listQuery.ts';
import type { PageOptions } from '../../context/pageOptions.ts';
import type { Page, PageRequest } from '../../context/pageRequest.ts';
import type { Answer } from '../../ui/page/answer.ts';
import { created, type Fields, filesIn, written } from './examples.ts';
import { pretty } from './pretty.ts';

/** The answer of OPTIONS for an address. */
interface Told {
  name?: string;
  description?: string;
  actions?: Record<string, Fields>;
}

/** A method that a form of the page sends, with an example of its body. */
interface Sendable {
  method: string;
  example: string;
  /** Whether the method takes no body. */
  bare: boolean;
  /** Fields that take a file. */
  files: string[];
}

/** The longest text that is coloured. */
const LONGEST_COLOURED = 1_000_000;
const SENT = ['POST', 'PUT', 'PATCH', 'DELETE'];
/** Headers that concern only one hop of the connection. */
const HOP = /^(?:x-cadastre-.*|connection|keep-alive|transfer-encoding|date|content-length)$/;

const OWN = ['_filter', '_value'];

/** A page for an address of the API: its answer, and forms for the other requests that it accepts. */
export function apiPage({ catalogue, addresses }: PageOptions): Page {
  const models = new Map([...catalogue.models.values()].map((model) => [apiPath(model), model]));
  return {
    methods: ['GET', 'POST'],
    async answer(request) {
      const { query, path, submitted } = request;
      if (query.has('_filter') && !query.has('_find'))
        return { to: query.has('_value') ? filtered(path, query) : addressWith(path, givenFilters(query)) };
      const asked = addressWith(path, lasting(query));
      const method = submitted.fields.has(csrfField) ? methodOf(submitted.fields.get('_method')) : 'GET';
      const body = submitted.fields.get('_body') ?? '';
      const answer = request.answered ?? (await sent(request, method, asked, body));
      const options = request.answered ? undefined : await orRefusal(request.api.plain('OPTIONS', path));
      const model = models.get(listOf(path));
      return shownAs(request, {
        method,
        asked,
        body,
        answer,
        options,
        model,
        filters: model && path === listOf(path) ? await filtersBeside(request, model) : undefined,
        catalogue,
        page: addresses.pageOf(path),
      });
    },
  };
}

const listOf = (path: string): string => path.split('/').slice(0, 4).join('/') + '/';

function methodOf(given: string | null): string {
  if (given !== null && [...SENT, 'OPTIONS'].includes(given)) return given;
  throw new HttpError(405, { detail: `Method "${given}" not allowed.` });
}

/** The body is sent as it was typed; if there are files, its members and the files become parts of one form. */
async function sent({ api, submitted }: PageRequest, method: string, asked: string, body: string): Promise<Plain> {
  if (!SENT.includes(method) || (body.trim() === '' && !submitted.files.size))
    return orRefusal(api.plain(method, asked));
  if (!submitted.files.size) return orRefusal(api.plain(method, asked, { body }));
  const members = membersOf(body);
  if (!members) return refusal(400, { detail: 'With a file, the content has to be a JSON object.' });
  return orRefusal(api.plain(method, asked, await sentOf(members, submitted, [...submitted.files.keys()])));
}

function membersOf(body: string): Record<string, Json> | undefined {
  try {
    const members: unknown = JSON.parse(body.trim() || '{}');
    return typeof members === 'object' && members !== null && !Array.isArray(members)
      ? (members as Record<string, Json>)
      : undefined;
  } catch {
    return undefined;
  }
}

const refusal = (status: number, body: unknown): Plain => ({
  status,
  headers: new Headers({ 'content-type': 'application/json' }),
  text: JSON.stringify(body),
});

/** A request that failed is shown like a refused one. */
async function orRefusal(asked: Promise<Plain>): Promise<Plain> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return refusal(error.status, error.body);
  }
}

/** The filter form that the list's web page has, if it was asked for. */
async function filtersBeside(request: PageRequest, model: Model): Promise<FilterForm | undefined> {
  const { query, path } = request;
  if (query.get('_show') !== 'filters' && !query.has('_find')) return undefined;
  const filters = query.has('_filter') ? givenFilters(query) : lasting(query);
  for (const [name, value] of query) if (name === '_find' || name.startsWith('find.')) filters.append(name, value);
  const there = { ...request, query: filters };
  return filterForm(there, model, path, await chipsOf(there, model, path), {});
}

/** The address with one more filter. */
function filtered(path: string, query: URLSearchParams): string {
  const next = new URLSearchParams(query);
  const name = query.get('_filter')!.trim();
  for (const own of [...OWN, 'offset', 'start']) next.delete(own);
  if (name) next.append(name, query.get('_value') ?? '');
  return next.size ? `${path}?${next}` : path;
}

interface Asked {
  method: string;
  asked: string;
  body: string;
  answer: Plain;
  options: Plain | undefined;
  model: Model | undefined;
  catalogue: Catalogue;
  page: string | undefined;
  filters: FilterForm | undefined;
}

function shownAs(
  request: PageRequest,
  { method, asked, body, answer, options, model, catalogue, page, filters }: Asked,
): Answer {
  const { path, texts, base } = request;
  const query = lasting(request.query);
  const told = options?.status === 200 ? ((parsed(options) ?? {}) as Told) : {};
  const value = parsed(answer);
  const list = path === listOf(path);
  const ends = value as { next?: string | null; previous?: string | null } | undefined;
  const within = (url: string | null | undefined): string | undefined =>
    typeof url === 'string' ? url.replace(/^https?:\/\/[^/]+/, '').replace(/^.*?(?=\/api\/)/, '') : undefined;
  const allow = (options?.headers.get('allow') ?? answer.headers.get('allow') ?? 'GET, HEAD, OPTIONS').split(/,\s*/);
  const json = new URLSearchParams(query);
  json.set('format', 'json');
  return {
    view: 'api',
    title: told.name ?? path,
    status: answer.status,
    data: {
      description: told.description ?? '',
      crumbs: crumbs(path),
      method,
      asked,
      status: `${answer.status} ${STATUS_CODES[answer.status] ?? ''}`,
      failed: answer.status >= 400,
      headers: [...answer.headers]
        .filter(([name]) => !HOP.test(name))
        .map(([name, text]) => ({ name: headerName(name), text })),
      body: bodyOf(answer, value, base),
      json: `${path}?${json}`,
      page,
      previous: within(ends?.previous),
      next: within(ends?.next),
      options: allow.includes('OPTIONS') && options !== undefined,
      beside: filters,
      selection: selecting(query),
      open: model && list ? addressWith(path, new URLSearchParams([...query, ['_show', 'filters']])) : undefined,
      filters: model && list ? Object.keys(catalogue.filtersOf(model)).sort() : [],
      applied: [...query].map(([name, text]) => ({
        name,
        text,
        without: without(path, query, name, text),
        label: texts('without', { name }),
      })),
      sendable: request.csrfToken && options ? sendable(allow, told, list, value as Shown | undefined) : [],
      sent: { method, body },
    },
  };
}

const without = (path: string, query: URLSearchParams, name: string, value: string): string => {
  const next = new URLSearchParams(query);
  next.delete(name, value);
  return next.size ? `${path}?${next}` : path;
};

/** `x-request-id` → `X-Request-ID`. */
const headerName = (name: string): string =>
  name.replace(/(^|-)(?:api|etag|id|[a-z])/g, (begin) => (begin.endsWith('etag') ? 'ETag' : begin.toUpperCase()));

const isJson = ({ headers }: Plain): boolean => /\bjson\b/i.test(headers.get('content-type') ?? '');

function parsed(answer: Plain): unknown {
  if (!isJson(answer) || answer.text === '') return undefined;
  return JSON.parse(answer.text);
}

const bodyOf = (answer: Plain, value: unknown, base: string): Html =>
  value !== undefined && answer.text.length <= LONGEST_COLOURED ? pretty(value, base) : html`${answer.text}`;

/** `/api/dcim/sites/` → API / dcim / sites. */
function crumbs(path: string): { label: string; href: string }[] {
  const parts = path.split('/').filter(Boolean);
  return parts.map((label, i) => ({ label, href: `/${parts.slice(0, i + 1).join('/')}/` }));
}

function sendable(
  allow: readonly string[],
  { actions = {} }: Told,
  list: boolean,
  value: Shown | undefined,
): Sendable[] {
  const fields = actions['PUT'] ?? actions['POST'] ?? {};
  const json = (one: unknown): string => JSON.stringify(one, null, 4);
  const examples: Record<string, string> = {
    POST: json(created(actions['POST'] ?? {})),
    PUT: list
      ? json([{ id: 0, ...created(fields) }])
      : json(value && 'id' in value ? written(value, fields) : (value ?? {})),
    PATCH: list ? json([{ id: 0 }]) : '{}',
    DELETE: list ? json([{ id: 0 }]) : '',
  };
  return SENT.filter((method) => allow.includes(method)).map((method) => ({
    method,
    example: examples[method]!,
    bare: method === 'DELETE' && !list,
    // A request for several objects takes no files.
    files: method === 'POST' || (method !== 'DELETE' && !list) ? filesIn(fields) : [],
  }));
}

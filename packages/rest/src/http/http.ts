import { type ActionHandler, type ApiRequest, type ApiResponse, contextOf } from './message/message.ts';
import { bulkOf } from './body/bulk.ts';
import { isMultipart } from '@cadastre/body';
import type { Json, Model } from '@cadastre/model';
import type { Engine } from '../engine.ts';
import { notFound, notPermitted, Refusal, refuse } from '../core/errors.ts';
import { exported } from '../export/export.ts';
import type { GivenFiles } from '../media/files.ts';
import { allowed } from '../core/requester.ts';
import { listParts } from '../read/list/list.ts';
import { detail } from '../read/detail.ts';
import { type PathTable, pathTable } from './paths.ts';
import { formOf } from './body/form.ts';
import { optionsOf } from '../openapi/options.ts';
import type { Parts } from '../serialize/parts.ts';
import { userOf } from '../db/limiter/guarded.ts';
import type { WriteAnswer } from '../write/record/answer.ts';
import { create } from '../write/create/create.ts';
import {
  IMPORT_PATH,
  IMPORT_METHODS,
  deleteImported,
  origins,
  requireImportAllowed,
  importObjects,
} from '../import/api/api.ts';
import type { Mode } from '../write/context/item.ts';
import { previewText } from '../write/remove/preview.ts';
import { previewDeletion, messageOf, parseDeletion, remove } from '../write/remove/remove.ts';
import { Unreachable } from '../peers/peers.ts';
import type { WriteContext } from '../write/context/context.ts';
import { requireList, updateMany, updateOne } from '../write/update/update.ts';

const LIST_METHODS = 'GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS';
const DETAIL_METHODS = 'GET, PUT, PATCH, DELETE, HEAD, OPTIONS';
/** Below a collection: shows what deleting some of its objects would do. */
const DELETION_PREVIEW = 'deletion-preview';
const READ_METHODS = 'GET, HEAD, OPTIONS';

/** Answers requests for the models that a service owns. */
export class Api {
  readonly #engine: Engine;
  readonly #models = new Map<string, Model>();
  readonly #actions: PathTable<ActionHandler>;

  /**
   * `actions` by `<app>/<path>/<name>` (of the collection), `<app>/<path>/*​/<name>` (of one object) or, where there is
   * no model, `<app>/<path>/*` (one object itself). `aliases` are further paths of models.
   */
  constructor(engine: Engine, actions: Record<string, ActionHandler> = {}, aliases: Record<string, string> = {}) {
    this.#engine = engine;
    this.#actions = pathTable(Object.entries(actions));
    for (const model of engine.catalogue.ownedBy(engine.tables.service))
      if (model.part !== 'hidden') this.#models.set(`${model.app}/${model.path}`, model);
    for (const [path, type] of Object.entries(aliases)) this.#models.set(path, engine.catalogue.get(type));
  }

  /** Never throws a refusal; anything that it throws is an error of ours. */
  async answer(request: ApiRequest): Promise<ApiResponse> {
    const [, , app, path, ...rest] = request.path.split('/');
    try {
      return indented(request, await this.#route(request, `${app}/${path}`, rest));
    } catch (error) {
      if (error instanceof Refusal)
        return indented(request, {
          status: error.status,
          headers: { ...this.#allow(`${app}/${path}`, rest), ...error.headers },
          body: JSON.stringify(error.body),
        });
      // PostgreSQL rejected a value as unfit for its type (class 22): that is the fault of the request, although our
      // checks let it pass.
      if (/^22/.test((error as { code?: string }).code ?? ''))
        return indented(request, {
          status: 400,
          headers: {},
          body: JSON.stringify({
            detail: 'A value of the request does not fit what it is compared with or stored in.',
          }),
        });
      if (error instanceof Unreachable)
        return {
          status: 503,
          headers: { 'Retry-After': '1' },
          body: JSON.stringify({ detail: `The ${error.service} service cannot be reached. Nothing was changed.` }),
        };
      throw error;
    }
  }

  /** The model whose objects a request is about and nothing else; undefined for actions. */
  modelAt(requestPath: string): Model | undefined {
    const [, , app, path, ...rest] = requestPath.split('/');
    const key = `${app}/${path}`;
    const action = this.#actions.find(key) ?? this.#actions.find(`${key}/${rest[0]}`);
    return rest.length > 2 || action ? undefined : this.#models.get(key);
  }

  #allow(key: string, rest: string[]): Record<string, string> {
    const model = this.#models.get(key);
    return model ? { Allow: model.readOnly ? READ_METHODS : rest.length > 1 ? DETAIL_METHODS : LIST_METHODS } : {};
  }

  #route(request: ApiRequest, key: string, rest: string[]): Promise<ApiResponse> {
    const model = this.#models.get(key);
    // The path ends with a slash, so the last part is empty.
    const parts = rest.slice(0, -1);
    const action = this.#actions.find([key, ...parts].join('/'))?.target;
    if (action) {
      const { methods } = action;
      const method = request.method === 'HEAD' ? 'GET' : request.method;
      if (!methods.includes(method))
        throw refuse(405, `Method "${request.method}" not allowed.`, { Allow: methods.join(', ') });
      return action.handle(request, parts[0] ?? null);
    }
    if (model && !model.readOnly && parts.length === 1 && parts[0] === DELETION_PREVIEW)
      return this.#deletionPreview(request, model);
    if (model && parts.length === 1 && parts[0] === IMPORT_PATH) return this.#import(request, model);
    if (!model || parts.length > 1 || rest.at(-1) !== '') throw refuse(404, 'Not found.');
    if (!parts.length) return this.#list(request, model);
    if (!/^\d{1,18}$/.test(parts[0]!)) throw refuse(404, 'Not found.');
    return this.#detail(request, model, parts[0]!);
  }

  async #list(request: ApiRequest, model: Model): Promise<ApiResponse> {
    const { method } = request;
    const headers = { Allow: model.readOnly ? READ_METHODS : LIST_METHODS };
    if (method === 'GET' || method === 'HEAD') return this.#getList(request, model, headers);
    if (method === 'OPTIONS') return this.#options(request, model, 'List', headers);
    if (model.readOnly || !['POST', 'PUT', 'PATCH', 'DELETE'].includes(method))
      throw refuse(405, `Method "${method}" not allowed.`);
    if (method === 'DELETE') return this.#deleteMany(request, model, headers);
    requireAllowed(request, model, method === 'POST' ? 'add' : 'change');
    const { body, files } = await this.#body(request, model);
    const context: WriteContext = { ...contextOf(request), ...(files ? { files } : {}) };
    if (method === 'POST') {
      const single = !Array.isArray(body);
      const written = await create(this.#engine, model, single ? [body ?? {}] : body, single, context);
      return created(model, written, single, context.base, headers);
    }
    const written = await updateMany(this.#engine, model, requireList(body), modeOf(method), context);
    return { status: 200, headers, body: `[${written.texts.join(',')}]` };
  }

  /** GET of a list: a page of it, or the file that an export template makes of all of it. */
  async #getList(request: ApiRequest, model: Model, headers: Record<string, string>): Promise<ApiResponse> {
    const query = this.#engine.queries.of(request.search);
    if (model.fromEvents) await this.#engine.caughtUp();
    if (query.export !== null && model.features.has('exportTemplates')) {
      const file = await this.#inTurn(request, () =>
        exported(this.#engine, model, query.export!, query, request.who, request, isStrict(request)),
      );
      return { status: 200, headers: { ...headers, ...file.headers }, body: file.body };
    }
    const { limit } = query.page;
    const long = limit === 0 || limit > this.#engine.settings.exports.fromRows;
    const read = () => listParts(this.#engine, model, query, request.who, request, isStrict(request), long);
    return ofParts(headers, await (long ? this.#inTurn(request, read) : read()));
  }

  /** GET of an object. */
  async #getObject(
    request: ApiRequest,
    model: Model,
    id: string,
    headers: Record<string, string>,
  ): Promise<ApiResponse> {
    if (model.fromEvents) await this.#engine.caughtUp();
    const query = this.#engine.queries.of(request.search);
    const { text, etag } = await detail(this.#engine, model, id, query, request.who, request.base);
    return { status: 200, headers: etag ? { ...headers, ETag: etag } : headers, body: text };
  }

  /** DELETE of a list: of the objects that the body names. */
  async #deleteMany(request: ApiRequest, model: Model, headers: Record<string, string>): Promise<ApiResponse> {
    requireAllowed(request, model, 'delete');
    const { body } = await this.#body(request, model);
    const deletion = parseDeletion(requireList(body));
    await remove(this.#engine, model, deletion, contextOf(request));
    return { status: 204, headers, body: '' };
  }

  /** DELETE of an object. */
  async #deleteObject(
    request: ApiRequest,
    model: Model,
    id: number,
    headers: Record<string, string>,
  ): Promise<ApiResponse> {
    requireAllowed(request, model, 'delete');
    const messages = new Map([[id, messageOf(await request.body?.json())]]);
    const deletion = { ids: [id], messages, ifMatch: request.headers['if-match'], single: true };
    await remove(this.#engine, model, deletion, contextOf(request));
    return { status: 204, headers, body: '' };
  }

  /** What a deletion with the given body would do; nothing is deleted. */
  async #deletionPreview(request: ApiRequest, model: Model): Promise<ApiResponse> {
    const headers = { Allow: 'POST, OPTIONS' };
    if (request.method !== 'POST') throw refuse(405, `Method "${request.method}" not allowed.`, headers);
    requireAllowed(request, model, 'delete');
    const bodies = requireList(await bulkOf(request, this.#engine));
    const found = await this.#inTurn(request, () =>
      previewDeletion(this.#engine, model, parseDeletion(bodies), contextOf(request)),
    );
    return { status: 200, headers, body: previewText(found) };
  }

  /** The import API of a list. */
  async #import(request: ApiRequest, model: Model): Promise<ApiResponse> {
    const headers = { Allow: IMPORT_METHODS };
    const { method } = request;
    const context = contextOf(request);
    requireImportAllowed(this.#engine, context);
    if (method === 'GET') return answered(headers, await origins(this.#engine, model, request.search));
    if (method !== 'POST' && method !== 'DELETE') throw refuse(405, `Method "${method}" not allowed.`, headers);
    const body = await request.body?.json();
    return answered(
      headers,
      await (method === 'POST' ? importObjects : deleteImported)(this.#engine, model, body, context),
    );
  }

  /** Work that takes long has turns, user by user, and ends when its client disconnects. */
  #inTurn<T>({ who, gone }: ApiRequest, work: () => Promise<T>): Promise<T> {
    return this.#engine.limiters.exports.run(userOf(who), gone?.(), work);
  }

  async #detail(request: ApiRequest, model: Model, id: string): Promise<ApiResponse> {
    const { method } = request;
    const headers = { Allow: model.readOnly ? READ_METHODS : DETAIL_METHODS };
    if (method === 'GET' || method === 'HEAD') return this.#getObject(request, model, id, headers);
    if (method === 'OPTIONS') return this.#options(request, model, 'Instance', headers);
    if (model.readOnly || !['PUT', 'PATCH', 'DELETE'].includes(method))
      throw refuse(405, `Method "${method}" not allowed.`);
    const number = Number(id);
    if (!Number.isSafeInteger(number)) throw notFound(model.className);
    if (method === 'DELETE') return this.#deleteObject(request, model, number, headers);
    requireAllowed(request, model, 'change');
    const { body, files } = await this.#body(request, model);
    const written = await updateOne(
      this.#engine,
      model,
      number,
      body ?? {},
      modeOf(method),
      request.headers['if-match'],
      {
        ...contextOf(request),
        ...(files ? { files } : {}),
      },
    );
    return {
      status: 200,
      headers: written.etag ? { ...headers, ETag: written.etag } : headers,
      body: written.texts[0]!,
    };
  }

  async #body(request: ApiRequest, model: Model): Promise<{ body: Json | undefined; files?: GivenFiles }> {
    const { body } = request;
    return body && isMultipart(body.type)
      ? formOf(body, model, this.#engine.settings.maxFileBytes)
      : { body: await bulkOf(request, this.#engine) };
  }

  async #options(
    request: ApiRequest,
    model: Model,
    kind: 'List' | 'Instance',
    headers: Record<string, string>,
  ): Promise<ApiResponse> {
    const may = (action: string) => !model.readOnly && allowed(request.who.grants, action, model.name) !== false;
    return {
      status: 200,
      headers,
      body: JSON.stringify(optionsOf(this.#engine.catalogue, model, kind, { POST: may('add'), PUT: may('change') })),
    };
  }
}

/**
 * Refuses a requester who may do this with no object of the type, before any of the body is read. @throws Refusal 403
 */
function requireAllowed({ who }: ApiRequest, model: Model, action: string): void {
  if (allowed(who.grants, action, model.name) === false) throw notPermitted(who);
}

const modeOf = (method: string): Mode => (method === 'PUT' ? 'replace' : 'patch');
const isStrict = (request: ApiRequest): boolean =>
  /(^|[,;\s])handling=strict\b/.test(String(request.headers['prefer'] ?? ''));

function created(
  model: Model,
  written: WriteAnswer,
  single: boolean,
  base: string,
  headers: Record<string, string>,
): ApiResponse {
  if (!single) return { status: 201, headers, body: `[${written.texts.join(',')}]` };
  return {
    status: 201,
    body: written.texts[0]!,
    headers: {
      ...headers,
      Location: `${base}/api/${model.app}/${model.path}/${written.ids[0]}/`,
      ...(written.etag ? { ETag: written.etag } : {}),
    },
  };
}

/** The deepest indentation that `Accept: application/json; indent=n` gets. */
const MAX_INDENT = 8;

/** Pretty-prints when the client asked for it. */
function indented(request: ApiRequest, response: ApiResponse): ApiResponse {
  const indent = Number(/\bindent=(\d{1,3})/.exec(String(request.headers['accept'] ?? ''))?.[1] ?? 0);
  return indent && response.body && isJson(response)
    ? {
        status: response.status,
        headers: response.headers,
        body: JSON.stringify(JSON.parse(response.body), null, Math.min(indent, MAX_INDENT)),
      }
    : response;
}

const answered = (headers: Record<string, string>, body: object): ApiResponse => ({
  status: 200,
  headers,
  body: JSON.stringify(body),
});

const ofParts = (headers: Record<string, string>, parts: Parts): ApiResponse => ({
  status: 200,
  headers,
  parts,
  get body() {
    return String(parts);
  },
});

/** Unless an answer says otherwise, it is JSON. */
const isJson = ({ headers }: ApiResponse): boolean =>
  (headers['Content-Type'] ?? 'application/json') === 'application/json';

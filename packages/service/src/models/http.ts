import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Bodies } from '../http/bodies.ts';
import type { Express, Request, Response } from 'express';
import {
  type Api,
  type ApiDocument,
  type ApiRequest,
  type ApiResponse,
  type Engine,
  found,
  READ,
  type Requester,
  send,
  serveFile,
  userOf,
  collectOutboxSpan,
} from '@cadastre/rest';
import { HttpError } from '../http/errors.ts';
import { enterStage } from '../request/current-work.ts';
import { abandonedEvent, type ApiListener, type HttpOptions } from '../http/server.ts';
import { createIdentityVerifier, type Identity, IdentityError, identityHeader } from '../security/identity.ts';
import type { Config } from '../settings/config.ts';
import { identityKeys } from '../settings/key-pairs.ts';
import { withPendingWrites } from '../request/request-context.ts';
import { seenHeader, pendingHeader, writtenHeader, positionText } from '../request/write-positions.ts';
import type { ReadAfterWrite } from './consistency/readAfterWrite.ts';

export interface ModelRoutes {
  config: Pick<Config, 'identityPublicKeys'>;
  api: Api;
  engine: Engine;
  requesterOf(identity: Identity): Promise<Requester>;
  openApi: ApiDocument;
  /** Makes sure that this service knows of writes in other services. */
  consistency: Pick<ReadAfterWrite, 'awaitWrites'>;
  bodies: Bodies;
  /** Handlers for other services, by the name below `/internal/`. */
  internal: Record<string, () => unknown>;
}

/** The routes of a service that owns models: its part of the API, and the API's description. */
export function modelRoutes({
  config,
  api,
  engine,
  requesterOf,
  openApi,
  consistency,
  bodies,
  internal,
}: ModelRoutes): Pick<HttpOptions, 'routes' | 'api'> {
  const verify = createIdentityVerifier(identityKeys(config));
  const document = JSON.stringify(openApi);
  const etag = `"${createHash('sha256').update(document).digest('base64url').slice(0, 22)}"`;
  const requester = async ({ headers }: IncomingMessage): Promise<Requester> => {
    const token = headers[identityHeader];
    if (typeof token !== 'string')
      throw new HttpError(403, { detail: 'Authentication credentials were not provided.' });
    return requesterOf(await identified(verify, token));
  };
  const handle: ApiListener = async (request, response, closing) => {
    const { headers } = request;
    const who = await requester(request);
    const question = request.url.indexOf('?');
    const path = question < 0 ? request.url : request.url.slice(0, question);
    response.locals['route'] = routeOf(path);
    enterStage('answering', response);
    const asked: ApiRequest = {
      method: request.method,
      path,
      search: question < 0 ? '' : request.url.slice(question + 1),
      headers,
      body: bodies.of(request, response, userOf(who)),
      id: headers['x-request-id'] as string,
      base: String(headers['x-cadastre-base'] ?? ''),
      clientIp: String(headers['x-cadastre-client-ip'] ?? ''),
      who,
      gone: goneOf(response),
    };
    send(response, await answer(asked, response), request.method === 'HEAD', closing);
  };
  /**
   * Does the work once earlier writes in other services are known here, and names those writes in a header of the
   * answer.
   */
  const afterWrites = async <T>(
    { headers }: Pick<IncomingMessage, 'headers'>,
    response: ServerResponse,
    modelOf: () => ReturnType<Api['modelAt']>,
    who: Requester,
    work: (pendingWrites?: string) => Promise<T>,
  ): Promise<T> => {
    const pendingWrites = headers[pendingHeader];
    if (typeof pendingWrites !== 'string') return work();
    return withPendingWrites(pendingWrites, async () => {
      const seen = await consistency.awaitWrites(pendingWrites, modelOf(), who);
      if (seen) response.setHeader(seenHeader, seen);
      return work(pendingWrites);
    });
  };
  const answer = (asked: ApiRequest, response: ServerResponse): Promise<ApiResponse> =>
    afterWrites(
      asked,
      response,
      () => api.modelAt(asked.path),
      asked.who,
      (pendingWrites) => answerNow(pendingWrites === undefined ? asked : { ...asked, pendingWrites }, response),
    );
  /** Answers a request, and names what it has written in a header of the answer. */
  const answerNow = async (asked: ApiRequest, response: ServerResponse): Promise<ApiResponse> => {
    if (READ.includes(asked.method)) return api.answer(asked);
    const [answered, written] = await collectOutboxSpan(() => api.answer(asked));
    if (written) response.setHeader(writtenHeader, positionText({ service: engine.tables.service, ...written }));
    return answered;
  };
  /** What the search over all types finds here, for the web pages. */
  const search = async (request: Request, response: Response): Promise<void> => {
    const who = await requester(request);
    const query = new URL(request.originalUrl, 'http://local').searchParams;
    const sought = {
      text: (query.get('q') ?? '').trim(),
      types: query.getAll('type'),
      each: Math.min(Number(query.get('each')) || 1, 100),
    };
    const base = String(request.headers['x-cadastre-base'] ?? '');
    const body = await afterWrites(
      request,
      response,
      () => undefined,
      who,
      async () => (sought.text ? found(engine, sought, who, base) : '[]'),
    );
    response.type('application/json').send(body);
  };
  const file = async (request: Request, response: Response): Promise<void> => {
    response.locals['route'] = '/media';
    const { status, headers, body } = await serveFile(engine, {
      method: request.method,
      path: request.originalUrl.split('?', 1)[0]!,
      who: await requester(request),
    });
    response.status(status).set(headers);
    if (typeof body === 'string') response.end(body);
    else await pipeline(body, response);
  };
  const routes = (app: Express): void => {
    app.use('/media', (request, response, next) => {
      file(request, response).catch(next);
    });
    app.get('/internal/openapi.json', (request, response) => {
      response.setHeader('ETag', etag);
      if (request.fresh) response.status(304).end();
      else response.type('application/json').send(document);
    });
    app.get('/internal/found', (request, response, next) => {
      search(request, response).catch(next);
    });
    for (const [path, answer] of Object.entries(internal))
      app.get(`/internal/${path}`, (_request, response) => {
        response.json(answer());
      });
  };
  return { routes, api: handle };
}

/**
 * Aborts when the client leaves before it has its answer. The controller is created on demand, as most requests are
 * answered before anything reads the signal.
 */
function goneOf(response: ServerResponse): () => AbortSignal {
  let signal: AbortSignal | undefined;
  return () => {
    if (signal) return signal;
    const left = new AbortController();
    if (response.destroyed) left.abort();
    response.once(abandonedEvent, () => left.abort());
    response.once('close', () => {
      if (!response.writableFinished) left.abort();
    });
    return (signal = left.signal);
  };
}

async function identified(verify: ReturnType<typeof createIdentityVerifier>, token: string): Promise<Identity> {
  try {
    return await verify(token);
  } catch (error) {
    if (error instanceof IdentityError)
      throw new HttpError(403, { detail: 'The identity of the request is not valid.' });
    throw error;
  }
}

/** Path without ids, for metrics. */
const routeOf = (path: string): string => path.replace(/\/\d+(?=\/)/g, '/:id');

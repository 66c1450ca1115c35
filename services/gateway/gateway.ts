import { HttpError } from '@cadastre/service/errors';
import { answerHeader, failuresHeader } from '@cadastre/service/web';
import { pendingHeader } from '@cadastre/service/write-positions';
import type { Express, NextFunction, Request, Response } from 'express';
import { type Admit, type Admitted, isRead } from './admit/admission.ts';
import { type RequestContextOptions, requestContext, contextOf } from './arrive/request-context.ts';
import { hasBody, requireFew } from '@cadastre/body';
import type { Bodies } from './admit/bodies.ts';
import { documentation, documentationPaths } from './answer/documentation.ts';
import { sendRefusal } from './arrive/json.ts';
import type { Client, ConcurrencyLimiter } from './admit/concurrency.ts';
import type { Forward } from './forward/forward.ts';
import { positionHeader } from './forward/position.ts';
import { pathOf, type Route, router } from './forward/routes.ts';
import { keepIdentity, userIn } from './admit/streams.ts';
import type { Schema } from './answer/schema.ts';
import type { Operations } from './operations/operation.ts';
import { answeredBehind, type Behind, operationBehind } from './operations/page.ts';
import { failuresBefore } from './pages/frame/failures.ts';
import type { Pages } from './pages/pages.ts';
import { answerForPage, asksForPage } from './web/api-pages.ts';
import { type Web, webService } from './web/web.ts';
import { refusalOfAnonymousBody } from './admit/anonymous-bodies.ts';
import { answerView, views, wantsLogin } from './answer/views.ts';

export interface GatewayOptions extends RequestContextOptions {
  routes: readonly Route[];
  admit: Admit;
  forward: Forward;
  bodies: Bodies;
  /** Bytes that a client without a login may send. */
  anonymousBytes: number;
  /** The maximum number of query parameters. */
  maxParameters: number;
  /**
   * Limits the concurrent requests of one client at a service, or at the gateway itself for pages, which ask several
   * services.
   */
  limiterOf(service: string): ConcurrencyLimiter;
  /** Remembers the writes that the client knows of, from the position that it has sent. */
  recordPosition(position: string): void;
  /** The earlier writes at other services that a service has to be told of with a request. */
  pendingWrites(service: string, user: number | undefined): string | undefined;
  schema(): Promise<Schema>;
  workers(): Promise<number>;
  operations: Operations;
  pages: Pages;
  /** Where there is a service that renders web pages. */
  web?: Web | undefined;
  loginRequired: boolean;
}

/** The one write that needs no token: it creates a client's first one. */
const provisionPath = '/api/users/tokens/provision/';

const filesPath = '/media/';
const apiPath = '/api/';

const notFound = { status: 404, detail: 'Not found.' };
const tooMany = {
  status: 429,
  detail: 'Too many requests of this client are under way at the same time. Please try again.',
  retryAfter: 1,
};

/** Services believe these headers, so only the gateway may set them. */
function dropInternalHeaders(headers: Request['headers']): void {
  for (const name in headers) if (name.startsWith('x-cadastre-')) delete headers[name];
}

/** By what a client's requests are counted: its user, or its address without a login. */
const clientOf = ({ identity, clientIp }: Admitted): Client => (identity.anonymous ? clientIp : identity.userId);

/** How a request for a page goes on. */
interface Onward {
  /** Whether a client without a login may read. */
  unknown?: boolean;
  headers?: Record<string, string>;
  /** The operation that the gateway runs first, for the page to show its answer. */
  behind?: Behind;
}

/** What belongs to a service goes there with a signed identity, the rest is answered here. */
export function gateway(options: GatewayOptions): (app: Express) => void {
  const { admit, forward, bodies } = options;
  const find = router(options.routes);
  const own = views(options);
  const admitViews = wantsLogin(admit, options.loginRequired);
  const known = (path: string) =>
    find(path) !== null ||
    own.has(path) ||
    options.operations.covers(path) ||
    options.pages.covers(path) ||
    options.web?.covers(path) ||
    (documentationPaths as readonly string[]).includes(path);

  /** Chooses the first handler that answers the path; the request has been parsed by `requestContext` already. */
  async function serve(req: Request, res: Response, next: NextFunction): Promise<void> {
    const path = pathOf(req.url);
    if (path === null) return sendRefusal(req, res, notFound);
    limitParameters(req);
    // Files have no slash at their end.
    const file = path.startsWith(filesPath) ? find(path) : null;
    if (file) return toService(file, path, req, res);
    if (options.web?.isAsset(path)) return asset(req, res);
    if (!path.endsWith('/')) return withoutSlash(path, req, res, next);
    if (path.startsWith(apiPath) && asksForPage(req) && (await asPage(path, req, res, next))) return;
    const route = find(path);
    if (route) return toService(route, path, req, res);
    if (options.operations.covers(path)) return options.operations.answer(path, req, res);
    if (options.pages.covers(path)) return toOwnPage(path, req, res);
    if (options.web?.covers(path)) return toWeb(options.web, req, res, next, beforehand(req));
    return toView(path, req, res, next);
  }

  /**
   * Forwards to a service: removes internal headers, then admits the client, waits for the body and for a free place.
   */
  async function toService(route: Route, path: string, req: Request, res: Response): Promise<void> {
    res.locals.route = route.prefix;
    dropInternalHeaders(req.headers);
    recordPosition(req);
    const admitted = await admit(req, path === provisionPath ? 'anyone' : 'token');
    if ('status' in admitted) return sendRefusal(req, res, admitted);
    const client = clientOf(admitted);
    if (hasBody(req) && !(await receiveBody(client, req, res, admitted.identity.anonymous))) return;
    const place = acquirePlace(route.service, client, req, res);
    if (place !== true && !(await place)) return;
    forwardAs(admitted, route.service, req, res);
  }

  /** The login and its pages. */
  async function toOwnPage(path: string, req: Request, res: Response): Promise<void> {
    const { rateLimitKey } = contextOf(req);
    if (hasBody(req) && !(await receiveBody(rateLimitKey, req, res, true))) return;
    if (!(await acquirePlace('gateway', rateLimitKey, req, res))) return;
    return options.pages.answer(path, req, res);
  }

  /** What the gateway answers itself: one path, read only. */
  async function toView(path: string, req: Request, res: Response, next: NextFunction): Promise<void> {
    const view = own.get(path);
    if (!view) return next();
    res.locals.route = path;
    await answerView(view, admitViews, req, res);
  }

  function limitParameters({ url }: Request): void {
    const question = url.indexOf('?');
    if (question >= 0) requireFew(url.slice(question + 1), options.maxParameters);
  }

  function recordPosition({ headers }: Request): void {
    const position = headers[positionHeader];
    if (typeof position === 'string') options.recordPosition(position);
  }

  /** The operation that the gateway runs first, for a page to show its answer. */
  function beforehand(req: Request): Onward {
    const behind = operationBehind(options.operations, req.method, req.url);
    return behind ? { behind } : {};
  }

  /** Whether the body, or enough of it, has arrived; if not, the client is refused. */
  async function receiveBody(client: Client, req: Request, res: Response, unknown: boolean): Promise<boolean> {
    // Checked before the wait, and again afterwards for a body of unknown length.
    const tooMuch = (isHere: boolean) =>
      unknown ? refusalOfAnonymousBody(req, options.anonymousBytes, isHere) : undefined;
    const refused = tooMuch(false) ?? (await bodies.arrived(req, client)) ?? tooMuch(true);
    if (refused?.status === 408) res.setHeader('Connection', 'close');
    if (refused) sendRefusal(req, res, refused);
    return refused === undefined;
  }

  /**
   * Whether the client has got a place at the service, which it keeps until it has its answer; otherwise it has been
   * refused.
   */
  function acquirePlace(service: string, client: Client, req: Request, res: Response): boolean | Promise<boolean> {
    const places = options.limiterOf(service);
    const taken = places.acquire(client);
    const keep = (): boolean => {
      // The client may have left meanwhile.
      if (res.destroyed) places.release(client);
      else res.once('close', () => places.release(client));
      return !res.destroyed;
    };
    if (taken === true) return keep();
    return Promise.resolve(taken).then((had) => {
      if (!had) sendRefusal(req, res, tooMany);
      return had && keep();
    });
  }

  /**
   * Whether a browser's request for an address of the API has been answered with a page. An address without a page is
   * answered as for every other client.
   */
  async function asPage(path: string, req: Request, res: Response, next: NextFunction): Promise<boolean> {
    const { web } = options;
    if (!web) return false;
    const mine = own.has(path) || options.operations.covers(path);
    if (!mine && !find(path)) return false;
    if (!mine) await toWeb(web, req, res, next, { unknown: true });
    else if (isRead(req.method)) {
      const answer = await ownAnswer(path, req);
      if (answer === undefined) return false;
      await toWeb(web, req, res, next, { unknown: true, headers: { [answerHeader]: answer } });
    } else return false;
    return true;
  }

  /** What the gateway itself would answer to this reading request; undefined if no page can be made of it. */
  async function ownAnswer(path: string, req: Request): Promise<string | undefined> {
    const view = own.get(path);
    const admitted = view ? await admitViews(req) : await admit(req);
    if ('status' in admitted) return answerForPage(admitted.status, { detail: admitted.detail });
    try {
      if (view) return answerForPage(200, await view.answer(admitted));
      const { status, body } = await options.operations.ask(admitted, 'GET', req.url);
      return answerForPage(status, body);
    } catch (error) {
      if (error instanceof HttpError) return answerForPage(error.status, error.body);
      throw error;
    }
  }

  /** A page for a user who has logged in; for others the way to the login. */
  async function toWeb(
    web: Web,
    req: Request,
    res: Response,
    next: NextFunction,
    { unknown = false, headers: more = {}, behind }: Onward = {},
  ): Promise<void> {
    res.locals.route = `/${webService}`;
    dropInternalHeaders(req.headers);
    if (hasBody(req) && !(await receiveBody(contextOf(req).rateLimitKey, req, res, false))) return;
    const visited = await options.pages.orRefused(res, () => web.visited(req, unknown));
    if (!visited) return;
    if ('enrol' in visited) return options.pages.enrol(req, res, visited.enrol, visited.ours);
    if ('session' in visited) return options.pages.repeat(req, res, visited.session);
    if ('login' in visited) {
      if (!isRead(req.method) && (await options.pages.keep(req, res))) return;
      // First-time visitors see the start page, which says what this is.
      return req.url === '/' && !contextOf(req).remote ? next() : res.redirect(303, visited.login);
    }
    const { admitted, headers, inSession } = visited;
    if (inSession !== undefined && (await options.pages.resume(req, res, inSession))) return;
    const place = acquirePlace(webService, clientOf(admitted), req, res);
    if (place !== true && !(await place)) return;
    Object.assign(req.headers, headers, more);
    // The operation may run only now that the user, and the page that a form comes from, have been checked.
    if (behind) req.headers[answerHeader] = await answeredBehind(options.operations, admitted, behind);
    const failures = isRead(req.method) && req.headers['x-partial'] === undefined && failuresBefore(req, res);
    if (failures) req.headers[failuresHeader] = JSON.stringify(failures);
    forwardAs(admitted, webService, req, res);
  }

  function asset(req: Request, res: Response): void {
    res.locals.route = `/static/${webService}`;
    dropInternalHeaders(req.headers);
    delete req.headers.authorization;
    delete req.headers.cookie;
    forward(webService, req, res);
  }

  function forwardAs(admitted: Admitted, service: string, req: Request, res: Response): void {
    const { headers } = req;
    headers['x-cadastre-identity'] = admitted.signed;
    headers['x-cadastre-client-ip'] = admitted.clientIp;
    headers['x-cadastre-base'] = admitted.base;
    const pending = options.pendingWrites(service, userIn(admitted.identity));
    if (pending !== undefined) headers[pendingHeader] = pending;
    keepIdentity(req, admitted.identity);
    // The client's credentials are for the gateway alone.
    delete headers.authorization;
    delete headers.cookie;
    forward(service, req, res);
    if (hasBody(req)) bodies.keepPace(req, res, () => forward.abandon(req));
  }

  function withoutSlash(path: string, req: Request, res: Response, next: NextFunction): void {
    if (!known(`${path}/`)) next();
    else if (req.method !== 'GET' && req.method !== 'HEAD') sendRefusal(req, res, notFound);
    else res.writeHead(302, { Location: `${path}/${req.url.slice(path.length)}`, 'Content-Length': 0 }).end();
  }

  return (app) => {
    app.use(requestContext(options));
    app.use(serve);
    documentation(app, options.schema);
    options.pages.assets(app);
    app.use((req: Request, res: Response) => {
      if ((documentationPaths as readonly string[]).includes(pathOf(req.url) ?? '') && !isRead(req.method)) {
        res.setHeader('Allow', 'GET, HEAD, OPTIONS');
        return sendRefusal(req, res, { status: 405, detail: `Method "${req.method}" not allowed.` });
      }
      sendRefusal(req, res, notFound);
    });
  };
}

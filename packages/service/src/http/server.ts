import { randomUUID } from 'node:crypto';
import { IncomingMessage, type RequestListener, type Server, type ServerOptions, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import type { Registry } from 'prom-client';
import type { Config } from '../settings/config.ts';
import { enterStage } from '../request/current-work.ts';
import { asHttpError, HttpError, notFound } from './errors.ts';
import { type Log, withRequestId } from '../observe/log.ts';
import { createMetrics, type Metrics } from '../observe/metrics.ts';
import { type ListenerTls, serverFor } from '../security/tls.ts';

/** The version of the API that this product speaks, on every response. */
const apiVersion = '4.6';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export type HttpOptions = {
  readonly log: Log;
  /** Adds the service's own routes and middleware. */
  readonly routes: (app: Express) => void;
  /**
   * Answers requests below `/api/`. They do not pass through a router first, since they are nearly all that a service
   * gets.
   */
  readonly api?: ApiListener;
  /** For the metrics of the service. */
  readonly registry?: Registry;
  /** Whether a request id of the request is accepted; false where clients connect. */
  readonly acceptRequestId?: boolean;
  /** Limits per connection, where anybody may connect. */
  readonly limits?: Pick<
    Config,
    'headersTimeoutMs' | 'requestTimeoutMs' | 'bodyTimeoutMs' | 'bodyBufferBytes' | 'maxConnections'
  >;
  /** Called for every request that was answered with a status from 400 to 499. */
  readonly refused?: (request: IncomingMessage, status: number) => void;
  /** Whether to use TLS, and with which certificates. */
  readonly tls?: ListenerTls | undefined;
};

/** What it throws is answered as everywhere. `closing` aborts when the server closes. */
export type ApiListener = (request: ApiIncoming, response: ApiOutgoing, closing: AbortSignal) => Promise<void>;
type ApiIncoming = IncomingMessage & { url: string; method: string };
type ApiOutgoing = ServerResponse & Pick<Response, 'locals'>;

export type HttpServer = {
  /** Answers a request, as the server does with its own. */
  readonly listener: RequestListener;
  readonly server: Server;
  readonly metrics: Metrics;
  /** Resolves with the port (useful with port 0). Without a host it listens on all addresses. */
  listen(port: number, host?: string): Promise<number>;
  /** Listens where the settings say. */
  open(config: Pick<Config, 'httpPort' | 'listenHost'>): Promise<void>;
  /** Accepts no new requests, lets those under way finish, and returns when the last one has. */
  close(): Promise<void>;
};

/**
 * The HTTP side of a service: request id, common headers, JSON for every error. Handlers read the body if they need it.
 */
export function createHttpServer(options: HttpOptions): HttpServer {
  const { log } = options;
  const metrics = createMetrics(options.registry);
  const state = { closing: false };
  const closing = new AbortController();
  const app = express();
  app.locals['closing'] = closing.signal;
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing').enable('strict routing');
  // Handlers that need the query read it from the URL.
  app.set('query parser', false);
  const framed = frame(metrics, log, state, {
    acceptRequestId: options.acceptRequestId ?? true,
    restMs: options.limits?.bodyTimeoutMs ?? lingerMs,
    refused: options.refused,
  });
  const failed = answerError(log);
  app.use(framed);
  options.routes(app);
  app.use(() => {
    throw notFound();
  });
  app.use(((error, request, response, _next) => failed(error, request, response)) as ErrorRequestHandler);
  const { api } = options;
  const listener: RequestListener = api ? beside(app, framed, api, failed, closing.signal) : app;

  const { limits } = options;
  const limited = limits
    ? {
        highWaterMark: limits.bodyBufferBytes,
        connectionsCheckingInterval: Math.min(limits.headersTimeoutMs, limits.requestTimeoutMs, 2_000) / 2,
      }
    : {};
  const server = serverFor(options.tls, { ...limited, ...bornFor(app) }, listener, (error) =>
    log.error({ err: error }, 'the certificates that have changed cannot be used; those before stay'),
  );
  server.on('clientError', answerBrokenRequest);
  // Longer than the gateway keeps an idle connection, or it would use one that is being closed here.
  server.keepAliveTimeout = 75_000;
  server.headersTimeout = limits?.headersTimeoutMs ?? 80_000;
  if (limits) Object.assign(server, { requestTimeout: limits.requestTimeoutMs, maxConnections: limits.maxConnections });
  return {
    listener,
    server,
    metrics,
    listen: (port, host) => listening(server, port, host),
    async open({ httpPort, listenHost }) {
      await listening(server, httpPort, listenHost);
    },
    async close() {
      state.closing = true;
      closing.abort();
      await closed(server);
    },
  };
}

/** Requests below `/api/` go to a listener of their own, after the same first steps; all others to an application. */
function beside(
  app: Express,
  first: RequestHandler,
  api: ApiListener,
  failed: Failed,
  closing: AbortSignal,
): RequestListener {
  return (incoming, outgoing) => {
    if (!incoming.url!.startsWith('/api/')) return app(incoming, outgoing);
    const [request, response] = [incoming as Request, outgoing as Response];
    // As the application has it.
    request.originalUrl ??= request.url;
    response.locals ??= Object.create(null) as Response['locals'];
    const fail = (error: unknown): void => failed(error, request, response);
    first(request, response, () => {
      api(request, response, closing).catch(fail);
    });
  };
}

/**
 * Makes a server create its requests and responses with the prototypes of an application. Otherwise Express replaces
 * their prototypes, and everything that touches such an object afterwards is slower.
 */
function bornFor({ request, response }: Express): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  const made = (parent: typeof IncomingMessage | typeof ServerResponse, prototype: object): unknown => {
    function Born(...given: unknown[]): object {
      return Reflect.construct(parent, given, Born) as object;
    }
    Born.prototype = prototype;
    return Born;
  };
  return {
    IncomingMessage: made(IncomingMessage, request) as typeof IncomingMessage,
    ServerResponse: made(ServerResponse, response) as typeof ServerResponse,
  };
}

export const listening = (server: Server, port: number, host: string | undefined): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject).listen({ port, host, backlog: 1024 }, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });

export const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    // A connection that was busy when the closing began becomes idle after its response, and is not closed by itself.
    const sweep = setInterval(() => server.closeIdleConnections(), 20);
    server.close(() => {
      clearInterval(sweep);
      resolve();
    });
  });

/** Emitted on a response whose client already has another answer: this one will not be sent. */
export const abandonedEvent = 'abandoned';

/** Aborted when the server closes, to end answers that never end by themselves. */
export const closingOf = (response: Response): AbortSignal => response.app.locals['closing'] as AbortSignal;

/** The first middleware, on every request: keep it short. */
function frame(
  metrics: Metrics,
  log: Log,
  state: { closing: boolean },
  { acceptRequestId, restMs, refused }: Pick<HttpOptions, 'refused'> & { acceptRequestId: boolean; restMs: number },
): RequestHandler {
  const debug = log.isLevelEnabled('debug');
  return (request, response, next) => {
    const started = performance.now();
    // Kept here, because a request that is handed on to a service of this process gets other `locals` there.
    const locals = response.locals;
    const given = acceptRequestId ? request.headers['x-request-id'] : undefined;
    const id = typeof given === 'string' && uuid.test(given) ? given : randomUUID();
    request.headers['x-request-id'] = id;
    response.setHeader('API-Version', apiVersion);
    response.setHeader('X-Request-ID', id);
    if (state.closing) response.setHeader('Connection', 'close');
    response.once('finish', () => {
      const seconds = (performance.now() - started) / 1000;
      const route = locals.route ?? routeOf(request.route, request.baseUrl);
      metrics.observeRequest(request.method, String(route), response.statusCode, seconds);
      if (!request.complete) awaitRest(request, restMs);
      const { statusCode } = response;
      if (statusCode >= 400 && statusCode < 500) refused?.(request, statusCode);
      if (debug)
        log.debug(
          {
            request_id: id,
            method: request.method,
            url: request.originalUrl,
            status: response.statusCode,
            ms: Math.round(seconds * 1e4) / 10,
          },
          'request',
        );
    });
    withRequestId(id, () => {
      enterStage('arrival', response);
      next();
    });
  };
}

/** How long the rest of a body may take to arrive after the answer. */
const lingerMs = 10_000;

/**
 * A request may be answered before its body has arrived, mostly when it is refused. The rest is then discarded as it
 * arrives, since a client whose connection is cut while it sends may never see the answer; but not for ever.
 */
function awaitRest(request: IncomingMessage, withinMs: number): void {
  const { socket } = request;
  const timer = setTimeout(() => {
    if (!request.complete) socket.destroy();
  }, withinMs);
  timer.unref();
  // The connection may serve many more requests, so the listeners are removed.
  const done = (): void => {
    clearTimeout(timer);
    socket.off('close', done);
    request.off('end', done);
  };
  socket.once('close', done);
  request.once('end', done);
  // Node discards the rest by itself only if no part of the body has been read.
  request.resume();
}

/** The pattern of the matched route. Handlers that serve many resources name theirs in `response.locals.route`. */
function routeOf(route: unknown, baseUrl: string): string {
  const path = (route as { path?: unknown } | undefined)?.path;
  return path === undefined ? 'other' : `${baseUrl}${String(path)}`;
}

/**
 * Input that is not HTTP, or exceeds a limit, never becomes a request; it gets an answer of the usual form all the
 * same.
 */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  // Other errors, for example of the TLS handshake: the client cannot read an answer then.
  if (!(error.code?.startsWith('HPE_') || error.code === 'ERR_HTTP_REQUEST_TIMEOUT') || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, detail] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'The address and headers of the request are too long.']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'The request did not arrive in time.']
        : ['400 Bad Request', 'This is no valid HTTP request.'];
  const body = JSON.stringify({ detail });
  socket.end(
    `HTTP/1.1 ${status}\r\nAPI-Version: ${apiVersion}\r\nX-Request-ID: ${randomUUID()}\r\nContent-Type: application/json\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  );
}

type Failed = (error: unknown, request: Pick<Request, 'method' | 'originalUrl'>, response: ServerResponse) => void;

/** Turns any error into JSON with `detail`; unforeseen errors are logged, and their details are not sent. */
function answerError(log: Log): Failed {
  return (error, request, response) => {
    const known = asHttpError(error);
    if (!known)
      log.error(
        {
          err: error,
          request_id: response.getHeader('X-Request-ID'),
          method: request.method,
          url: request.originalUrl,
        },
        'request failed',
      );
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const answer =
      known ??
      new HttpError(500, {
        detail: 'The server failed to answer this request. The log has the details under the X-Request-ID.',
      });
    if (answer.status >= 500 && known)
      log.warn(
        {
          request_id: response.getHeader('X-Request-ID'),
          status: answer.status,
          reason: String((error as Error).message),
        },
        'request not served',
      );
    response.statusCode = answer.status;
    for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.end(JSON.stringify(answer.body));
  };
}

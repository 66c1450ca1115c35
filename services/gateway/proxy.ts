import type { Agent, AgentOptions, ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { Stream } from 'node:stream';
import { closingOf } from '@cadastre/service/http';
import type { Response } from 'express';
import { createProxyMiddleware, type Options } from 'http-proxy-middleware';
import { type Refusal, sendRefusal } from './json.ts';

export interface ProxyOptions {
  /** Where each service listens: `http://host:port`. */
  targets: ReadonlyMap<string, string>;
  /** Makes the connections to a service. */
  agent(service: string, options: AgentOptions): Agent;
  /** How long a service may be silent, before and within its answer. */
  timeoutMs: number;
  /** Connections to each service; more requests than that wait for one. */
  maxSockets: number;
  /** Hears of every answer, before the client does; may change its headers. */
  answered?(service: string, headers: IncomingMessage['headers'], req: IncomingMessage): void;
  /** Hears of every answer that goes on for long; `end` ends it before its time. */
  streaming?(req: IncomingMessage, res: ServerResponse, end: () => void): void;
  /** Hears of every request that a service could not answer. */
  failed(service: string, error: Error, req: IncomingMessage): void;
}

/** Hands a request on to a service and its answer back, both as streams. */
export interface Forward {
  (service: string, req: IncomingMessage, res: ServerResponse): void;
  /** The client has its answer already: lets go of the service. */
  abandon(req: IncomingMessage): void;
}

type Failed = Error & { code?: string };

/** What is remembered of a request while it is at a service. */
interface Passage {
  service: string;
  target: URL;
  way: Way;
  close: boolean;
  upstream?: ClientRequest;
  timedOut?: boolean;
  again?: boolean;
}
/** To one service: for a request, and for one that has been read already. */
interface Way {
  once: ReturnType<typeof createProxyMiddleware>;
  again: ReturnType<typeof createProxyMiddleware>;
}
// On the request itself: a weak map with an entry for each request keeps the garbage collector busy.
const passageOf = Symbol('passage');
type Passing = IncomingMessage & { [passageOf]?: Passage };

/** Between two neighbours only, never handed on (RFC 9110 §7.6.1); Node has already answered an `Expect`. */
const hopByHop = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'te',
  'trailer',
  'upgrade',
  'expect',
] as const;

/** An empty body, as often as it is asked for. */
class Nothing extends Stream {
  override pipe<T extends NodeJS.WritableStream>(destination: T): T {
    destination.end();
    return destination;
  }
}

/**
 * Forwards requests to services over kept-alive connections. A service that is down is 503, one that is silent 504, one
 * that does not speak HTTP 502; an answer that breaks off is cut for the client too, as it cannot be taken back.
 */
export function forwarder({
  targets,
  agent,
  timeoutMs,
  maxSockets,
  answered,
  streaming,
  failed,
}: ProxyOptions): Forward & { close(): void } {
  const agents = new Map(
    [...targets.keys()].map((service) => [
      service,
      agent(service, { keepAlive: true, maxSockets, maxFreeSockets: maxSockets, scheduling: 'lifo' }),
    ]),
  );
  const urls = new Map([...targets].map(([service, target]) => [service, new URL(target)]));
  const options: Options = {
    router: (req: Passing) => req[passageOf]?.target ?? '',
    proxyTimeout: timeoutMs,
    // The default plugins log and rewrite; none of that is wanted on the way of every request.
    ejectPlugins: true,
    plugins: [
      (server) => {
        server.on('proxyReq', (upstream, req: Passing) => {
          const passage = req[passageOf];
          if (!passage) return;
          passage.upstream = upstream;
          upstream.once('timeout', () => {
            passage.timedOut = true;
          });
        });
        server.on('proxyRes', ({ headers }, req: Passing, res) => {
          const passage = req[passageOf];
          if (passage) answered?.(passage.service, headers, req);
          delete headers['keep-alive'];
          // What an answer depends on here it depends on all the same.
          if (headers.vary !== undefined)
            headers.vary = [res.getHeader('Vary'), headers.vary].filter(Boolean).join(', ');
          headers.connection = passage?.close || res.getHeader('Connection') === 'close' ? 'close' : 'keep-alive';
          // What never ends by itself must not hold up the end of this process.
          if (isEventStream(headers) && 'app' in res) {
            const closing = closingOf(res as Response),
              end = () => endNow(res as Response, passage);
            closing.addEventListener('abort', end, { once: true });
            res.once('close', () => closing.removeEventListener('abort', end));
            streaming?.(req, res as Response, end);
          }
        });
        server.on('error', (error, req, res) => {
          if (req && res && 'setHeader' in res) onError(error, req, res);
        });
        server.on('econnreset', () => {
          /* The client went away; httpxy has already let go of the service. */
        });
      },
    ],
  };
  const ways = new Map(
    [...agents].map(([service, agent]): [string, Way] => [
      service,
      {
        once: createProxyMiddleware({ ...options, agent }),
        // The request's own body was read by the first attempt.
        again: createProxyMiddleware({ ...options, agent, buffer: new Nothing() }),
      },
    ]),
  );

  function onError(error: Failed, req: Passing, res: ServerResponse): void {
    const passage = req[passageOf];
    if (!passage || res.destroyed || res.writableEnded) return;
    // A kept-alive connection that the service had just closed: nothing was asked yet, so ask again, once.
    if (!passage.again && passage.upstream?.reusedSocket && !passage.timedOut && !res.headersSent && bodyless(req)) {
      passage.again = true;
      void passage.way.again(req, res, () => {});
      return;
    }
    failed(passage.service, error, req);
    if (res.headersSent) res.destroy(error);
    else sendRefusal(req, res, failure(passage.service, error, passage.timedOut === true));
  }

  const forward = (service: string, req: Passing, res: ServerResponse) => {
    const target = urls.get(service),
      way = ways.get(service);
    if (!target || !way) return sendRefusal(req, res, unavailable(service));
    // The client left while its token was being verified.
    if (res.destroyed) return;
    req[passageOf] = { service, target, way, close: req.headers.connection?.toLowerCase() === 'close' };
    for (const name of hopByHop) delete req.headers[name];
    void way.once(req, res, () => {});
  };
  return Object.assign(forward, {
    abandon: (req: Passing) => {
      req[passageOf]?.upstream?.destroy();
    },
    close: () => {
      for (const one of agents.values()) one.destroy();
    },
  });
}

/** How long a client has to take the end of an answer. */
const END_MS = 500;

/** Ends an answer that goes on, for the client and for the service, whether the client takes what is sent or not. */
function endNow(res: ServerResponse, passage: Passage | undefined): void {
  res.end();
  passage?.upstream?.destroy();
  setTimeout(() => {
    if (!res.writableFinished) res.destroy();
  }, END_MS).unref();
}

const isEventStream = (headers: IncomingMessage['headers']) =>
  headers['content-type']?.startsWith('text/event-stream') ?? false;

const bodyless = (req: IncomingMessage) =>
  (req.method === 'GET' || req.method === 'HEAD') &&
  req.headers['transfer-encoding'] === undefined &&
  !Number(req.headers['content-length'] ?? 0);

const unavailable = (service: string): Refusal => ({
  status: 503,
  detail: `The ${service} service is not available. Please try again.`,
  retryAfter: 1,
});

function failure(service: string, error: Failed, timedOut: boolean): Refusal {
  if (timedOut) return { status: 504, detail: `The ${service} service did not answer in time.` };
  if (error.code?.startsWith('HPE_'))
    return { status: 502, detail: `The ${service} service gave an answer that is not HTTP.` };
  return unavailable(service);
}

import type { Agent, ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { Stream } from 'node:stream';
import { closingOf } from '@cadastre/service/http';
import type { Response } from 'express';
import { createProxyMiddleware, type Options } from 'http-proxy-middleware';
import { type Refusal, sendRefusal } from '../arrive/json.ts';
import {
  bothVary,
  endNow,
  endWith,
  type Forward,
  type ForwardOptions,
  hopByHop,
  isEventStream,
  silent,
  unavailable,
} from './forwarding.ts';

type Failed = Error & { code?: string };

/** What is remembered of a request while it is at a service. */
interface Passage {
  service: string;
  target: URL;
  by: Middlewares;
  close: boolean;
  upstream?: ClientRequest;
  timedOut?: boolean;
  again?: boolean;
}
/** The proxies to one service: for a first attempt, and for a retry, when the request has been read already. */
interface Middlewares {
  once: ReturnType<typeof createProxyMiddleware>;
  again: ReturnType<typeof createProxyMiddleware>;
}
// On the request itself: a weak map with an entry for each request keeps the garbage collector busy.
const passageOf = Symbol('passage');
type Passing = IncomingMessage & { [passageOf]?: Passage };

/** An empty body, which can be read any number of times. */
class Nothing extends Stream {
  override pipe<T extends NodeJS.WritableStream>(destination: T): T {
    destination.end();
    return destination;
  }
}

/**
 * Forwards requests to services over kept-alive connections. A service that is unavailable is 503, one that does not
 * answer in time 504, an answer that is not HTTP 502. If an answer breaks off, the client's connection is cut too, as
 * the answer has begun already.
 */
export function proxy({
  ways,
  timeoutMs,
  maxSockets,
  answered,
  streaming,
  failed,
}: ForwardOptions): Forward & { close(): void } {
  const far = new Map<string, { target: URL; agent: Agent }>();
  for (const [service, way] of ways)
    if ('url' in way) {
      const agent = way.agent({ keepAlive: true, maxSockets, maxFreeSockets: maxSockets, scheduling: 'lifo' });
      far.set(service, { target: way.url, agent });
    }
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
          if (headers.vary !== undefined) headers.vary = bothVary(res.getHeader('Vary'), headers.vary);
          headers.connection = passage?.close || res.getHeader('Connection') === 'close' ? 'close' : 'keep-alive';
          if (isEventStream(headers['content-type']) && 'app' in res) {
            const end = () => {
              endNow(res as Response);
              passage?.upstream?.destroy();
            };
            endWith(closingOf(res as Response), res as Response, end);
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
  const middlewares = new Map(
    [...far].map(([service, { agent }]): [string, Middlewares] => [
      service,
      {
        once: createProxyMiddleware({ ...options, agent }),
        // The first attempt has read the request's own body.
        again: createProxyMiddleware({ ...options, agent, buffer: new Nothing() }),
      },
    ]),
  );

  function onError(error: Failed, req: Passing, res: ServerResponse): void {
    const passage = req[passageOf];
    if (!passage || res.destroyed || res.writableEnded) return;
    // The service had just closed the kept-alive connection, so the request has not reached it: retry once.
    if (!passage.again && passage.upstream?.reusedSocket && !passage.timedOut && !res.headersSent && bodyless(req)) {
      passage.again = true;
      void passage.by.again(req, res, () => {});
      return;
    }
    failed(passage.service, error, req);
    if (res.headersSent) res.destroy(error);
    else sendRefusal(req, res, failure(passage.service, error, passage.timedOut === true));
  }

  const forward = (service: string, req: Passing, res: ServerResponse) => {
    const target = far.get(service)?.target;
    const by = middlewares.get(service);
    if (!target || !by) return sendRefusal(req, res, unavailable(service));
    // The client has left while its token was verified.
    if (res.destroyed) return;
    req[passageOf] = { service, target, by, close: req.headers.connection?.toLowerCase() === 'close' };
    for (const name of hopByHop) delete req.headers[name];
    void by.once(req, res, () => {});
  };
  return Object.assign(forward, {
    abandon: (req: Passing) => {
      req[passageOf]?.upstream?.destroy();
    },
    close: () => {
      for (const { agent } of far.values()) agent.destroy();
    },
  });
}

const bodyless = (req: IncomingMessage) =>
  (req.method === 'GET' || req.method === 'HEAD') &&
  req.headers['transfer-encoding'] === undefined &&
  !Number(req.headers['content-length'] ?? 0);

function failure(service: string, error: Failed, timedOut: boolean): Refusal {
  if (timedOut) return silent(service);
  if (error.code?.startsWith('HPE_'))
    return { status: 502, detail: `The ${service} service gave an answer that is not HTTP.` };
  return unavailable(service);
}

// What both ways of passing a request on have in common.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Way } from '@cadastre/service/peer-http';
import type { Refusal } from '../arrive/json.ts';

export interface ForwardOptions {
  /** The way to each service. */
  ways: ReadonlyMap<string, Way>;
  /** How long a service may be silent, before and within its answer. */
  timeoutMs: number;
  /** Connections to each service of another process; more requests than that wait for one. */
  maxSockets: number;
  /** Called with every answer before it is sent; may change its headers. */
  answered?(service: string, headers: IncomingMessage['headers'], req: IncomingMessage): void;
  /** Called with every answer that streams for long; `end` ends it early. */
  streaming?(req: IncomingMessage, res: ServerResponse, end: () => void): void;
  /** Called with every request that a service could not answer. */
  failed(service: string, error: Error, req: IncomingMessage): void;
}

/** Hands a request on to a service and its answer back, both as streams. */
export interface Forward {
  (service: string, req: IncomingMessage, res: ServerResponse): void;
  /** For a client that already has another answer: abandons the request to the service. */
  abandon(req: IncomingMessage): void;
}

/** Hop-by-hop headers, which are never passed on (RFC 9110 §7.6.1); Node has already answered an `Expect`. */
export const hopByHop = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'te',
  'trailer',
  'upgrade',
  'expect',
] as const;

export const unavailable = (service: string): Refusal => ({
  status: 503,
  detail: `The ${service} service is not available. Please try again.`,
  retryAfter: 1,
});

export const silent = (service: string): Refusal => ({
  status: 504,
  detail: `The ${service} service did not answer in time.`,
});

/** The gateway's answer varies by everything that the service's answer varies by. */
export const bothVary = (here: unknown, there: unknown): string => [here, there].filter(Boolean).join(', ');

/** How long a client has to take the end of an answer. */
const END_MS = 500;

/** Ends a streaming answer, whether the client reads it or not. */
export function endNow(res: ServerResponse): void {
  res.end();
  setTimeout(() => {
    if (!res.writableFinished) res.destroy();
  }, END_MS).unref();
}

/** A stream that never ends by itself must not keep this process from ending. */
export function endWith(closing: AbortSignal, res: ServerResponse, end: () => void): void {
  closing.addEventListener('abort', end, { once: true });
  res.once('close', () => closing.removeEventListener('abort', end));
}

export const isEventStream = (contentType: unknown): boolean =>
  typeof contentType === 'string' && contentType.startsWith('text/event-stream');

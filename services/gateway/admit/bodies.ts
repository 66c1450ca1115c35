import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Refusal, sendRefusal } from '../arrive/json.ts';
import type { Client, ConcurrencyLimiter } from './concurrency.ts';

export interface BodiesOptions {
  /** How much of a body (or all of a smaller one) must have arrived before any service is asked. */
  bufferBytes: number;
  /** How long that may take, and the interval in which the rate of the rest is measured. */
  timeoutMs: number;
  /** The minimum rate for the rest of a larger body, in bytes per second. */
  minRate: number;
  /** Limits how many bodies one client may send at the same time. */
  places: ConcurrencyLimiter;
}

/** Bodies are waited for here, where waiting costs little, and not at a service, which has few connections. */
export interface Bodies {
  /** Why the body cannot be passed on; undefined when it can, or when the client has left. */
  arrived(req: IncomingMessage, client: Client): Promise<Refusal | undefined>;
  /**
   * Watches that the rest of a larger body keeps coming while it is passed on; otherwise the client is refused, and the
   * request to the service is abandoned.
   */
  keepPace(req: IncomingMessage, res: ServerResponse, abandon: () => void): void;
}

const tooSlow: Refusal = { status: 408, detail: 'The request body did not arrive in time.' };
const tooMany: Refusal = {
  status: 429,
  detail: 'Too many requests with a body are arriving from this client at the same time. Please try again.',
  retryAfter: 1,
};

export function bodies({ bufferBytes, timeoutMs, minRate, places }: BodiesOptions): Bodies {
  return {
    async arrived(req, client) {
      if (req.complete) return undefined;
      if (!(await places.acquire(client))) return tooMany;
      try {
        return (await untilThere(req, bufferBytes, timeoutMs)) ? undefined : tooSlow;
      } finally {
        places.release(client);
      }
    },
    keepPace(req, res, abandon) {
      if (req.complete || minRate === 0) return;
      const { socket } = req;
      const least = (minRate * timeoutMs) / 1000;
      let before = socket.bytesRead;
      const timer = setInterval(() => {
        const came = socket.bytesRead - before;
        before = socket.bytesRead;
        if (req.complete || res.destroyed) return clearInterval(timer);
        // Bytes that have arrived but are unread show that the service is slow, not the client.
        if (came >= least || req.readableLength > 0) return;
        clearInterval(timer);
        if (res.headersSent) return void res.destroy();
        sendRefusal(req, res.setHeader('Connection', 'close'), tooSlow);
        abandon();
      }, timeoutMs);
      timer.unref();
      res.once('close', () => clearInterval(timer));
    },
  };
}

/**
 * Waits until the whole body, or as much of it as may be buffered, is in the request's own buffer, from which it can be
 * read as usual. False if that takes too long. True also when the client has left, as nothing more will arrive.
 */
function untilThere(req: IncomingMessage, most: number, withinMs: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const look = () => {
    if (req.complete || req.readableLength >= most) end(true);
  };
  const left = () => end(true);
  const late = setTimeout(() => end(false), withinMs).unref();
  const end = (there: boolean) => {
    clearTimeout(late);
    req.off('readable', look).off('close', left);
    resolve(there);
  };
  req.on('readable', look).once('close', left);
  return promise;
}

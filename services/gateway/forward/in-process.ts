import type { IncomingMessage, ServerResponse } from 'node:http';
import { abandonedEvent, closingOf } from '@cadastre/service/http';
import { seenHeader, writtenHeader } from '@cadastre/service/write-positions';
import type { Response } from 'express';
import { sendRefusal } from '../arrive/json.ts';
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

type InProcessOptions = Omit<ForwardOptions, 'maxSockets'>;

// On the request itself: a weak map with an entry for each request keeps the garbage collector busy.
const letGo = Symbol('let go');
type Passing = IncomingMessage & { [letGo]?: () => void };

/** Headers of answers that are for the gateway only. */
const internal = [writtenHeader, seenHeader];

/**
 * Passes requests on to services of this process, with the same request and response objects. A service that is not
 * running is 503, one that does not answer in time 504. If an answer breaks off, the connection is cut, as the answer
 * has begun already.
 */
export function forwardInProcess({ ways, timeoutMs, answered, streaming, failed }: InProcessOptions): Forward {
  function hand(service: string, req: Passing, res: Response): void {
    const way = ways.get(service);
    const here = way && 'here' in way ? way.here() : undefined;
    if (!here) return void sendRefusal(req, res, unavailable(service));
    // The client has left while its token was verified.
    if (res.destroyed) return;
    for (const name of hopByHop) delete req.headers[name];
    req[letGo] = () => abandon(res);
    watch(service, req, res);
    const closing = closingOf(res);
    const vary = res.getHeader('Vary');
    const { writeHead } = res;
    // The last moment before an answer is sent, however it is written.
    res.writeHead = (...head: unknown[]) => {
      res.writeHead = writeHead;
      takeNote(service, req, res);
      const own = res.getHeader('Vary');
      if (vary !== undefined && own !== vary) res.setHeader('Vary', bothVary(vary, own));
      if (isEventStream(res.getHeader('Content-Type'))) {
        const end = () => endNow(res);
        endWith(closing, res, end);
        streaming?.(req, res, end);
      }
      return (writeHead as (...head: unknown[]) => Response).apply(res, head);
    };
    // `res.locals` holds notes on the answer, for metrics; the service gets its own.
    res.locals = Object.create(null) as Response['locals'];
    here.inside(() => here.http(req, res));
  }

  function takeNote(service: string, req: IncomingMessage, res: ServerResponse): void {
    const told: IncomingMessage['headers'] = {};
    for (const name of internal) {
      const value = res.getHeader(name);
      if (typeof value !== 'string') continue;
      told[name] = value;
      res.removeHeader(name);
    }
    answered?.(service, told, req);
    for (const [name, value] of Object.entries(told)) if (value !== undefined) res.setHeader(name, value);
  }

  /** Ends the request when the service falls silent. */
  function watch(service: string, req: IncomingMessage, res: Response): void {
    const { socket } = req;
    let before = socket.bytesWritten;
    let timer = setTimeout(look, timeoutMs);
    function look(): void {
      const now = socket.bytesWritten;
      const moved = now !== before;
      before = now;
      // The answer is complete, but the client has not received all of it.
      if (res.destroyed || res.writableEnded) return;
      if (res.headersSent && moved) {
        timer = setTimeout(look, timeoutMs);
        return;
      }
      failed(service, new Error(`no answer within ${timeoutMs} ms`), req);
      if (res.headersSent) return void res.destroy();
      sendRefusal(req, res, silent(service));
      abandon(res);
    }
    res.once('close', () => clearTimeout(timer));
  }

  return Object.assign(hand as Forward, { abandon: (req: Passing) => req[letGo]?.() });
}

/** The client already has another answer: further output of the service is dropped, and the service is told to stop. */
function abandon(res: Response): void {
  const nothing = () => res;
  Object.assign(res, {
    writeHead: nothing,
    setHeader: nothing,
    flushHeaders: nothing,
    end: nothing,
    destroy: nothing,
    write: () => true,
  });
  res.emit(abandonedEvent);
}

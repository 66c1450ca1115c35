import type { IncomingMessage, ServerResponse } from 'node:http';
import { forwardInProcess } from './in-process.ts';
import type { Forward, ForwardOptions } from './forwarding.ts';
import { proxy } from './proxy.ts';

export type { Forward } from './forwarding.ts';

/** Forwards each request by the shortest way: to a service of this process directly, to any other over a connection. */
export function forwarder(options: ForwardOptions): Forward & { close(): void } {
  const over = proxy(options);
  const direct = forwardInProcess(options);
  const forward = (service: string, req: IncomingMessage, res: ServerResponse) =>
    (options.ways.has(service) && 'here' in options.ways.get(service)! ? direct : over)(service, req, res);
  const abandon = (req: IncomingMessage) => {
    over.abandon(req);
    direct.abandon(req);
  };
  return Object.assign(forward, { abandon, close: over.close });
}

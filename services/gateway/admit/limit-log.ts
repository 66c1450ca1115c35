import type { IncomingMessage } from 'node:http';
import type { Log } from '@cadastre/service/log';
import { contextOf } from '../arrive/request-context.ts';
import { pathOf } from '../forward/routes.ts';

/** The limit that a request has exceeded, by the status of the refusal. */
const REASONS: ReadonlyMap<number, string> = new Map([
  [408, 'too slow'],
  [413, 'too large'],
  [429, 'too many'],
]);

/**
 * Logs which limit a request has exceeded, and whose request it was, as this may be an attack. The same reason is
 * logged at most once a second, with the number of requests.
 */
export const limitLog =
  (log: Pick<Log, 'warn'>) =>
  (req: IncomingMessage, status: number): void => {
    const reason = REASONS.get(status);
    if (reason === undefined) return;
    const { rateLimitKey: client, who } = contextOf(req);
    const about = { reason, status, client, method: req.method, path: pathOf(req.url ?? ''), user: who?.username };
    log.warn({ ...about, request_id: req.headers['x-request-id'] }, 'a limit has held a request back');
  };

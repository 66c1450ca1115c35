import type { IncomingMessage } from 'node:http';
import type { Log } from '@cadastre/service/log';
import { contextOf } from '../arrive/request-context.ts';
import { pathOf } from '../forward/routes.ts';

/** What went beyond a limit, by the status that says so. */
const REASONS: ReadonlyMap<number, string> = new Map([
  [408, 'too slow'],
  [413, 'too large'],
  [429, 'too many'],
]);

/**
 * Logs when a limit has held a request back, and whose: somebody may be probing. The same reason is logged at most once
 * a second, with its number.
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

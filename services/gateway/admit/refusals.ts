import type { IncomingMessage } from 'node:http';
import type { Log } from '@cadastre/service/log';
import { contextOf } from '../arrive/request-context.ts';
import type { AuthClient } from '../identify/auth-client.ts';
import { pathOf } from '../forward/routes.ts';

/** Reports refused requests to auth. */
type Refusal = Parameters<AuthClient['RecordRefusals']>[0]['refusals'][number];

export interface Refusals {
  /** A request has been answered with 403. Returns at once. */
  note(req: IncomingMessage): void;
  /** Sends what was noted. */
  close(): Promise<void>;
}

export interface RefusalsOptions {
  auth: Pick<AuthClient, 'RecordRefusals'>;
  log: Pick<Log, 'warn'>;
  gatherMs?: number;
  /** How many different refusals are kept until they are sent; further ones are only counted. */
  most?: number;
}

/** The maximum length of the User-Agent and of the description of the request. */
const LONGEST = 300;

/**
 * Reports to auth, for the security log, what the gateway and the services behind it have refused: invalid tokens, and
 * requests without permission. Equal refusals are sent as one, with their number. A request without credentials that
 * was asked for some is not reported.
 */
export function refusals({ auth, log, gatherMs = 500, most = 500 }: RefusalsOptions): Refusals {
  let gathered = new Map<string, Refusal>();
  let more = 0;
  let timer: NodeJS.Timeout | undefined;

  async function send(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const taken = [...gathered.values()];
    const first = taken[0];
    if (more && first)
      taken.push({ ...nobody, kind: first.kind, detail: 'Others within the same moment', count: more });
    gathered = new Map();
    more = 0;
    if (taken.length)
      await auth.RecordRefusals({ refusals: taken }).catch((error: unknown) => {
        log.warn({ err: error, count: taken.length }, 'refusals could not be noted');
      });
  }

  return {
    note(req) {
      const refusal = refusalOf(req);
      if (!refusal) return;
      const { request_id: _, ...alike } = refusal;
      const key = JSON.stringify(alike);
      const known = gathered.get(key);
      if (known) Object.assign(known, { count: known.count + 1, request_id: refusal.request_id });
      else if (gathered.size < most) gathered.set(key, refusal);
      else more++;
      timer ??= setTimeout(() => void send(), gatherMs).unref();
    },
    close: send,
  };
}

const nobody: Refusal = {
  kind: 'token_refused',
  user_id: 0,
  user_name: '',
  address: '',
  browser: '',
  method: '',
  detail: '',
  request_id: '',
  count: 1,
};

function refusalOf(req: IncomingMessage): Refusal | undefined {
  const { who, rateLimitKey: address, refused } = contextOf(req);
  if (!who && !refused) return undefined;
  const asked = `${req.method} ${pathOf(req.url ?? '') ?? ''}`;
  return {
    ...nobody,
    kind: refused?.token ? 'token_refused' : 'permission_refused',
    user_id: who?.userId ?? 0,
    user_name: who?.username ?? '',
    address,
    browser: String(req.headers['user-agent'] ?? '').slice(0, LONGEST),
    method: who?.method ?? '',
    detail: (refused ? `${asked}: ${refused.why}` : asked).slice(0, LONGEST),
    request_id: String(req.headers['x-request-id'] ?? ''),
  };
}

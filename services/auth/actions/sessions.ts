import type { Schema } from '@cadastre/model';
import { typeId } from '@cadastre/model';
import {
  type ActionHandler,
  type ApiRequest,
  type Engine,
  notFound,
  noteOutboxSpan,
  notPermitted,
  recordOf,
  refuse,
  requireReauthentication,
  rowsOf,
} from '@cadastre/rest';
import { appendChanges } from '@cadastre/events';
import { type Executor, executor } from '@cadastre/service/executor';
import type { SecurityRecord } from '../security/record.ts';
import { endSessionsOf, SESSION, sessionEnded, sessionsOf, type Which } from '../credentials/sessions.ts';
import type { PoolClient } from 'pg';

const LIST = { Allow: 'GET, DELETE, HEAD, OPTIONS' };
const ONE = { Allow: 'DELETE, OPTIONS' };

const TIME: Schema = { type: 'string', format: 'date-time' };
const shown = recordOf({
  id: { type: 'integer' },
  created: TIME,
  last_seen: TIME,
  expires: TIME,
  address: { type: 'string' },
  browser: { type: 'string', description: 'As it calls itself.' },
  current: { type: 'boolean', description: 'Whether this is the session that asks.' },
});

/**
 * The requester and the session of the request. Tokens are refused: a token is for one purpose and may be in many
 * hands, so it must not disclose where its user works, or log the user out.
 */
export function inSession(
  request: ApiRequest,
  otherwise = 'Sessions are seen and ended by those who have logged in, not by tokens.',
): { userId: number; session: number } {
  const { userId, sessionId } = request.who;
  if (userId === null) throw notPermitted(request.who);
  if (sessionId === undefined) throw refuse(403, otherwise);
  return { userId, session: sessionId };
}

/**
 * /api/users/sessions/: the requester's own sessions only. DELETE ends all others and requires a recent
 * reauthentication, so that somebody who finds an unlocked browser cannot log its user out everywhere else. That takes
 * a password or a second factor, so it does not keep the user of a stolen session from ending it.
 */
export const sessions = (engine: Engine, security: SecurityRecord, idleSeconds: number): ActionHandler => ({
  methods: ['GET', 'DELETE', 'HEAD', 'OPTIONS'],
  operations: {
    GET: {
      summary: 'Get your sessions of the web pages',
      answer: recordOf({ count: { type: 'integer' }, results: { type: 'array', items: shown } }),
    },
    DELETE: { summary: 'End all your sessions but this one', bulk: true },
  },
  async handle(request) {
    if (request.method === 'OPTIONS') return { status: 200, headers: LIST, body: '{}' };
    const { userId, session } = inSession(request);
    if (request.method === 'DELETE') {
      requireReauthentication(request.who);
      await end(engine, security, request, { except: session });
      return { status: 204, headers: LIST, body: '' };
    }
    const all = await sessionsOf(executor(engine.pool), userId, idleSeconds);
    const results = all.map(({ id, created, lastSeen, until, address, browser }) => ({
      id,
      created,
      last_seen: lastSeen,
      expires: until,
      address,
      browser,
      current: id === session,
    }));
    return { status: 200, headers: LIST, body: JSON.stringify({ count: results.length, results }) };
  },
});

/** /api/users/sessions/<id>/: ends one of them, under the same rule. */
export const oneSession = (engine: Engine, security: SecurityRecord): ActionHandler => ({
  methods: ['DELETE', 'OPTIONS'],
  operations: { DELETE: { summary: 'End one of your sessions' } },
  async handle(request, id) {
    if (request.method === 'OPTIONS') return { status: 200, headers: ONE, body: '{}' };
    const { session } = inSession(request);
    // Ending the session of this request is a logout, which takes no reauthentication.
    if (id !== String(session)) requireReauthentication(request.who);
    if (!/^\d{1,15}$/.test(id ?? '') || !(await end(engine, security, request, { id: Number(id) })))
      throw notFound('Session');
    return { status: 204, headers: ONE, body: '' };
  },
});

/**
 * Ends sessions and tells all gateways, which may have cached them; the gateway of this request forgets them before it
 * answers.
 */
const end = (
  engine: Engine,
  security: SecurityRecord,
  { who, clientIp, id }: ApiRequest,
  which: Which,
): Promise<number> =>
  engine.transact(async (client) => {
    const userId = who.userId!;
    const count = await endSessionsOf(client as unknown as Executor, userId, which);
    if (count) {
      await tellGateways(client, userId);
      const user = { id: userId, name: who.username };
      const detail = 'id' in which ? 'one of their sessions' : `all their other sessions: ${count}`;
      await security.write(client, [
        { kind: 'session_ended', ok: true, user, address: clientIp, method: 'session', detail, requestId: id },
      ]);
    }
    return count;
  });

/** Has all gateways forget what they remember of users' sessions. */
export async function tellGateways(client: PoolClient, ...userIds: number[]): Promise<void> {
  const events = userIds.map(sessionEnded);
  await appendChanges(client, events, { notify: false });
  const [row] = await rowsOf(client, {
    text: 'select min(id), max(id) from change where event_id = any($1::uuid[])',
    values: [events.map(({ id }) => id)],
  });
  const [first, last] = row!.map(Number) as [number, number];
  noteOutboxSpan(client, { first, last, types: new Set([typeId(SESSION)]), gone: false });
}

import { appendChanges, newEventId } from '@cadastre/events';
import {
  type ActionHandler,
  type Cause,
  contextOf,
  type Engine,
  notFound,
  notPermitted,
  recordOf,
  requireReauthentication,
} from '@cadastre/rest';
import type { PoolClient } from 'pg';
import { executor } from '@cadastre/service/executor';
import { noticeEvent } from '../../webhooks/models/notice.ts';
import type { RecordFactorChange } from '../factors/factorChanges.ts';
import { removeAll } from '../factors/store.ts';
import { tellGateways } from './sessions.ts';

const ALLOW = { Allow: 'POST, OPTIONS' };

/**
 * POST /api/users/users/<id>/reset-factors/: removes all second factors of a user who has lost them. Only superusers
 * may do this, as the password alone is enough for the account afterwards; the user is notified.
 */
export const resetFactors = (engine: Engine, note: RecordFactorChange): ActionHandler => ({
  methods: ['POST', 'OPTIONS'],
  operations: {
    POST: {
      summary: 'Take all second factors of a user away; for superusers',
      answer: recordOf({ removed: { type: 'integer', description: 'How many there were.' } }),
    },
  },
  async handle(request, id) {
    if (request.method === 'OPTIONS') return { status: 200, headers: ALLOW, body: '{}' };
    if (!request.who.grants.superuser) throw notPermitted(request.who);
    requireReauthentication(request.who);
    if (!/^\d{1,15}$/.test(id ?? '')) throw notFound('User');
    const userId = Number(id);
    const { removed, name } = await engine.transact((client) =>
      takeFactors(client, userId, { name: request.who.username, cause: contextOf(request).cause }),
    );
    if (removed) note({ what: 'reset', user: { id: userId, name }, by: request, detail: String(removed) });
    return { status: 200, headers: ALLOW, body: JSON.stringify({ removed }) };
  },
});

/**
 * Removes all second factors of a user, and notifies the user of who did it. Returns how many there were.
 * @throws Refusal 404
 */
export async function takeFactors(
  client: PoolClient,
  userId: number,
  by: { name: string; cause: Cause },
): Promise<{ removed: number; name: string }> {
  const db = executor(client);
  const { rows } = await db.query<{ username: string }>({
    text: 'select username from users_user where id = $1 for no key update',
    values: [userId],
  });
  if (!rows[0]) throw notFound('User');
  const name = rows[0].username;
  const removed = await removeAll(db, userId);
  if (removed) {
    const told = {
      user: userId,
      objectType: 'users.user',
      objectId: userId,
      display: `${name}: second factors removed by ${by.name}`,
      eventType: 'object_updated',
    };
    const time = new Date().toISOString().replace('Z', '000Z');
    await appendChanges(client, [noticeEvent(newEventId(), { time, request: by.cause }, told)], { notify: false });
    await tellGateways(client, userId);
  }
  return { removed, name };
}

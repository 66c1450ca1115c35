import {
  type ActionHandler,
  type ApiRequest,
  contextOf,
  detail,
  type Engine,
  notFound,
  parseQuery,
  Refusal,
  recordOf,
  refuse,
  rowsOf,
  updateOne,
} from '@cadastre/rest';
import { messageOf, remove } from '@cadastre/rest/write/remove/remove';
import { token } from '../models/token.ts';
import { isUnusable, type Passwords, user } from '../models/user.ts';

const POST = { Allow: 'POST, OPTIONS' };
const PASSWORD = { Allow: 'GET, DELETE, HEAD, OPTIONS' };

/** The user whose id the address holds, if the requester may do this action with that user. @throws Refusal 403, 404 */
async function userFor(
  engine: Engine,
  { who, base }: ApiRequest,
  id: string | null,
  action: 'view' | 'change',
): Promise<number> {
  if (!id || !/^\d{1,15}$/.test(id)) throw notFound(user.className);
  await detail(engine, user, id, parseQuery('fields=id', engine.settings), who, base, action);
  return Number(id);
}

/**
 * POST …/users/<id>/revoke-tokens/: deletes all tokens of a user if the requester may delete each of them, otherwise
 * none. Tokens are not just disabled, as somebody who has taken over the account could enable them again.
 */
export const tokenRevocation = (engine: Engine): ActionHandler => ({
  methods: ['POST', 'OPTIONS'],
  operations: {
    POST: {
      summary: 'Delete all tokens of a user',
      answer: recordOf({ count: { type: 'integer', description: 'How many there were.' } }),
      request: { type: 'object', properties: { changelog_message: { type: 'string' } } },
      refuses: [409],
    },
  },
  async handle(request, id) {
    if (request.method === 'OPTIONS') return { status: 200, headers: POST, body: '{}' };
    // Everybody may see themselves, whatever the permissions on users are.
    const own = request.who.userId !== null && String(request.who.userId) === id;
    const userId = own ? Number(id) : await userFor(engine, request, id, 'view');
    const message = messageOf(await request.body?.json());
    const rows = await rowsOf(engine.pool, {
      text: 'select id from users_token where user_id = $1 order by id',
      values: [userId],
    });
    const ids = rows.map(([one]) => Number(one));
    const messages = new Map(ids.map((one) => [one, message]));
    try {
      await remove(engine, token, { ids, messages, single: false }, contextOf(request));
    } catch (error) {
      // Which token it is, or that there is one, is not disclosed to every requester.
      if (error instanceof Refusal && error.status === 400)
        throw refuse(403, 'You may not delete all tokens of this user. None was deleted.');
      throw error;
    }
    return { status: 200, headers: POST, body: JSON.stringify({ count: ids.length }) };
  },
});

/**
 * …/users/<id>/password/: GET says whether the user has a password. DELETE removes it, which makes the account a
 * machine account: nobody can log in or get a token by a password. Its tokens stay valid. Setting a password for the
 * user undoes this.
 */
export const accountPassword = (engine: Engine, passwords: Passwords): ActionHandler => ({
  methods: ['GET', 'DELETE', 'HEAD', 'OPTIONS'],
  operations: {
    GET: {
      summary: 'Tell whether a user has a password',
      answer: recordOf({ usable: { type: 'boolean', description: 'Without one nobody can log in by a password.' } }),
    },
    DELETE: { summary: 'Take the password of a user away; tokens go on' },
  },
  async handle(request, id) {
    if (request.method === 'OPTIONS') return { status: 200, headers: PASSWORD, body: '{}' };
    const userId = await userFor(engine, request, id, 'change');
    if (request.method !== 'DELETE') {
      const [row] = await rowsOf(engine.pool, {
        text: 'select password from users_user where id = $1',
        values: [userId],
      });
      return { status: 200, headers: PASSWORD, body: JSON.stringify({ usable: !isUnusable(row?.[0] ?? '') }) };
    }
    if (userId === request.who.userId) throw refuse(403, 'Nobody can take the own password away.');
    const changelog_message = messageOf(await request.body?.json()) || 'The password was taken away.';
    await updateOne(
      engine,
      user,
      userId,
      { password: passwords.none, changelog_message },
      'patch',
      undefined,
      contextOf(request),
    );
    return { status: 204, headers: PASSWORD, body: '' };
  },
});

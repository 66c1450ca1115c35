import { isDict } from '@cadastre/model';
import {
  type ActionHandler,
  type ApiRequest,
  contextOf,
  type Engine,
  invalid,
  notPermitted,
  parseBody,
  Refusal,
  refuse,
  updateOne,
  type WriteContext,
} from '@cadastre/rest';
import { BUSY_SECONDS, logIn, type LoginOptions } from '../login.ts';
import { user } from '../models/user.ts';

const ALLOW = { Allow: 'POST, OPTIONS' };
const text = { type: 'string', format: 'password' } as const;

/**
 * POST /api/users/password/: another password for whoever asks, who has to know the present one. Somebody who finds a
 * browser open, or a token, cannot make the account his own by it. Guesses count like those at the login.
 */
export const ownPassword = (engine: Engine, options: Omit<LoginOptions, 'tells'>): ActionHandler => ({
  methods: ['POST', 'OPTIONS'],
  operations: {
    POST: {
      summary: 'Change your password; all your sessions end',
      request: {
        type: 'object',
        required: ['current_password', 'password'],
        properties: { current_password: text, password: text },
      },
      refuses: [429, 503],
    },
  },
  async handle(request) {
    if (request.method === 'OPTIONS') return { status: 200, headers: ALLOW, body: '{}' };
    const { userId, username } = request.who;
    if (userId === null) throw notPermitted(request.who);
    const given = parseBody(request.body, request.headers['content-type']) ?? {};
    if (!isDict(given)) throw invalid({ non_field_errors: ['Invalid data. Expected a dictionary.'] });
    const { current_password: current, password } = given;
    const missing = Object.entries({ current_password: current, password }).filter(([, value]) => !isText(value));
    if (missing.length) throw invalid(Object.fromEntries(missing.map(([name]) => [name, ['This field is required.']])));
    await requireCurrent(username, current as string, request, options);
    try {
      await updateOne(
        engine,
        user,
        userId,
        { password: password as string },
        'patch',
        undefined,
        asOwn(request, userId),
      );
    } catch (error) {
      throw error instanceof Refusal ? ofPassword(error) : error;
    }
    return { status: 204, headers: ALLOW, body: '' };
  },
});

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

async function requireCurrent(
  username: string,
  password: string,
  { clientIp: address }: ApiRequest,
  options: Omit<LoginOptions, 'tells'>,
): Promise<void> {
  const { account, wait, busy } = await logIn({ username, password, address }, { ...options, tells: false });
  if (wait > 0)
    throw refuse(429, `Too many attempts have failed. Please try again in ${wait} seconds.`, {
      'Retry-After': String(wait),
    });
  if (busy)
    throw refuse(503, 'Too many passwords are being set or checked at present. Please try again.', {
      'Retry-After': String(BUSY_SECONDS),
    });
  if (!account) throw invalid({ current_password: ['This is not your present password.'] });
}

/** What is wrong with a new password is about no field where a user is written as a whole. */
function ofPassword(error: Refusal): Refusal {
  const { non_field_errors: about, ...rest } = error.body as Record<string, unknown>;
  return error.status === 400 && about ? invalid({ ...rest, password: about }) : error;
}

/** Everybody may do this to themselves, whatever the permissions on users are. */
function asOwn(request: ApiRequest, userId: number): WriteContext {
  const context = contextOf(request);
  const { grants } = context.who;
  const self = [{ id: userId }];
  const own = new Map([...grants.byAction, ['view users.user', self], ['change users.user', self]] as const);
  return { ...context, who: { ...context.who, grants: { ...grants, byAction: own } } };
}

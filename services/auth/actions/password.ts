import { dictionaryIn } from '@cadastre/body';
import {
  type ActionHandler,
  type ApiRequest,
  contextOf,
  type Engine,
  invalid,
  notPermitted,
  Refusal,
  recordOf,
  refuse,
  requireReauthentication,
  updateOne,
  type WriteContext,
} from '@cadastre/rest';
import { checkFactor, type FactorOptions, kindOfCode } from '../factors/check.ts';
import { BUSY_SECONDS, logIn, type LoginOptions } from '../login/login.ts';
import { user } from '../models/user.ts';
import type { ToldPolicy } from '../passwords/passwordPolicy.ts';
import { type Account, hasPassword } from '../passwords/users.ts';

/** The options for checking passwords and second factors. */
type OwnPassword = Omit<LoginOptions, 'tells'> & { factors: FactorOptions };

const ALLOW = { Allow: 'GET, POST, HEAD, OPTIONS' };
const text = { type: 'string', format: 'password' } as const;

const policyAnswer = recordOf({
  min_length: { type: 'integer' },
  max_length: { type: 'integer' },
  character_classes: { type: 'boolean', description: 'A numeral, an upper-case and a lower-case letter are needed.' },
  refuses_guessable: { type: 'boolean', description: 'Common passwords and the names of the user are refused.' },
});

/**
 * GET /api/users/password/: what a new password must be like. POST: changes the requester's password. This takes the
 * present one, so that somebody who finds an unlocked browser, or a token, cannot take over the account. Guesses count
 * like those at the login.
 */
export const ownPassword = (engine: Engine, policy: ToldPolicy, options: OwnPassword): ActionHandler => ({
  methods: ['GET', 'POST', 'HEAD', 'OPTIONS'],
  operations: {
    GET: { summary: 'Get what a new password must be like', answer: policyAnswer },
    POST: {
      summary: 'Change your password; all your sessions end',
      request: {
        type: 'object',
        required: ['current_password', 'password'],
        properties: {
          current_password: text,
          password: text,
          code: { type: 'string', description: 'For tokens of a user who has a second factor: a code of it.' },
        },
      },
      refuses: [429, 503],
    },
  },
  async handle(request) {
    if (request.method === 'OPTIONS') return { status: 200, headers: ALLOW, body: '{}' };
    const { userId, username } = request.who;
    if (userId === null) throw notPermitted(request.who);
    if (request.method !== 'POST') return { status: 200, headers: ALLOW, body: JSON.stringify(policy) };
    const given = await dictionaryIn(request.body);
    const { current_password: current, password } = given;
    const missing = Object.entries({ current_password: current, password }).filter(([, value]) => !isText(value));
    if (missing.length) throw invalid(Object.fromEntries(missing.map(([name]) => [name, ['This field is required.']])));
    if (!(await hasPassword(options.db, username)))
      throw invalid({
        non_field_errors: [
          'The password of this account is not kept here: change it where it is kept, in the directory or at the identity provider.',
        ],
      });
    const { factors } = await requireCurrent(username, current as string, request, options);
    if (factors) await requireFactor(given['code'], userId, request, options);
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
  options: OwnPassword,
): Promise<Account> {
  const { account, wait, busy } = await logIn({ username, password, address }, { ...options, tells: false });
  if (wait > 0) throw tooOften(wait);
  if (busy)
    throw refuse(503, 'Too many passwords are being set or checked at present. Please try again.', {
      'Retry-After': String(BUSY_SECONDS),
    });
  if (!account) throw invalid({ current_password: ['This is not your present password.'] });
  return account;
}

/** Requires a recent reauthentication in a session, otherwise a code. @throws Refusal 400, 403, 429 */
async function requireFactor(
  code: unknown,
  userId: number,
  { who, clientIp: address }: ApiRequest,
  { factors }: OwnPassword,
): Promise<void> {
  if (who.sessionId !== undefined) return requireReauthentication(who);
  if (typeof code !== 'string' || code === '')
    throw invalid({ code: ['You have a second factor: give a code of it, or a recovery code.'] });
  const { ok, wait } = await checkFactor(
    { userId, username: who.username, address },
    { kind: kindOfCode(code), text: code },
    factors,
  );
  if (wait > 0) throw tooOften(wait);
  if (!ok) throw invalid({ code: ['This code is not right, or was used before.'] });
}

const tooOften = (wait: number): Refusal =>
  refuse(429, `Too many attempts have failed. Please try again in ${wait} seconds.`, { 'Retry-After': String(wait) });

/** The write pipeline reports a weak password as an error of the whole user; here it is one of the field `password`. */
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
  // The present password was given with this request, so no other reauthentication is required.
  const { provenUntil: _, ...who } = context.who;
  return { ...context, who: { ...who, grants: { ...grants, byAction: own } } };
}

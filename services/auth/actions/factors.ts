import { randomBytes } from 'node:crypto';
import { dictionaryIn } from '@cadastre/body';
import type { Dict, Schema } from '@cadastre/model';
import {
  type ActionHandler,
  type ApiRequest,
  type Engine,
  invalid,
  notFound,
  orNull,
  recordOf,
  refuse,
  requireReauthentication,
} from '@cadastre/rest';
import type { Config } from '@cadastre/service/config';
import { type Executor, executor } from '@cadastre/service/executor';
import { type FactorOptions, placeOf } from '../factors/check.ts';
import * as enrolment from '../factors/enrolment.ts';
import type { RecordFactorChange } from '../factors/factorChanges.ts';
import { created, creationOptions } from '../factors/passkeys.ts';
import { isRequired } from '../factors/required.ts';
import { codesOf, factorsOf, passkeysOf, removeFactor, replaceCodes } from '../factors/store.ts';
import { codeIn, newTotp, stepOf } from '../factors/totp.ts';
import { inSession, tellGateways } from './sessions.ts';

const allow = (...methods: string[]) => ({ Allow: [...methods, 'OPTIONS'].join(', ') });
const TEXT: Schema = { type: 'string' };
const TIME: Schema = { type: 'string', format: 'date-time' };
const CODES: Schema = { type: 'array', items: TEXT };
const KIND: Schema = { type: 'string', enum: ['totp', 'passkey'] };
const shown = recordOf({
  id: { type: 'integer' },
  kind: KIND,
  name: TEXT,
  created: TIME,
  last_used: orNull(TIME),
});
/** The longest name of a factor. */
const LONGEST_NAME = 100;

export interface FactorActions {
  engine: Engine;
  config: Pick<Config, 'secondFactorGroups' | 'factorsPerUser' | 'factorEnrolmentSeconds'>;
  factors: FactorOptions;
  note: RecordFactorChange;
}

/** Users manage their own factors only, and in a session: a token may neither see nor create what protects its user. */
const own = (request: ApiRequest): enrolment.InSession =>
  inSession(request, 'Second factors are managed by those who have logged in, not by tokens.');

/** The same for a requester who has reauthenticated lately. @throws Refusal 403 */
function ownToChange(request: ApiRequest): enrolment.InSession {
  const mine = own(request);
  requireReauthentication(request.who);
  return mine;
}

/** A text of a body. @throws Refusal 400 */
function textIn(given: Dict, name: string, most: number): string {
  const value = given[name];
  const problem =
    value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
      ? 'This field is required.'
      : typeof value !== 'string'
        ? 'Not a valid string.'
        : value.includes('\0')
          ? 'Null characters are not allowed.'
          : value.length > most
            ? `Ensure this field has no more than ${most} characters.`
            : undefined;
  if (problem) throw invalid({ [name]: [problem] });
  return (value as string).trim();
}

const options = (methods: string[]) => ({ status: 200, headers: allow(...methods), body: '{}' });
const answered = (status: number, methods: string[], body: unknown) => ({
  status,
  headers: allow(...methods),
  body: body === undefined ? '' : JSON.stringify(body),
});

/** /api/users/factors/ and what is below it: the second factors of the requester alone. */
export function factorActions(parts: FactorActions): Record<string, ActionHandler> {
  return {
    'users/factors': listed(parts),
    'users/factors/*': one(parts),
    'users/factors/totp': begun(parts, 'totp'),
    'users/factors/passkeys': begun(parts, 'passkey'),
    'users/factors/confirm': confirmed(parts),
    'users/factors/recovery-codes': codes(parts),
  };
}

const listed = ({ engine, config }: FactorActions): ActionHandler => ({
  methods: ['GET', 'HEAD', 'OPTIONS'],
  operations: {
    GET: {
      summary: 'Get your second factors',
      answer: recordOf({
        required: { type: 'boolean', description: 'Whether you must have one.' },
        factors: { type: 'array', items: shown },
        recovery_codes: recordOf({ left: { type: 'integer' }, of: { type: 'integer' } }),
      }),
    },
  },
  async handle(request) {
    const methods = ['GET', 'HEAD'];
    if (request.method === 'OPTIONS') return options(methods);
    const { userId } = own(request);
    const db = executor(engine.pool);
    const [required, factors, recovery_codes] = await Promise.all([
      isRequired(db, userId, config.secondFactorGroups),
      factorsOf(db, userId),
      codesOf(db, userId),
    ]);
    const results = factors.map(({ lastUsed, ...factor }) => ({ ...factor, last_used: lastUsed }));
    return answered(200, methods, { required, factors: results, recovery_codes });
  },
});

const one = ({ engine, note }: FactorActions): ActionHandler => ({
  methods: ['DELETE', 'OPTIONS'],
  operations: { DELETE: { summary: 'Remove one of your second factors' } },
  async handle(request, id) {
    const methods = ['DELETE'];
    if (request.method === 'OPTIONS') return options(methods);
    const { userId } = ownToChange(request);
    const kind = !/^\d{1,15}$/.test(id ?? '')
      ? undefined
      : await engine.transact(async (client) => {
          const gone = await removeFactor(executor(client), userId, Number(id));
          if (gone) await tellGateways(client, userId);
          return gone;
        });
    if (!kind) throw notFound('Factor');
    note({ what: 'removed', user: { id: userId, name: request.who.username }, by: request, detail: kind });
    return answered(204, methods, undefined);
  },
});

const BEGUN = {
  totp: {
    summary: 'Begin to set up an app that shows codes; its secret is shown this once',
    answer: recordOf({ key: TEXT, secret: TEXT, uri: TEXT, qr: { type: 'string', description: 'A picture, in SVG.' } }),
  },
  passkey: {
    summary: 'Begin to set up a passkey',
    answer: recordOf({
      key: TEXT,
      options: { type: 'object', description: 'PublicKeyCredentialCreationOptionsJSON, for the browser.' },
    }),
  },
} as const;

const begun = ({ engine, config, factors: { seal } }: FactorActions, kind: 'totp' | 'passkey'): ActionHandler => ({
  methods: ['POST', 'OPTIONS'],
  operations: {
    POST: {
      ...BEGUN[kind],
      status: 201,
      request: { type: 'object', required: ['name'], properties: { name: { ...TEXT, maxLength: LONGEST_NAME } } },
    },
  },
  async handle(request) {
    const methods = ['POST'];
    if (request.method === 'OPTIONS') return options(methods);
    const mine = ownToChange(request);
    const { username } = request.who;
    const name = textIn(await dictionaryIn(request.body), 'name', LONGEST_NAME);
    const db = executor(engine.pool);
    await requireRoom(db, mine.userId, config.factorsPerUser);
    const begin = (secret: string) => enrolment.begin(db, mine, { kind, name, secret }, config.factorEnrolmentSeconds);
    if (kind === 'passkey') {
      const challenge = randomBytes(32).toString('base64url');
      const there = await passkeysOf(db, mine.userId);
      const made = await creationOptions(
        { userId: mine.userId, username, name: username },
        { challenge, base: request.base },
        there,
      );
      return answered(201, methods, { key: await begin(challenge), options: JSON.parse(made) });
    }
    if (!seal) throw refuse(503, 'There is no key for the secrets of apps here: FACTOR_KEYS is not set.');
    const { secret, uri, qr } = await newTotp(username);
    return answered(201, methods, { key: await begin(seal.close(secret, placeOf(mine.userId))), secret, uri, qr });
  },
});

async function requireRoom(db: Executor, userId: number, most: number): Promise<void> {
  if ((await factorsOf(db, userId)).length >= most)
    throw invalid({ non_field_errors: [`A user may have ${most} second factors at most. Remove one first.`] });
}

/** Longer than any answer of a browser. */
const LONGEST_RESPONSE = 60_000;

/** The content of a new factor, if the user's proof for it is right. @throws Refusal 400 */
async function contentOf(
  { kind, secret }: enrolment.Enrolment,
  given: Dict,
  { userId, base }: { userId: number; base: string },
  { seal, limits }: FactorOptions,
): Promise<enrolment.Content> {
  if (kind === 'passkey') {
    const passkey = await created(textIn(given, 'response', LONGEST_RESPONSE), { challenge: secret, base });
    if (!passkey) throw invalid({ response: ['This is not what was asked of the passkey. Please try again.'] });
    return { kind, passkey };
  }
  const code = codeIn(textIn(given, 'code', 20));
  if (code === undefined) throw invalid({ code: ['A code has six digits.'] });
  const step = seal ? await stepOf(seal.open(secret, placeOf(userId)), code, limits.totpWindow) : null;
  if (step === null)
    throw invalid({ code: ['This is not the code of the present time. Is the clock of the device right?'] });
  return { kind, secret, step };
}

const confirmed = ({ engine, config, factors, note }: FactorActions): ActionHandler => ({
  methods: ['POST', 'OPTIONS'],
  operations: {
    POST: {
      summary: 'Confirm a second factor: with the code that the app shows, or what the browser has answered',
      status: 201,
      request: {
        type: 'object',
        required: ['key'],
        properties: { key: TEXT, code: TEXT, response: { type: 'string', description: 'JSON of a passkey.' } },
      },
      answer: recordOf({
        id: { type: 'integer' },
        kind: KIND,
        name: TEXT,
        recovery_codes: orNull({ ...CODES, description: 'With the first factor; shown this once.' }),
      }),
    },
  },
  async handle(request) {
    const methods = ['POST'];
    if (request.method === 'OPTIONS') return options(methods);
    const mine = ownToChange(request);
    const { userId } = mine;
    const given = await dictionaryIn(request.body);
    const key = textIn(given, 'key', 100);
    const found = await enrolment.begun(executor(engine.pool), mine, key);
    if (!found) throw invalid({ key: ['This was begun too long ago, or in another session. Please begin again.'] });
    const content = await contentOf(found, given, { userId, base: request.base }, factors);
    const made = await engine.transact(async (client) => {
      const db = executor(client);
      // Concurrent confirmations wait for each other, so that together they do not exceed the limit.
      await db.query({ text: 'select from users_user where id = $1 for no key update', values: [userId] });
      if (!(await enrolment.end(db, key))) throw invalid({ key: ['This has been confirmed already.'] });
      await requireRoom(db, userId, config.factorsPerUser);
      const id = await enrolment.keep(db, userId, found.name, content);
      if (id === null) throw invalid({ response: ['This passkey is in use already.'] });
      const recovery = (await codesOf(db, userId)).of ? null : await replaceCodes(db, userId);
      await tellGateways(client, userId);
      return { id, kind: found.kind, name: found.name, recovery_codes: recovery };
    });
    note({ what: 'added', user: { id: userId, name: request.who.username }, by: request, detail: found.kind });
    return answered(201, methods, made);
  },
});

const codes = ({ engine, note }: FactorActions): ActionHandler => ({
  methods: ['POST', 'OPTIONS'],
  operations: {
    POST: {
      summary: 'Get new recovery codes; the old ones work no more',
      status: 201,
      answer: recordOf({ recovery_codes: CODES }),
    },
  },
  async handle(request) {
    const methods = ['POST'];
    if (request.method === 'OPTIONS') return options(methods);
    const { userId } = ownToChange(request);
    const recovery_codes = await engine.transact(async (client) => {
      const db = executor(client);
      await db.query({ text: 'select from users_user where id = $1 for no key update', values: [userId] });
      if (!(await factorsOf(db, userId)).length)
        throw invalid({ non_field_errors: ['Recovery codes are in place of a second factor. Set one up first.'] });
      return replaceCodes(db, userId);
    });
    note({ what: 'new recovery codes', user: { id: userId, name: request.who.username }, by: request });
    return answered(201, methods, { recovery_codes });
  },
});

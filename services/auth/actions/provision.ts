import type { Dict, Errors } from '@cadastre/model';
import { forbidden, HttpError } from '@cadastre/service/errors';
import { checkFactor, type FactorOptions, kindOfCode } from '../factors/check.ts';
import { isRequired } from '../factors/required.ts';
import { BUSY_SECONDS, type LoginOptions, logIn, methodOf, UNAVAILABLE } from '../login/login.ts';
import type { Failures } from '../passwords/attempts.ts';
import type { Account } from '../passwords/users.ts';

/** What a client may say about the token that it is to get. */
export const GIVEN = ['version', 'expires', 'enabled', 'write_enabled', 'description', 'allowed_ips', 'token'] as const;
/** The fields of the new token that the client is shown. */
export const SHOWN = [
  'id',
  'url',
  'display_url',
  'display',
  'version',
  'user',
  'key',
  'created',
  'expires',
  'last_used',
  'enabled',
  'write_enabled',
  'description',
  'allowed_ips',
  'token',
] as const;

export interface ProvisionOptions extends LoginOptions {
  factors: FactorOptions;
  /** The groups of those who must have a second factor. */
  factorGroups: readonly string[];
  /** Of the client. */
  address: string;
  /** What is wrong with the token's fields, by field; the same for every requester. */
  check(given: Dict): Promise<Errors>;
  /** Makes the token for its owner, who must have the right to, and shows it. */
  create(given: Dict, account: Account, method: string): Promise<Dict>;
}

/**
 * POST /api/users/tokens/provision/: a new token for a username and a password.
 * @param body the request's JSON
 * @returns the body of the 201, and what had failed in the user's name before
 * @throws HttpError 400 for a wrong body, 403 for a wrong password, 429 after too many of those, 503 while too many
 * try; and what `create` throws
 */
export async function provision(
  body: unknown,
  { address, check, create, factors, factorGroups, ...options }: ProvisionOptions,
): Promise<{ made: Dict; failures: Failures | null }> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new HttpError(400, { non_field_errors: [`Invalid data. Expected a dictionary, but got ${kind(body)}.`] });
  }
  const all = body as Dict;
  const given = Object.fromEntries(GIVEN.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])));
  const { username, password, errors } = credentials(all);
  const wrong = { ...(await check(given)), ...errors };
  if (Object.keys(wrong).length > 0) throw new HttpError(400, wrong);
  const { account, wait, busy, unavailable, directory, failures } = await logIn(
    { username, password, address },
    options,
  );
  if (busy)
    throw new HttpError(
      503,
      { detail: 'Too many log in at present. Please try again.' },
      { 'Retry-After': String(BUSY_SECONDS) },
    );
  if (unavailable) throw new HttpError(503, { detail: UNAVAILABLE });
  if (wait > 0) throw tooOften(wait);
  if (!account) throw forbidden('Invalid username/password');
  const before = account.factors ? await secondFactor(account, all['code'], address, factors) : failures;
  if (!account.factors && (await isRequired(options.db, account.id, factorGroups)))
    throw forbidden('This account needs a second factor. Log in to the pages and set one up first.');
  const made = await create(given, account, methodOf(directory));
  return { made: Object.fromEntries(SHOWN.map((name) => [name, made[name] ?? null])), failures: before };
}

const tooOften = (wait: number): HttpError =>
  new HttpError(
    429,
    { detail: `Too many attempts have failed. Please try again in ${wait} seconds.` },
    { 'Retry-After': String(wait) },
  );

/**
 * The password was right; the user has second factors, so a code is required as well. @throws HttpError 400, 403, 429
 */
async function secondFactor(
  { id: userId, username }: Account,
  code: unknown,
  address: string,
  factors: FactorOptions,
): Promise<Failures | null> {
  if (code === undefined || code === null || code === '')
    throw forbidden('This user has a second factor: give a code of it, or a recovery code, as `code`.');
  const text = typeof code === 'number' ? String(code).padStart(6, '0') : code;
  if (typeof text !== 'string') throw new HttpError(400, { code: ['Not a valid string.'] });
  const { ok, wait, failures } = await checkFactor(
    { userId, username, address },
    { kind: kindOfCode(text), text },
    factors,
    true,
  );
  if (wait > 0) throw tooOften(wait);
  if (!ok) throw forbidden('This code is not right, or was used before.');
  return failures;
}

function credentials(given: Dict): { username: string; password: string; errors: Record<string, string[]> } {
  const errors: Record<string, string[]> = {};
  const read = (name: string): string => {
    const value = given[name];
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text === 'string' && text.trim() !== '' && !text.includes('\0')) return text;
    if (text === undefined) errors[name] = ['This field is required.'];
    else if (text === null) errors[name] = ['This field may not be null.'];
    else if (typeof text !== 'string') errors[name] = ['Not a valid string.'];
    else errors[name] = [text.includes('\0') ? 'Null characters are not allowed.' : 'This field may not be blank.'];
    return '';
  };
  return { username: read('username').trim(), password: read('password'), errors };
}

/** As the API names the types of JSON values. */
function kind(value: unknown): string {
  if (value === null) return 'NoneType';
  if (Array.isArray(value)) return 'list';
  const names: Record<string, string> = {
    string: 'str',
    boolean: 'bool',
    number: Number.isInteger(value) ? 'int' : 'float',
  };
  return names[typeof value] ?? 'dict';
}

import { forbidden, HttpError } from '@cadastre/service/errors';
import type { Executor } from '@cadastre/service/executor';
import { token as tokenModel } from '../models/token.ts';
import { user as userModel } from '../models/user.ts';
import { type DefaultPermissions, type Permission, permissionsOf } from '../permissions.ts';
import { defaultVersion, type NewToken, newToken, type Peppers } from '../token.ts';
import { type LoginLimits, logIn } from '../login.ts';
import type { Account } from '../users.ts';

export interface ProvisionOptions {
  db: Executor;
  peppers: Peppers;
  defaults: DefaultPermissions;
  limits: LoginLimits;
  /** Of the client. */
  address: string;
  /** The address that the client used. */
  base: string;
  /** Stores the token; `created` as ISO 8601 with microseconds. */
  create(token: NewToken['stored'], account: Account): Promise<{ id: number; created: string }>;
}

/**
 * POST /api/users/tokens/provision/: a new token for a username and a password.
 * @param body the request's JSON
 * @returns the body of the 201
 * @throws HttpError 400 for a wrong body, 403 for a wrong password or a user who may not create tokens, 429 after too many wrong passwords
 */
export async function provision(body: unknown, { db, peppers, defaults, limits, address, base, create }: ProvisionOptions): Promise<Record<string, unknown>> {
  const { username, password } = login(body);
  const { account, wait } = await logIn(db, { username, password, address }, limits, defaults);
  if (wait > 0) throw new HttpError(429, { detail: `Too many attempts have failed. Please try again in ${wait} seconds.` }, { 'Retry-After': String(wait) });
  if (!account) throw forbidden('Invalid username/password');
  const { plaintext, stored } = newToken(defaultVersion(peppers), peppers);
  const { permissions } = await permissionsOf(db, account.id, defaults);
  if (!account.superuser && !mayCreate(permissions, account, stored.version)) throw forbidden();
  const { id, created } = await create(stored, account);
  return {
    id, url: `${base}/api/users/tokens/${id}/`, display_url: `${base}/users/tokens/${id}/`, display: tokenModel.display.text([stored.key, stored.plaintext]), version: stored.version,
    user: { id: account.id, url: `${base}/api/users/users/${account.id}/`, display: userModel.display.text([account.username, account.firstName, account.lastName]), username: account.username },
    key: stored.key, created, expires: null, last_used: null, enabled: true, write_enabled: true, description: '', allowed_ips: [], token: plaintext,
  };
}

function login(body: unknown): { username: string; password: string } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new HttpError(400, { non_field_errors: [`Invalid data. Expected a dictionary, but got ${kind(body)}.`] });
  }
  const given = body as Record<string, unknown>;
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
  const username = read('username').trim(), password = read('password');
  if (Object.keys(errors).length > 0) throw new HttpError(400, errors);
  return { username, password };
}

/** As the API names the types of JSON values. */
function kind(value: unknown): string {
  if (value === null) return 'NoneType';
  if (Array.isArray(value)) return 'list';
  const names: Record<string, string> = { string: 'str', boolean: 'bool', number: Number.isInteger(value) ? 'int' : 'float' };
  return names[typeof value] ?? 'dict';
}

/**
 * Whether one of the permissions covers the token that is about to be made. Constraints compare with what it will be; one
 * on anything else is taken as not met, as there is no row yet to ask.
 */
function mayCreate(permissions: readonly Permission[], account: Account, version: 1 | 2): boolean {
  const token: Record<string, unknown> = {
    user: account.id, user_id: account.id, user__id: account.id, user__username: account.username, version, enabled: true, write_enabled: true, description: '', expires: null,
  };
  const meets = (constraint: Record<string, unknown>) =>
    Object.entries(constraint).every(([name, value]) => name in token && token[name] === (value === '$user' ? account.id : value));
  return permissions.some(({ objectTypes, actions, constraints }) =>
    objectTypes.includes('users.token') && actions.includes('add') && (constraints === null || constraints.some(meets)));
}

const insert = {
  name: 'auth-insert-token',
  text: `insert into users_token (version, key, plaintext, hmac_digest, pepper_id, user_id, description, created, enabled, write_enabled, allowed_ips)
    values ($1, $2, $3, $4, $5, $6, '', now(), true, true, '{}')
    returning id, to_char(created at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as created`,
};

/** Stores a token in a connection or a transaction of the caller's. */
export const insertToken = (db: Executor): ProvisionOptions['create'] => async ({ version, key, plaintext, hmac_digest, pepper_id }, { id: userId }) => {
  const { rows: [row] } = await db.query<{ id: string; created: string }>({ ...insert, values: [version, key, plaintext, hmac_digest, pepper_id, userId] });
  return { id: Number(row!.id), created: row!.created };
};

import {
  boolean, type Cell, choice, choices, datetime, description, Forbidden, integer, type Json, model, onceShown, ref, resets, type Rule, text,
} from '@cadastre/model';
import { allowedAddresses } from './allowedAddresses.ts';

export const tokenVersions = choices([[1, 'v1'], [2, 'v2']]);

/** What the service that owns tokens provides under the name `tokens`. */
export interface Tokens {
  /**
   * Makes a token, from the plaintext if that is given: what its owner gets, and what is stored.
   * @throws Error when this server cannot make tokens of the version
   */
  make(version: 1 | 2, plaintext?: string): { plaintext: string; stored: Record<string, Json> };
}

export const expiresInFuture: Rule = ({ expires }, { before }) => {
  if (before || typeof expires !== 'string' || Date.parse(isoTime(expires)) > Date.now()) return undefined;
  const now = new Date().toISOString().slice(0, 19).replace('T', ' ');
  return { expires: [`Expiration time must be in the future. Current server time is ${now} (UTC).`] };
};

/** JavaScript wants minutes in an offset: `+00` → `+00:00`. */
const isoTime = (time: string): string => time.replace(' ', 'T').replace(/([+-]\d{2})$/, '$1:00');

export const keepsVersion: Rule = ({ version }, { before }) =>
  (before && before['version'] !== version ? { version: ['The version of a token cannot be changed.'] } : undefined);

/** A token stays its user's: another one in an update is passed over. */
export const keepsUser: Rule = (object, { before }) => {
  if (before) object['user'] = before['user']!;
  return undefined;
};

/** Everybody makes tokens for themselves; for others only who may grant them. */
export const othersNeedGrant: Rule = ({ user }, { before, requester }) => {
  if (!before && user !== requester.userId && !requester.may('grant', 'users.token')) throw new Forbidden('This user does not have permission to create tokens for other users.');
  return undefined;
};

/** A new token gets its key and its secret, which only its owner sees, and only now. */
export const isMade: Rule = (object, { before, service }) => {
  if (before) return undefined;
  try {
    const given = typeof object['token'] === 'string' && object['token'] !== '' ? object['token'] : undefined;
    const { plaintext, stored } = service<Tokens>('tokens').make(object['version'] === 1 ? 1 : 2, given);
    Object.assign(object, stored, { token: plaintext });
    return undefined;
  } catch (error) {
    return { version: [error instanceof Error ? error.message : String(error)] };
  }
};

/** The key; of a v1 token, which has none, the end of the token itself. */
function masked([key, plaintext]: Cell[]): string {
  return key ?? (plaintext ?? '').slice(-6).padStart(Math.max(plaintext?.length ?? 0, 40), '*');
}

/** What a program shows to act for a user. */
export const token = model('users.token', {
  path: 'tokens', exempt: 'never', label: 'token', ordering: ['-created'], brief: ['version', 'key', 'enabled', 'write_enabled', 'description'],
  display: { columns: ['key', 'plaintext'], text: masked }, search: ['=key', 'user.username', 'description'],
  fields: {
    version: choice(tokenVersions, { default: 2, numeric: true, plain: true, one: true }),
    key: text({ max: 12, readOnly: true, nullable: true, unique: true }),
    user: ref('users.user', { onDelete: 'cascade' }),
    ...description(),
    created: datetime({ readOnly: true, default: 'now', instant: true }),
    expires: datetime({ optional: true, instant: true }),
    last_used: datetime({ optional: true, instant: true }),
    enabled: boolean({ default: true }),
    write_enabled: boolean({ default: true }),
    pepper_id: integer({ optional: true, min: 0, max: 32_767, size: 'smallint' }),
    allowed_ips: resets(allowedAddresses()),
    token: onceShown({ max: 40, min: 40 }),
    plaintext: text({ max: 40, hidden: true, secret: true, nullable: true, optional: true, unique: true }),
    hmac_digest: text({ max: 64, hidden: true, secret: true, nullable: true, optional: true }),
  },
  rules: [keepsVersion, keepsUser, othersNeedGrant, expiresInFuture, isMade],
});

import {
  boolean,
  type Cell,
  type Check,
  choice,
  choices,
  datetime,
  description,
  type Errors,
  Forbidden,
  imported,
  integer,
  type Json,
  model,
  type Need,
  onceShown,
  passedOver,
  type Rule,
  ref,
  resets,
  text,
  type Values,
} from '@cadastre/model';
import { allowedAddresses } from './allowedAddresses.ts';
import { guardsSuperusersTokens } from './rights/delegationRules.ts';
import { recordRightsChanges } from './rights/recordRightsChanges.ts';
import { bitsOf, MIN_TOKEN_BITS } from './tokenStrength.ts';

export const tokenVersions = choices([
  [1, 'v1'],
  [2, 'v2'],
]);

/** What the service that owns tokens provides under the name `tokens`. */
export interface Tokens {
  /**
   * Makes a token, from the plaintext if that is given: what its owner gets, and what is stored.
   * @throws Error when this server cannot make tokens of the version
   */
  make(version: 1 | 2, plaintext?: string): { plaintext: string; stored: Record<string, Json> };
  /** Whether this server has the pepper of a number. */
  hasPepper(id: number): boolean;
  /** The maximum number of tokens of a user. */
  most: number;
  /** The maximum lifetime of a token in days; 0: no limit. */
  maxDays: number;
}

export const expiresInFuture: Rule = ({ expires }, { before }) => {
  if (before || typeof expires !== 'string' || Date.parse(isoTime(expires)) > Date.now()) return undefined;
  const now = new Date().toISOString().slice(0, 19).replace('T', ' ');
  return { expires: [`Expiration time must be in the future. Current server time is ${now} (UTC).`] };
};

const DAY_MS = 86_400_000;
/** Tolerance for a client that computes the latest possible expiry by its own clock. */
const SLACK_MS = 60_000;

/**
 * A token expires within the days that the policy allows, and by default at the end of these. A token from before the
 * policy keeps its expiry until somebody changes it.
 */
export const expiresWithinPolicy: Rule = (object, { before, importing, service }) => {
  const { maxDays } = service<Tokens>('tokens');
  const { expires } = object;
  if (!maxDays || importing || (before && momentOf(before['expires']) === momentOf(expires))) return undefined;
  const last = Date.now() + maxDays * DAY_MS;
  const ends = momentOf(expires);
  if (ends === null) {
    if (before) return { expires: [`A token has to expire within ${maxDays} days.`] };
    object['expires'] = new Date(last).toISOString();
    return undefined;
  }
  return ends > last + SLACK_MS ? { expires: [`A token has to expire within ${maxDays} days.`] } : undefined;
};

/** JavaScript wants minutes in an offset: `+00` → `+00:00`. */
const isoTime = (time: string): string => time.replace(' ', 'T').replace(/([+-]\d{2})$/, '$1:00');

/** A stored time in milliseconds; null for none. */
export const momentOf = (time: Json | undefined): number | null =>
  typeof time === 'string' ? Date.parse(isoTime(time)) : null;

export const keepsVersion: Rule = ({ version }, { before }) =>
  before && before['version'] !== version ? { version: ['The version of a token cannot be changed.'] } : undefined;

/** A token stays with its user: another user in an update is ignored. */
export const keepsUser: Rule = (object, { before, importing }) => {
  if (before && !importing) object['user'] = before['user']!;
  return undefined;
};

/** All users make tokens for themselves; only those who may grant tokens make them for others. */
export const othersTakeGrant: Need = {
  action: 'grant',
  when: ({ user }, before, requester) => before === null && user !== requester.userId,
  refusal: 'This user does not have permission to create tokens for other users.',
};

/** A token that a client chooses must be hard to guess. */
export const isStrong: Rule = ({ token: chosen }, { before }) =>
  !before && typeof chosen === 'string' && chosen !== '' && bitsOf(chosen) < MIN_TOKEN_BITS
    ? { token: ['This token would be too easy to guess. Leave it out, and a random one is made.'] }
    : undefined;

/** Any number: distinguishes the advisory locks of users' tokens from others. */
const LOCK = 4_621_900;

/** A user has at most this many tokens, even if several requests create some at the same time. */
export const fewEnough: Check = async (proposed, { query, service, tableOf }) => {
  const { most } = service<Tokens>('tokens');
  const made = proposed.filter(({ before }) => before === null).map(({ object }) => object['user'] as number);
  const users = [...new Set(made)].sort((a, b) => a - b);
  if (!users.length) return [];
  await query('select pg_advisory_xact_lock($1, (one % 2147483647)::int) from unnest($2::bigint[]) as one', [
    LOCK,
    users,
  ]);
  const rows = await query(
    `select user_id, count(*) from ${tableOf('users.token')} where user_id = any($1::bigint[]) group by 1`,
    [users],
  );
  const counts = new Map(rows.map(([user, count]) => [Number(user), Number(count)]));
  return proposed.map(({ object, before }) => {
    if (before) return undefined;
    const user = object['user'] as number;
    const count = (counts.get(user) ?? 0) + 1;
    counts.set(user, count);
    return count > most
      ? { user: [`A user may have ${most} tokens at most. Delete some that are not used any more.`] }
      : undefined;
  });
};

/** An import brings a digest of a token of version 2, but a token of version 1 itself. */
const isTokenV1 = ({ version, token: given }: Values): boolean =>
  version === 1 && typeof given === 'string' && given !== '';

/** Why an imported token would not be usable at present. @throws Forbidden if it never could be */
function proofOf({ hmac_digest: digest, pepper_id: pepper, checksum }: Values, tokens: Tokens): Errors | undefined {
  if (typeof checksum === 'string') return undefined;
  if (typeof digest !== 'string') throw new Forbidden('Nothing came that this token could be verified by.');
  return typeof pepper === 'number' && tokens.hasPepper(pepper)
    ? undefined
    : { pepper_id: [`There is no pepper ${pepper} here (API_TOKEN_PEPPERS): nobody can use this token.`] };
}

/** A new token gets its key and its secret, which only its owner sees, and only now. */
export const isMade: Rule = (object, { before, service, importing }) => {
  if (importing && !isTokenV1(object)) return proofOf(object, service<Tokens>('tokens'));
  if (before && !importing) return undefined;
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
function masked([key, ending]: Cell[]): string {
  return key ?? (ending ?? '').padStart(40, '*');
}

/** What a program shows to act for a user. */
export const token = model('users.token', {
  path: 'tokens',
  exempt: 'never',
  confirms: true,
  pages: { columns: ['version', 'user', 'enabled', 'write_enabled', 'expires', 'last_used', 'description'] },
  label: 'token',
  forms: { many: false },
  imports: { by: { user: 'id' } },
  ordering: ['-created'],
  features: ['changeLogging'],
  brief: ['version', 'key', 'enabled', 'write_enabled', 'description'],
  display: { columns: ['key', 'ending'], text: masked },
  search: ['=key', 'user.username', 'description'],
  fields: {
    version: choice(tokenVersions, { default: 2, numeric: true, plain: true, one: true }),
    key: imported(text({ max: 12, readOnly: true, nullable: true, unique: true })),
    user: ref('users.user', { onDelete: 'cascade' }),
    ...description(),
    created: imported(datetime({ readOnly: true, default: 'now', instant: true })),
    expires: datetime({ optional: true, instant: true }),
    last_used: passedOver(imported(datetime({ optional: true, instant: true }))),
    enabled: boolean({ default: true }),
    write_enabled: boolean({ default: true }),
    pepper_id: passedOver(imported(integer({ optional: true, min: 0, max: 32_767, size: 'smallint' }))),
    allowed_ips: resets(allowedAddresses()),
    token: imported(onceShown({ max: 40, min: 40 })),
    // Of a v1 token, which is found by its checksum: the last characters, which are all that is known of the token
    // itself.
    checksum: imported(text({ max: 64, hidden: true, secret: true, nullable: true, optional: true })),
    ending: imported(text({ max: 6, hidden: true, secret: true, nullable: true, optional: true })),
    hmac_digest: imported(text({ max: 64, hidden: true, secret: true, nullable: true, optional: true })),
  },
  unique: [
    {
      fields: ['checksum'],
      where: 'checksum is not null',
      key: 'token',
      message: 'token with this token already exists.',
    },
  ],
  rules: [keepsVersion, keepsUser, expiresInFuture, expiresWithinPolicy, isStrong, isMade],
  checks: [fewEnough],
  needs: [othersTakeGrant],
  effects: [
    guardsSuperusersTokens,
    recordRightsChanges(
      'users.token',
      { token_changed: ['enabled', 'write_enabled', 'expires', 'allowed_ips'] },
      ({ id, description }) => [`${id}`, description].filter((part) => part).join(' '),
    ),
  ],
});

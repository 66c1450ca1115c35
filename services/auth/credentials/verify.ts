import { isIP } from 'node:net';
import type { Executor } from '@cadastre/service/executor';
import { type DefaultPermissions, grantsDigest, permissionsVersion } from '../rights/permissions.ts';
import { checksumsOf, type Peppers, proves } from './token.ts';

export interface VerifyRequest {
  version: number;
  key: string;
  plaintext: string;
  client_ip: string;
}

export interface User {
  id: number;
  username: string;
  superuser: boolean;
  active: boolean;
}

interface Token {
  id: number;
  version: number;
  write_enabled: boolean;
  enabled: boolean;
  expires: string;
  allowed_ips: string[];
}

/** As in proto/auth.proto. */
export interface VerifyResponse {
  ok: boolean;
  error: string;
  user: User | null;
  token: Token | null;
  permissions_version: number;
}

export interface VerifyOptions {
  peppers: Peppers;
  /** Whether there are tokens of version 1. */
  v1: boolean;
  defaults: DefaultPermissions;
  /** Days without use after which a token is no longer valid; 0: no limit. */
  idleDays: number;
  /** Called with every token that was used, with the use recorded before, and from where it is used now. */
  used(tokenId: number, before: Date | null, address: string): void;
}

type Row = {
  id: string;
  version: number;
  hmac_digest: string | null;
  pepper_id: number | null;
  enabled: boolean;
  write_enabled: boolean;
  expires: number | null;
  last_used: number | null;
  created: number;
  allowed_ips: string[] | null;
  address_fits: boolean;
  user_id: string;
  username: string;
  is_superuser: boolean;
  is_active: boolean;
  digest: string;
};

/** A moment in milliseconds: how a pool parses timestamps is its own affair. */
const millis = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;
const dateOf = (at: number | null): Date | null => (at === null ? null : new Date(Number(at)));

/** A prefix of IPv4 that is written as one of IPv6 (`::ffff:192.0.2.0/120`) is for clients of IPv4. */
const mappedFits = `case when family($2::inet) = 4 and family(allowed::inet) = 6 and masklen(allowed::inet) >= 96
      then ('::ffff:' || host($2::inet))::inet <<= allowed::inet else false end`;

const select = (version: number, found: string) => ({
  name: `auth-verify-${version}`,
  text: `select t.id, t.version, t.hmac_digest, t.pepper_id, t.enabled, t.write_enabled, ${millis('t.expires')} as expires, ${millis('t.last_used')} as last_used, ${millis('t.created')} as created, t.allowed_ips,
      coalesce(cardinality(t.allowed_ips), 0) = 0 or exists (select from unnest(t.allowed_ips) allowed where $2::inet <<= allowed::inet or ${mappedFits}) as address_fits,
      u.id as user_id, u.username, u.is_superuser, u.is_active, ${grantsDigest('u')} as digest
    from users_token t join users_user u on u.id = t.user_id
    where t.version = ${version} and ${found} order by t.id limit 1`,
});
const statements = { 1: select(1, 't.checksum = any($1::text[])'), 2: select(2, 't.key = $1') };

/**
 * Says whose token this is and whether it is valid. The address only decides whether this counts as a use: the caller
 * caches the answer, and checks the address of each request itself.
 */
export async function verifyToken(
  db: Executor,
  { version, key, plaintext, client_ip }: VerifyRequest,
  { peppers, v1, defaults, idleDays, used }: VerifyOptions,
): Promise<VerifyResponse> {
  const invalid: VerifyResponse = {
    ok: false,
    error: `Invalid v${version} token`,
    user: null,
    token: null,
    permissions_version: 0,
  };
  if (version !== 1 && version !== 2) return invalid;
  if (version === 1 && !v1) return { ...invalid, error: 'Tokens of version 1 are turned off here.' };
  const wanted = version === 1 ? checksumsOf(plaintext, peppers) : key;
  if (key.includes('\0')) return invalid;
  const {
    rows: [row],
  } = await db.query<Row>({ ...statements[version], values: [wanted, isIP(client_ip) ? client_ip : null] });
  // The same text for an unknown key and for a wrong token, so that keys cannot be told apart by trying.
  if (!row || (version === 2 && !proves(plaintext, row, peppers))) return invalid;
  const error = problem(row, Date.now(), idleDays);
  if (error === '' && row.address_fits) used(Number(row.id), dateOf(row.last_used), isIP(client_ip) ? client_ip : '');
  return {
    ok: error === '',
    error,
    user: { id: Number(row.user_id), username: row.username, superuser: row.is_superuser, active: row.is_active },
    token: {
      id: Number(row.id),
      version: row.version,
      write_enabled: row.write_enabled,
      enabled: row.enabled,
      expires: dateOf(row.expires)?.toISOString() ?? '',
      allowed_ips: row.allowed_ips ?? [],
    },
    permissions_version: permissionsVersion(row.digest, defaults),
  };
}

const DAY_MS = 86_400_000;

function problem({ enabled, expires, is_active, last_used, created }: Row, now: number, idleDays: number): string {
  if (!enabled) return 'Token disabled';
  if (expires !== null && Number(expires) <= now) return 'Token expired';
  if (idleDays && now - Number(last_used ?? created) > idleDays * DAY_MS)
    return `Token was not used for ${idleDays} days`;
  return is_active ? '' : 'User inactive';
}

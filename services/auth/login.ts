import { createHash } from 'node:crypto';
import type { Executor } from '@cadastre/service/executor';
import ipaddr from 'ipaddr.js';
import type { DefaultPermissions } from './permissions.ts';
import { type Account, authenticate } from './users.ts';

/** How often a password may be wrong before more attempts are refused for a while. */
export interface LoginLimits {
  /** For one user name from one address: whoever guesses from elsewhere does not shut out the user. */
  loginAttempts: number;
  /** From one address, for whatever names. */
  loginAttemptsPerAddress: number;
  loginPauseSeconds: number;
}

export interface LoginRequest { username: string; password: string; address: string }

/** `wait`: seconds until it may be tried again, 0 unless too many attempts have failed; then the password counts for nothing. */
export interface LoginOutcome { account: Account | null; wait: number }

/**
 * The one way in with a password. What failed is counted in the database, so that the limits hold for all processes together.
 * Only what fails is counted, after it has failed: many who log in rightly at the same time do not refuse each other. It is looked at
 * again after the password was found right, so that guesses made at once are worth no more than guesses made one after the other.
 */
export async function logIn(db: Executor, request: LoginRequest, limits: LoginLimits, defaults: DefaultPermissions): Promise<LoginOutcome> {
  const counters = countersOf(request, limits);
  const before = await blocked(db, counters);
  if (before > 0) return { account: null, wait: before };
  const account = await authenticate(db, request.username, request.password, defaults);
  if (!account) await count(db, counters, limits.loginPauseSeconds);
  const after = account ? await blocked(db, counters) : 0;
  if (after > 0) return { account: null, wait: after };
  if (account) await db.query({ ...forget, values: [counters.keys[0]] });
  return { account, wait: 0 };
}

interface Counters { keys: readonly string[]; most: readonly number[] }

/** What is counted: this name from this address, and this address. Names are kept as checksums: people type passwords there, too. */
function countersOf({ username, address }: LoginRequest, { loginAttempts, loginAttemptsPerAddress }: LoginLimits): Counters {
  const from = origin(address), key = (...parts: string[]) => createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
  return { keys: [key(from, username.toLowerCase()), key(from)], most: [loginAttempts, loginAttemptsPerAddress] };
}

/** An address as far as it tells clients apart: who has one of IPv6 has all of its network's 64 bits. */
export function origin(address: string): string {
  if (!ipaddr.isValid(address)) return '';
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4' ? parsed.toString() : ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString().split('%')[0]}/64`).toString();
}

const look = {
  name: 'auth-failed-logins',
  text: `select ceil(extract(epoch from max(f.until) - now())) as wait from failed_login f, unnest($1::text[], $2::int[]) as c (key, most)
    where f.key = c.key and f.until > now() and f.failures >= c.most`,
};
// In the order of the keys, so that two of these never wait for each other. A pause ends when it was to end, however often it is tried meanwhile.
const add = {
  name: 'auth-failed-login',
  text: `insert into failed_login as f (key, failures, until) select key, 1, now() + make_interval(secs => $2) from unnest($1::text[]) key order by key
    on conflict (key) do update set failures = case when f.until > now() then f.failures + 1 else 1 end, until = case when f.until > now() then f.until else excluded.until end`,
};
const clear = { name: 'auth-old-failed-logins', text: 'delete from failed_login where until < now()' };
const forget = { name: 'auth-forget-failed-logins', text: 'delete from failed_login where key = $1' };

async function blocked(db: Executor, { keys, most }: Counters): Promise<number> {
  const { rows: [row] } = await db.query<{ wait: string | null }>({ ...look, values: [keys, most] });
  return Number(row?.wait ?? 0);
}

async function count(db: Executor, { keys }: Counters, seconds: number): Promise<void> {
  await db.query({ ...clear, values: [] });
  await db.query({ ...add, values: [keys, seconds] });
}

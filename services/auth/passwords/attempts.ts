import { createHash } from 'node:crypto';
import { appendChanges, type ChangeEvent, newEventId } from '@cadastre/events';
import type { Executor } from '@cadastre/service/executor';
import { caselessName } from '@cadastre/service/user-names';
import ipaddr from 'ipaddr.js';
import { noticeEvent } from '../../webhooks/models/notice.ts';

/** How often a password may be wrong before more attempts are refused for a while. */
export interface LoginLimits {
  /** For one user name from one address: guesses from elsewhere do not lock the user out. */
  loginAttempts: number;
  /** From one address, for whatever names. */
  loginAttemptsPerAddress: number;
  loginPauseSeconds: number;
  /**
   * For one user name: addresses from which the user has not logged in lately share one limit, and each of the other
   * addresses has one of its own.
   */
  loginAttemptsPerAccount: number;
  loginAccountPauseSeconds: number;
  /** How many days an address counts as known after its user has logged in from it. */
  loginKnownDays: number;
}

/**
 * The limits, and the time for which each counts. `known`: the counter applies only where the user has (not) logged in
 * from this address lately.
 */
export interface Counters {
  of: readonly { key: string; most: number; seconds: number; known: boolean | null }[];
  address: string;
  name: string;
  origin: string;
}

/** Names are stored as checksums, as people also type passwords there by mistake. */
export const key = (...parts: string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

/**
 * The counters of a name for all addresses. Directories accept many spellings of one name: with accents or without, in
 * full-width letters, with spaces. Here all of these share one counter, or each would allow further guesses at the same
 * password; sharing is harmless for two people with similar names, as the login of one does not reset it.
 */
export const accountKey = (username: string, ...from: string[]): string => {
  const letters = username.normalize('NFKD').replace(/[\p{M}\p{Cf}\s]/gu, '');
  return key('account', letters.toUpperCase().toLowerCase(), ...from);
};

export function countersOf(
  { username, address }: { username: string; address: string },
  limits: LoginLimits,
): Counters {
  const from = origin(address);
  const name = caselessName(username);
  const fast = { seconds: limits.loginPauseSeconds, known: null };
  const slow = { seconds: limits.loginAccountPauseSeconds, most: limits.loginAttemptsPerAccount };
  return {
    origin: key('origin', from, name),
    name: key(from, name),
    address: from,
    of: [
      { key: key(from, name), most: limits.loginAttempts, ...fast },
      { key: key(from), most: limits.loginAttemptsPerAddress, ...fast },
      { key: accountKey(username), known: false, ...slow },
      { key: accountKey(username, from), known: true, ...slow },
    ],
  };
}

/** The part of an address that tells clients apart: of IPv6 the first 64 bits, as a client has the whole network. */
export function origin(address: string): string {
  if (!ipaddr.isValid(address)) return '';
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4'
    ? parsed.toString()
    : ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString().split('%')[0]}/64`).toString();
}

const COUNTERS = 'unnest($1::text[], $2::int[], $3::int[], $4::boolean[]) as c (key, most, seconds, known)';
const APPLY = `(c.known is null or c.known = exists (select from known_origin o where o.key = $5 and o.until > now()))`;
const valuesOf = ({ of, origin: from }: Counters): unknown[] => [
  of.map((c) => c.key),
  of.map((c) => c.most),
  of.map((c) => c.seconds),
  of.map((c) => c.known),
  from,
];

const look = {
  name: 'auth-failed-logins',
  text: `select ceil(extract(epoch from max(f.until) - now())) as wait from failed_login f join ${COUNTERS} on f.key = c.key where ${APPLY} and f.until > now() and f.failures >= c.most`,
};
// Creates the counters, or resets those whose time has passed. Here and below, rows are locked in the order of their
// keys, so that two such statements cannot deadlock.
const open = {
  name: 'auth-open-logins',
  text: `insert into failed_login as f (key, failures, until) select c.key, 0, now() + make_interval(secs => c.seconds) from ${COUNTERS} where ${APPLY} order by c.key
    on conflict (key) do update set failures = 0, until = excluded.until where f.until <= now()`,
};
// A statement that had to wait for a lock sees what was counted meanwhile. Further attempts do not prolong a pause.
const take = {
  name: 'auth-reserve-login',
  text: `with counted as materialized (
      select f.key, f.failures, f.until, c.most from failed_login f join ${COUNTERS} on f.key = c.key where ${APPLY} order by f.key for update of f
    ), taken as (
      update failed_login f set failures = f.failures + 1 from counted c where f.key = c.key and not exists (select from counted where failures >= most) returning f.key
    ) select (select ceil(extract(epoch from max(until) - now())) from counted where failures >= most) as wait, (select array_agg(key) from taken) as taken`,
};
const clear = {
  name: 'auth-old-logins',
  text: 'with gone as (delete from failed_login where until < now()) delete from known_origin where until < now()',
};
const back = {
  name: 'auth-released-login',
  text: `with mine as materialized (select f.key from failed_login f where f.key = any($1::text[]) order by f.key for update)
    update failed_login f set failures = greatest(f.failures - 1, 0) from mine where f.key = mine.key`,
};
const right = {
  name: 'auth-right-login',
  text: `with mine as materialized (select f.key from failed_login f where f.key = any($1::text[]) order by f.key for update),
    back as (update failed_login f set failures = case when f.key = $2 then 0 else greatest(f.failures - 1, 0) end from mine where f.key = mine.key),
    device as (insert into known_origin as o (key, until) select $3, now() + make_interval(days => $4) where $4 > 0 on conflict (key) do update set until = excluded.until),
    told as (delete from failed_notice where user_id = $5 returning failures, last, address)
    select failures, last, address from told`,
};
const wrong = {
  name: 'auth-wrong-login',
  text: `insert into failed_notice as n (user_id, failures, last, address) select u.id, 1, now(), $2 from users_user u where u.username = $1
    on conflict (user_id) do update set failures = n.failures + 1, last = excluded.last, address = excluded.address returning user_id, failures`,
};

/** Seconds until the next attempt is allowed; 0: now. */
export async function blocked(db: Executor, counters: Counters): Promise<number> {
  const {
    rows: [row],
  } = await db.query<{ wait: string | null }>({ ...look, values: valuesOf(counters) });
  return Number(row?.wait ?? 0);
}

/** The counters that an attempt has raised, or how many seconds to wait until one is allowed. */
export type Reservation = { taken: readonly string[]; wait: 0 } | { wait: number };

/**
 * Counts an attempt as failed before its result is known. Either all of its counters are raised, or none if one is at
 * its limit.
 */
export async function reserve(db: Executor, counters: Counters): Promise<Reservation> {
  await db.query({ ...clear, values: [] });
  // A counter may expire between the two statements, and is reset then.
  for (;;) {
    await db.query({ ...open, values: valuesOf(counters) });
    const {
      rows: [row],
    } = await db.query<{ wait: string | null; taken: string[] | null }>({ ...take, values: valuesOf(counters) });
    if (row!.wait !== null) return { wait: Math.max(1, Number(row!.wait)) };
    if (row!.taken !== null) return { taken: row!.taken, wait: 0 };
  }
}

/** Takes back an attempt for which nobody could say whether the password was right. */
export async function released(db: Executor, taken: readonly string[]): Promise<void> {
  await db.query({ ...back, values: [taken] });
}

/**
 * The failed attempts for a user name since the user last logged in: how many, and when and from where the last one
 * came.
 */
export interface Failures {
  count: number;
  last: string;
  address: string;
}

/**
 * Takes back an attempt whose password was right, remembers its address, and returns the earlier failures if the user
 * is to be told.
 */
export async function succeeded(
  db: Executor,
  counters: Counters,
  taken: readonly string[],
  userId: number | null,
  { loginKnownDays }: LoginLimits,
): Promise<Failures | null> {
  const {
    rows: [row],
  } = await db.query<{ failures: number; last: Date; address: string }>({
    ...right,
    values: [taken, counters.name, counters.origin, loginKnownDays, userId],
  });
  return row ? { count: row.failures, last: new Date(row.last).toISOString(), address: row.address } : null;
}

/**
 * Records for the user, if the name has one, that the password was wrong; each time that many such failures have
 * accumulated, the user is notified at once. Returns the user's id.
 */
export async function failed(
  db: Executor,
  counters: Counters,
  username: string,
  { loginAttemptsPerAccount }: LoginLimits,
): Promise<number | null> {
  if (username.includes('\0')) return null;
  const {
    rows: [row],
  } = await db.query<{ user_id: string; failures: number }>({ ...wrong, values: [username, counters.address] });
  if (row && row.failures % loginAttemptsPerAccount === 0)
    await appendChanges({ query: (statement) => db.query(statement) }, [
      warning(Number(row.user_id), username, row.failures),
    ]);
  return row ? Number(row.user_id) : null;
}

const warning = (user: number, username: string, failures: number): ChangeEvent =>
  noticeEvent(
    newEventId(),
    { time: new Date().toISOString().replace('Z', '000Z'), request: null },
    {
      user,
      objectType: 'users.user',
      objectId: user,
      display: `${username}: ${failures} attempts to log in have failed`,
      eventType: 'object_updated',
    },
  );

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
   * For one user name from all addresses that its user has not logged in from lately together; and the same from each
   * of the others.
   */
  loginAttemptsPerAccount: number;
  loginAccountPauseSeconds: number;
  /** For so long an address counts as one that its user logs in from. */
  loginKnownDays: number;
}

/**
 * What is counted, and how much of it within how long is too much. `known`: only where the user has (not) logged in
 * from this address lately.
 */
export interface Counters {
  of: readonly { key: string; most: number; seconds: number; known: boolean | null }[];
  address: string;
  name: string;
  origin: string;
}

/** Names are kept as checksums: people type passwords there, too. */
export const key = (...parts: string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

/**
 * The counters of a name from wherever. Directories take many spellings for one name: with accents or without, in wide
 * letters, with blanks. Here all of them are one, or each would bring guesses of its own at the same password; that two
 * people may share these counters does no harm, as no login of theirs empties them.
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
// Begins what is to be counted, or begins it anew. In the order of the keys, here and below, so that two of these never
// wait for each other.
const open = {
  name: 'auth-open-logins',
  text: `insert into failed_login as f (key, failures, until) select c.key, 0, now() + make_interval(secs => c.seconds) from ${COUNTERS} where ${APPLY} order by c.key
    on conflict (key) do update set failures = 0, until = excluded.until where f.until <= now()`,
};
// Whoever waits for a lock here sees what the other has counted meanwhile. A pause ends when it was to end, however
// often it is tried.
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

/** Seconds until it may be tried again; 0 when now. */
export async function blocked(db: Executor, counters: Counters): Promise<number> {
  const {
    rows: [row],
  } = await db.query<{ wait: string | null }>({ ...look, values: valuesOf(counters) });
  return Number(row?.wait ?? 0);
}

/** What an attempt has been counted by, or how many seconds it is until there is room for it. */
export type Reservation = { taken: readonly string[]; wait: 0 } | { wait: number };

/**
 * Counts an attempt before anybody knows what becomes of it: it counts as failed until it is known to have succeeded.
 * All of its counters go up, or none where one is full.
 */
export async function reserve(db: Executor, counters: Counters): Promise<Reservation> {
  await db.query({ ...clear, values: [] });
  // A counter whose time ends just then is begun anew.
  for (;;) {
    await db.query({ ...open, values: valuesOf(counters) });
    const {
      rows: [row],
    } = await db.query<{ wait: string | null; taken: string[] | null }>({ ...take, values: valuesOf(counters) });
    if (row!.wait !== null) return { wait: Math.max(1, Number(row!.wait)) };
    if (row!.taken !== null) return { taken: row!.taken, wait: 0 };
  }
}

/** Gives a reservation back, as nobody could say whether the password was right. */
export async function released(db: Executor, taken: readonly string[]): Promise<void> {
  await db.query({ ...back, values: [taken] });
}

/** What failed in a user's name since they last logged in: how often, when last, and from where then. */
export interface Failures {
  count: number;
  last: string;
  address: string;
}

/**
 * Gives a reservation back, as the password was right; remembers where it came from, and tells what had failed before,
 * if a user is to be told.
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
 * Notes for the user, if there is one, that the password was wrong. When that has happened very often again, the user
 * is told at once. Returns who that is, if it is anybody.
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

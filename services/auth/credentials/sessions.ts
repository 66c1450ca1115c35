import { appendChanges, type ChangeEvent, newEventId } from '@cadastre/events';
import { invalidating, typeId } from '@cadastre/model';
import type { Executor } from '@cadastre/service/executor';
import { configVersion } from './configVersion.ts';
import { isLocal, mustHaveFactor } from '../factors/required.ts';
import { user } from '../models/user.ts';
import type { DefaultPermissions } from '../rights/permissions.ts';
import { type NoteBatcher, noteBatcher } from './noteBatcher.ts';
import { type Account, type AccountRow, accountOf, columns } from '../passwords/users.ts';

/** A session as its user sees it, without the content of its cookie. */
export interface SessionOfUser {
  id: number;
  /** These are in ISO 8601. */
  created: string;
  lastSeen: string;
  until: string;
  address: string;
  browser: string;
}

/** A session that begins. `key` is what its cookie names it by. */
export interface NewSession {
  key: string;
  userId: number;
  /** ISO 8601: when it ends at the latest. */
  until: string;
  address: string;
  browser: string;
  /** How its user has proved who they are. */
  method: string;
}

/** The maximum length of a browser's User-Agent that is stored. */
const LONGEST_BROWSER = 300;
const LONGEST_METHOD = 50;
const clean = (text: string, most: number): string => text.replaceAll('\0', '').slice(0, most);

const idle = (parameter: string): string =>
  `(${parameter}::int = 0 or s.last_seen > now() - make_interval(secs => ${parameter}::int))`;

const begin = {
  name: 'auth-begin-session',
  text: `with over as (delete from user_session where until < now()),
    too_many as (delete from user_session where id in (
      select id from user_session where user_id = $2 and until >= now() order by last_seen desc, id desc offset $6::int - 1))
    insert into user_session (key, user_id, until, address, browser, method) values ($1, $2, $3, $4, $5, $7)`,
};

const loggedIn = {
  name: 'auth-logged-in',
  text: `with changed as (update users_user set last_login = now() where id = $1 returning id, username),
    told as (${invalidating(`select ${typeId(user.name)}, id from changed`)}) select username from changed`,
};

/**
 * Stores a new session, and records when its user has logged in. Beyond the limit for a user, the session used least
 * recently ends. Returns the user's name.
 */
export async function beginSession(
  db: Executor,
  { key, userId, until, address, browser, method }: NewSession,
  most: number,
): Promise<string> {
  await db.query({
    ...begin,
    values: [
      key,
      userId,
      until,
      clean(address, 45),
      clean(browser, LONGEST_BROWSER),
      most,
      clean(method, LONGEST_METHOD),
    ],
  });
  const {
    rows: [row],
  } = await db.query<{ username: string }>({ ...loggedIn, values: [userId] });
  return row!.username;
}

const bySession = {
  name: 'auth-session',
  text: `select s.id as session, (extract(epoch from s.last_seen) * 1000)::float8 as last_seen, s.method, (extract(epoch from s.proved) * 1000)::float8 as proved, ${columns},
      ${isLocal('s.method')} and ${mustHaveFactor('u', '$4')} as must,
      (select ${configVersion} from user_config where user_id = u.id) as config
    from user_session s join users_user u on u.id = s.user_id
    where s.key = $1 and s.user_id = $2 and s.until > now() and ${idle('$3')} and u.is_active`,
};

/** The user of a session, and which session it is. */
export interface InSession extends Account {
  session: number;
  lastSeen: number;
  method: string;
  /** When the user proved last who they are, in milliseconds since 1970. */
  proved: number;
  /** Whether the user must have a second factor, and has none. */
  enrol: boolean;
  /** The version of the user's preferences for the pages; empty where there are none. */
  config: string;
}

/**
 * The active user of a session that was begun here, has not ended, and began with the password that the user still has;
 * or null.
 */
export async function inSession(
  db: Executor,
  session: { key: string; userId: number; stamp: string },
  {
    defaults,
    idleSeconds,
    factorGroups = [],
  }: { defaults: DefaultPermissions; idleSeconds: number; factorGroups?: readonly string[] },
): Promise<InSession | null> {
  const {
    rows: [row],
  } = await db.query<
    AccountRow & {
      session: string;
      last_seen: number;
      method: string;
      proved: number;
      must: boolean;
      config: string | null;
    }
  >({
    ...bySession,
    values: [session.key, session.userId, idleSeconds, factorGroups],
  });
  const account = row ? accountOf(row, defaults) : null;
  return row && account?.stamp === session.stamp
    ? {
        ...account,
        session: Number(row.session),
        lastSeen: Number(row.last_seen),
        method: row.method,
        proved: Number(row.proved),
        enrol: row.must && !account.factors,
        config: row.config ?? '',
      }
    : null;
}

/**
 * Records that the user of a session has reauthenticated; gateways that have cached the session are told. Returns the
 * user, if the session exists.
 */
export async function proveSession(db: Executor, key: string): Promise<{ id: number; name: string } | null> {
  const {
    rows: [row],
  } = await db.query<{ id: string; username: string }>({
    text: 'update user_session s set proved = now() from users_user u where s.key = $1 and u.id = s.user_id returning u.id, u.username',
    values: [key],
  });
  if (!row) return null;
  const id = Number(row.id);
  await appendChanges({ query: (statement) => db.query(statement) }, [sessionEnded(id)]);
  return { id, name: row.username };
}

/** Ends a session of any user: the caller has the key from its cookie. Returns whose it was, if it existed. */
export async function endSession(db: Executor, key: string): Promise<{ id: number; name: string } | null> {
  const {
    rows: [row],
  } = await db.query<{ id: string; username: string }>({
    text: 'delete from user_session s using users_user u where s.key = $1 and u.id = s.user_id returning u.id, u.username',
    values: [key],
  });
  if (!row) return null;
  const id = Number(row.id);
  await appendChanges({ query: (statement) => db.query(statement) }, [sessionEnded(id)]);
  return { id, name: row.username };
}

/** Which of a user's sessions are meant: one, or all but one. */
export type Which = { id: number } | { except: number };

/** Ends sessions of this user only. Returns how many there were. */
export async function endSessionsOf(db: Executor, userId: number, which: Which): Promise<number> {
  const [condition, id] = 'id' in which ? ['id = $2', which.id] : ['id <> $2', which.except];
  const { rowCount } = await db.query({
    text: `delete from user_session where user_id = $1 and ${condition}`,
    values: [userId, id],
  });
  return rowCount ?? 0;
}

/** Formatted in SQL, as a pool may be configured to parse timestamps in another way. */
const iso = (column: string): string =>
  `to_char(s.${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as ${column}`;

/** The sessions of a user that count at present, those used last first. */
export async function sessionsOf(db: Executor, userId: number, idleSeconds: number): Promise<SessionOfUser[]> {
  const { rows } = await db.query<{
    id: string;
    created: string;
    last_seen: string;
    until: string;
    address: string;
    browser: string;
  }>({
    text: `select s.id, ${iso('created')}, ${iso('last_seen')}, ${iso('until')}, s.address, s.browser from user_session s
      where s.user_id = $1 and s.until > now() and ${idle('$2')} order by s.last_seen desc, s.id desc`,
    values: [userId, idleSeconds],
  });
  return rows.map(({ id, last_seen, ...row }) => ({ ...row, id: Number(id), lastSeen: last_seen }));
}

/** Type of the events by which gateways hear that sessions of a user have ended. It is no object: nobody can read it. */
export const SESSION = 'users.session';

/** Creates such an event; it is also sent when cached data of sessions that go on is outdated. */
export const sessionEnded = (userId: number): ChangeEvent => ({
  id: newEventId(),
  time: new Date().toISOString().replace('Z', '000Z'),
  request: null,
  action: 'created',
  objectType: SESSION,
  objectId: userId,
  version: 0,
  display: '',
  message: '',
  data: null,
  prechange: null,
  postchange: null,
  row: null,
  related: null,
});

export interface Seen {
  /** A session is being used from an address; `before` is when it was last noted. Returns at once. */
  mark(session: number, address: string, before: number): void;
  close: NoteBatcher<number, string>['close'];
}

const note = `update user_session s set last_seen = now(), address = case when seen.address = '' then s.address else seen.address end
  from unnest($1::bigint[], $2::text[]) as seen (id, address) where s.id = seen.id`;

/**
 * The interval for recording that a session is in use: at most a minute, and a quarter of the time after which it ends
 * when idle.
 */
export const everyMs = (idleSeconds: number): number => (idleSeconds ? Math.min(60_000, idleSeconds * 250) : 60_000);

/** Notes when sessions were last used, and from where. */
export function sessionsSeen(
  db: Executor,
  { enabled, idleSeconds, failed }: { enabled: boolean; idleSeconds: number; failed(error: unknown): void },
): Seen {
  const every = everyMs(idleSeconds);
  const seen = noteBatcher<number, string>(
    (notes) => {
      const sorted = [...notes].sort(([a], [b]) => a - b);
      return db.query({ text: note, values: [sorted.map(([id]) => id), sorted.map(([, address]) => address)] });
    },
    { gatherMs: 50, failed },
  );
  return {
    mark(session, address, before) {
      if (enabled && Date.now() - before > every) seen.add(session, clean(address, 45));
    },
    close: seen.close,
  };
}

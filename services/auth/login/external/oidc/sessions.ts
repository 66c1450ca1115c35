import { appendChanges } from '@cadastre/events';
import type { Engine } from '@cadastre/rest';
import { type Executor, executor } from '@cadastre/service/executor';
import type { SecurityRecord } from '../../../security/record.ts';
import type { SecurityEvent } from '../../../models/rights/securityEvent.ts';
import { sessionEnded } from '../../../credentials/sessions.ts';

/** What a session remembers of the login at the provider. `idToken` is encrypted. */
export interface OidcLogin {
  issuer: string;
  subject: string;
  /** The provider's own session, where it tells of one. */
  sid: string | null;
  idToken: string;
}

/** The same of a session that begins. */
export interface NewOidcLogin extends OidcLogin {
  /** When the user logged in at the provider, in seconds since 1970; 0 if it does not report that. */
  authTime: number;
}

/**
 * Stores the login with a session that has begun. A user who was logged in at the provider already has not
 * authenticated anew, so the session counts as authenticated at the time of that login, or never if the time is
 * unknown.
 */
export async function keepOidcLogin(db: Executor, key: string, login: NewOidcLogin): Promise<void> {
  await db.query({
    name: 'auth-oidc-session',
    text: `with begun as (update user_session set proved = least(now(), to_timestamp($6::float8)) where key = $1 returning id)
      insert into oidc_session (session_id, issuer, subject, sid, id_token) select id, $2, $3, $4, $5 from begun`,
    values: [key, login.issuer, login.subject, login.sid, login.idToken, login.authTime],
  });
}

/** What is kept with a session; null for one that began in another way. */
export async function oidcLoginOf(db: Executor, key: string): Promise<OidcLogin | null> {
  const {
    rows: [row],
  } = await db.query<OidcLogin>({
    name: 'auth-oidc-session-of',
    text: `select o.issuer, o.subject, o.sid, o.id_token as "idToken" from oidc_session o
      join user_session s on s.id = o.session_id where s.key = $1`,
    values: [key],
  });
  return row ?? null;
}

/**
 * Ends the sessions that began in one session at the provider, or all of somebody there. Returns whose they were, after
 * all gateways have been told.
 */
export const endOidcSessions = (
  engine: Engine,
  security: Pick<SecurityRecord, 'write'>,
  { issuer, sid, subject, address }: { issuer: string; sid: string | null; subject: string | null; address: string },
): Promise<number[]> =>
  engine.transact(async (client) => {
    const db = executor(client);
    const { rows } = await db.query<{ user_id: string; username: string }>({
      name: 'auth-end-oidc-sessions',
      text: `delete from user_session s using oidc_session o, users_user u where o.session_id = s.id and u.id = s.user_id and o.issuer = $1
        and ($2::text is null or o.sid = $2) and ($3::text is null or o.subject = $3) and not ($2::text is null and $3::text is null)
        returning s.user_id, u.username`,
      values: [issuer, sid, subject],
    });
    const names = new Map(rows.map(({ user_id, username }) => [Number(user_id), username]));
    const users = [...names.keys()];
    if (users.length) {
      const events = [...names].map(([id, name]): SecurityEvent => {
        const detail = 'The provider of identities has ended the session.';
        return { kind: 'session_ended', ok: true, user: { id, name }, address, method: 'oidc', detail };
      });
      await security.write(client, events);
      await appendChanges({ query: (statement) => db.query(statement) }, users.map(sessionEnded), { notify: false });
    }
    return users;
  });

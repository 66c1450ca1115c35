import type { Request, Response } from 'express';
import { answerOf, type FailedLogins } from '../../identify/auth-client.ts';
import { contextOf } from '../../arrive/request-context.ts';
import { setCookie } from '../../arrive/own-cookies.ts';
import { sessionOf } from '../../identify/sessions.ts';
import { tellFailures } from '../frame/failures.ts';
import type { PagesOptions } from '../frame/options.ts';

/** A user who has authenticated, in whichever way. */
export interface AuthenticatedUser {
  userId: number;
  /** As auth gave it: the session ends when the user's stamp changes. */
  stamp: string;
  /** The failed attempts for the user's name before, which the user is told once. */
  failures?: FailedLogins | null;
  /** How they proved it, for the security log: `password`, `password+totp`, `oidc`, … */
  method: string;
  /** Data that auth returned for a login by another system, and needs again when the session begins. */
  external?: string;
  /** The name that a proxy gave them; the session does not count for another name. */
  remote?: string;
}

/** The one place where sessions begin. */
export interface SessionStarter {
  /**
   * Begins a session and gives the browser its cookie. An earlier session of the browser ends, as its cookie is lost.
   * Returns the session's id, which the CSRF tokens of forms are bound to.
   */
  begin(req: Request, res: Response, who: AuthenticatedUser): Promise<string>;
}

export const sessionStarter = ({
  auth,
  sessions,
  forget,
}: Pick<PagesOptions, 'auth' | 'sessions' | 'forget'>): SessionStarter => ({
  async begin(req, res, { userId, stamp, failures, method, external = '', remote }) {
    const { rateLimitKey: address } = contextOf(req);
    tellFailures(req, res, failures);
    const before = await sessionOf(req, sessions);
    const cookie = await sessions.begin(userId, stamp, remote);
    const { id, until } = (await sessions.open(cookie))!;
    const browser = req.headers['user-agent'] ?? '';
    const previous = before?.id ?? '';
    const session = { id, user_id: userId, expires: until, address, browser, method, external, previous };
    await answerOf(auth.BeginSession(session), 'Sessions');
    if (before) forget(before.userId);
    setCookie(req, res, 'session', cookie, sessions.seconds);
    return id;
  },
});

import type { Request, Response } from 'express';
import { csrfField } from '@cadastre/service/web';
import { answerOf } from '../../identify/auth-client.ts';
import { contextOf } from '../../arrive/request-context.ts';
import { clearCookie, ownCookie, setCookie } from '../../arrive/own-cookies.ts';
import { sessionOf } from '../../identify/sessions.ts';
import { type PendingForm, parsePendingForm } from '../../web/pending-form.ts';
import { isOfAnother } from '../../web/web.ts';
import { sessionStarter } from './session-starter.ts';
import type { PagesOptions } from '../frame/options.ts';
import { ownPath } from '../frame/own-path.ts';
import { type Answer, leaving } from '../frame/page.ts';
import { anyPasskey } from './passkeys.ts';
import { checkedFactor, refusalOf } from './factors.ts';
import { reauthentication } from './reauthenticate.ts';
import { secondStep } from './second-step.ts';
import { type Back, OIDC, ssoWith } from './sso.ts';
import { say } from '../frame/texts/say.ts';

/** Logging in and out: the two pages that need no session. */
export interface Login {
  covers(path: string): boolean;
  answer(path: string, req: Request, res: Response, form: URLSearchParams): Promise<Answer>;
  /** The login page for a form whose session had ended; the form is kept on it. */
  keep(req: Request, res: Response, kept: PendingForm): Promise<Answer>;
  /** Sends the form again, now in another session. */
  goOn(kept: PendingForm, session: string): Answer;
  /** Stores a form until its user has set up a second factor. */
  setAside(req: Request, res: Response, kept: PendingForm): Promise<void>;
  /** The page that sends the stored form on, if there is one. */
  resume(req: Request, res: Response, session: string): Promise<Answer | null>;
}

/**
 * What a browser forgets of this origin with a session: cached pictures, pages in its history, what scripts have
 * stored. No cookies: those are cleared for the whole registrable domain, and neighbouring hosts have sessions of their own
 * there. Ours is cleared by itself.
 */
const LEAVING_CLEARS = '"cache", "storage"';
/** What the login page says besides its form. */
interface Shown {
  problem?: { status: number; text: string; username?: string };
  kept?: PendingForm | undefined;
  /** Whether it is the login of superusers, where passwords are turned off. */
  local?: boolean;
  /** Somebody has just logged out. */
  left?: boolean;
}

export function login(options: PagesOptions): Login {
  const { admit, pendingForms, auth, sessions, csrf, forget, passwordTimeoutMs, log } = options;
  const entering = sessionStarter(options);
  const sso = ssoWith(options);
  /**
   * The cookie of a visit that began here; any other counts as none. CSRF tokens are bound to the visit, so nobody can
   * have another client log in with a form from their own visit.
   */
  const visitOf = (req: Request): string | undefined => {
    const cookie = ownCookie(req, 'login');
    return cookie !== undefined && csrf.verify(cookie, 'visit') ? cookie : undefined;
  };

  async function show(
    req: Request,
    res: Response,
    next: string,
    { problem, kept, local = false, left = false }: Shown = {},
  ): Promise<Answer> {
    const { passwords, oidc } = await sso.ways();
    let visit = visitOf(req);
    if (visit === undefined) setCookie(req, res, 'login', (visit = csrf.issue('visit')));
    return {
      view: 'login',
      title: say('Log in'),
      status: problem?.status ?? 200,
      data: {
        next,
        csrfToken: csrf.issue('login', visit),
        problem: problem?.text,
        username: problem?.username ?? '',
        kept: kept && JSON.stringify(kept),
        passkey: anyPasskey(req, csrf, visit),
        passwords: passwords || local,
        local,
        left,
        oidc: oidc && { name: oidc.name, href: `${OIDC.begin}?next=${encodeURIComponent(next)}` },
      },
    };
  }

  async function enter(req: Request, res: Response, form: URLSearchParams): Promise<Answer> {
    const next = ownPath(form.get('next'));
    const username = (form.get('username') ?? '').trim();
    const password = form.get('password') ?? '';
    const kept = parsePendingForm(form.get('kept'));
    const local = form.has('local');
    const again = (status: number, text: string) =>
      show(req, res, next, { problem: { status, text, username }, kept, local });
    const visit = visitOf(req);
    if (visit === undefined || !csrf.verify(form.get(csrfField) ?? '', 'login', visit))
      return again(403, say('This form was too old. Please log in now.'));
    if (form.has('elsewhere')) return atProvider(req, res, next, kept);
    const { passwords } = await sso.ways();
    if (!local && !passwords) return again(403, say('Nobody logs in with a password here. Please use the other way.'));
    if (form.get('passkey')) return enterByPasskey(req, res, form, { visit, again, everybody: passwords });
    if (username === '' || password === '') return again(400, say('A username and a password are needed.'));
    const checked = await answerOf(
      auth.CheckPassword(
        { username, password, address: contextOf(req).rateLimitKey },
        { timeoutMs: passwordTimeoutMs },
      ),
      'Passwords',
    );
    const problem = refusalOf(res, checked, say('Invalid username or password.'));
    if (problem) return notIn(req, res, problem, again);
    const { stamp, failures, factors } = checked;
    const method = checked.directory ? 'ldap' : 'password';
    const userId = checked.user!.id;
    clearCookie(req, res, 'login');
    if (factors.length) return second.begin(req, res, { userId, stamp, method, factors, next }, kept);
    const session = await entering.begin(req, res, { userId, stamp, failures, method });
    return kept ? goOn(kept, session) : { to: next };
  }

  /** Leads to the provider, with a pending form for the way back. */
  async function atProvider(req: Request, res: Response, next: string, kept: PendingForm | undefined): Promise<Answer> {
    const gone = await sso.depart(req, res, { next, prove: 0, kept });
    if ('refused' in gone) return show(req, res, next, { problem: gone.refused, kept });
    return leaving(gone.url, say('Log in'), say('You go on at your login service. What you typed is kept.'));
  }

  type Again = (status: number, text: string) => Promise<Answer>;

  function notIn(
    req: Request,
    res: Response,
    { status, text }: { status: number; text: string },
    again: Again,
  ): Promise<Answer> {
    if (status === 403)
      log.warn({ client: contextOf(req).rateLimitKey, request_id: res.getHeader('X-Request-ID') }, 'a login failed');
    return again(status, text);
  }

  /** A passkey says whose it is, and has verified its user by a PIN or a biometric. */
  async function enterByPasskey(
    req: Request,
    res: Response,
    form: URLSearchParams,
    { visit, again, everybody }: { visit: string; again: Again; everybody: boolean },
  ): Promise<Answer> {
    const given = { kind: 'passkey', response: form.get('passkey')! } as const;
    const checked = await checkedFactor(req, form, { userId: 0, stamp: '', about: visit }, given, options);
    const unknown = say('This passkey is not known here, or could not show whose it is.');
    const problem = refusalOf(res, checked, unknown);
    if (problem) return notIn(req, res, problem, again);
    // Where passwords are turned off, passkeys are for superusers only, too.
    if (!everybody && !checked.user!.superuser) return notIn(req, res, { status: 403, text: unknown }, again);
    clearCookie(req, res, 'login');
    const { stamp, failures } = checked;
    const session = await entering.begin(req, res, { userId: checked.user!.id, stamp, failures, method: 'passkey' });
    const kept = parsePendingForm(form.get('kept'));
    return kept ? goOn(kept, session) : { to: ownPath(form.get('next')) };
  }

  const stillHere = (): string => say('What you had typed is still here; passwords and files are not.');

  const goOn = (
    { to, fields }: PendingForm,
    session: string,
    text = say('You are logged in again. What you had typed is still here; passwords and files are not.'),
  ): Answer => ({
    view: 'kept',
    title: say('Welcome back'),
    data: { to: ownPath(to), fields, csrfToken: csrf.issue('session', session), text },
  });

  /** Begins a session for a user for whom another system vouches; or the login page says why not. */
  async function vouched(req: Request, res: Response, outcome: Back): Promise<Answer> {
    const { next, proving, kept } = outcome;
    if ('refused' in outcome) {
      const shown = { problem: outcome.refused, kept };
      return (proving && (await again.again(req, next, shown))) || show(req, res, next, shown);
    }
    clearCookie(req, res, 'login');
    const session = await entering.begin(req, res, outcome.entered);
    return kept ? goOn(kept, session, proving ? stillHere() : undefined) : { to: next };
  }

  async function leave(req: Request, res: Response, form: URLSearchParams): Promise<Answer> {
    const { base, rateLimitKey, remote } = contextOf(req);
    const session = await sessionOf(req, sessions);
    if (session && csrf.verify(form.get(csrfField) ?? '', 'session', session.id)) {
      const { logout } = await answerOf(
        auth.EndSession(
          { id: session.id, address: rateLimitKey, return_to: `${base}/logout/` },
          { timeoutMs: passwordTimeoutMs },
        ),
        'Sessions',
      );
      forget(session.userId);
      clearCookie(req, res, 'session');
      clearCookie(req, res, 'aside');
      res.setHeader('Clear-Site-Data', LEAVING_CLEARS);
      if (logout) {
        const text = say('You are logged out here. Your login service is asked to log you out, too.');
        return leaving(logout, say('Log out'), text);
      }
    }
    return remote || (await sso.ways()).oidc?.immediate ? { to: '/login/?left' } : { to: '/login/' };
  }

  /** The login page, or a redirect past it for a user who needs none. */
  async function arrive(req: Request, res: Response): Promise<Answer> {
    const asked = new URL(req.url, 'http://local').searchParams;
    const next = ownPath(asked.get('next'));
    const [local, left] = [asked.has('local'), asked.has('left')];
    const { remote, rateLimitKey } = contextOf(req);
    const admitted = await admit(req);
    const session = await sessionOf(req, sessions);
    const known = 'identity' in admitted && !admitted.identity.anonymous && ownCookie(req, 'session') !== undefined;
    if (known && !isOfAnother(req, session, admitted)) return { to: next };
    if (!local && !left) {
      if (remote) return vouched(req, res, { ...(await sso.remote(remote, rateLimitKey)), next, proving: false });
      if ((await sso.ways()).oidc?.immediate) return { to: `${OIDC.begin}?next=${encodeURIComponent(next)}` };
    }
    return show(req, res, next, { local, left });
  }

  const second = secondStep(options, {
    entering,
    goOn,
    tooLate: (req, res, next, kept) =>
      show(req, res, next, {
        problem: { status: 403, text: say('That took too long. Please log in once more.') },
        kept,
      }),
  });
  const again = reauthentication(options, {
    sso,
    goOn: (kept, session) => goOn(kept, session, stillHere()),
    loginAgain: (req, res, next, kept) =>
      show(req, res, next, { problem: { status: 200, text: say('Please log in once more.') }, kept }),
  });

  return {
    goOn,
    async setAside(req, res, kept) {
      const key = await pendingForms.store(kept, contextOf(req).rateLimitKey);
      setCookie(req, res, 'aside', key);
    },
    async resume(req, res, session) {
      const key = ownCookie(req, 'aside');
      if (key === undefined) return null;
      clearCookie(req, res, 'aside');
      const kept = await pendingForms.take(key);
      return kept ? goOn(kept, session, stillHere()) : null;
    },
    keep: (req, res, kept) =>
      show(req, res, ownPath(kept.to), {
        problem: {
          status: 403,
          text: say('Your session has ended. Log in: what you typed is kept, and goes on from here.'),
        },
        kept,
      }),
    covers: (path) =>
      path === '/login/' || path === '/logout/' || sso.covers(path) || second.covers(path) || again.covers(path),
    async answer(path, req, res, form) {
      if (second.covers(path)) return second.answer(req, res, form);
      if (again.covers(path)) return again.answer(req, res, form);
      if (sso.covers(path)) {
        const outcome = await sso.answer(path, req, res, form);
        return 'next' in outcome ? vouched(req, res, outcome) : outcome;
      }
      // A logout at the provider leads back here, too.
      if (path === '/logout/') return req.method === 'POST' ? leave(req, res, form) : { to: '/login/?left' };
      return req.method === 'POST' ? enter(req, res, form) : arrive(req, res);
    },
  };
}

import type { Request, Response } from 'express';
import { answerOf } from '../auth-client.ts';
import { arrivalOf } from '../arrival.ts';
import { cookieName, cookieOf, sessionCookie } from '../credentials.ts';
import { type Kept, keptIn } from '../web/kept.ts';
import { cookieOptions, enteringWith } from './entering.ts';
import type { PagesOptions } from './options.ts';
import type { Answer } from './page.ts';
import { say } from './texts/say.ts';

/** Logging in and out: the two pages that need no session. */
export interface Login {
  covers(path: string): boolean;
  answer(path: string, req: Request, res: Response, form: URLSearchParams): Promise<Answer>;
  /** The way in for somebody whose session was over when a form was sent: what it holds goes along. */
  keep(req: Request, res: Response, kept: Kept): Answer;
  /** The form once more, now of another session. */
  goOn(kept: Kept, session: string): Answer;
}

/**
 * Of a visit to the login page, as there is no session yet. The forms of a visit count in it only, so nobody can have
 * another client log in by a form of his own.
 */
const formCookie = (req: Request): string => cookieName('cadastre_login', arrivalOf(req).secure);
const home = '/';

/** A page of ours to go on to; never an address elsewhere. */
export const ownPath = (path: string | null): string =>
  path !== null && /^\/(?![/\\])[\x21-\x7e]*$/.test(path) ? path : home;

export function login(options: PagesOptions): Login {
  const { admit, auth, sessions, forms, forget, passwordTimeoutMs, log } = options;
  const entering = enteringWith(options);
  const ofSession = (req: Request): string => sessionCookie(arrivalOf(req).secure);
  /** The cookie of a visit that began here; any other counts as none. */
  const visitOf = (req: Request): string | undefined => {
    const cookie = cookieOf(req.headers.cookie, formCookie(req));
    return cookie !== undefined && forms.marked(cookie, 'visit') ? cookie : undefined;
  };

  function show(
    req: Request,
    res: Response,
    next: string,
    problem?: { status: number; text: string; username: string },
    kept?: Kept,
  ): Answer {
    let visit = visitOf(req);
    if (visit === undefined) res.cookie(formCookie(req), (visit = forms.mark('visit')), cookieOptions(req));
    return {
      view: 'login',
      title: say('Log in'),
      status: problem?.status ?? 200,
      data: {
        next,
        proof: forms.mark('login', visit),
        problem: problem?.text,
        username: problem?.username ?? '',
        kept: kept && JSON.stringify(kept),
      },
    };
  }

  async function enter(req: Request, res: Response, form: URLSearchParams): Promise<Answer> {
    const next = ownPath(form.get('next'));
    const username = (form.get('username') ?? '').trim();
    const password = form.get('password') ?? '';
    const kept = keptIn(form.get('kept'));
    const again = (status: number, text: string) => show(req, res, next, { status, text, username }, kept);
    const visit = visitOf(req);
    if (visit === undefined || !forms.marked(form.get('proof') ?? '', 'login', visit))
      return again(403, say('This form was too old. Please log in now.'));
    if (username === '' || password === '') return again(400, say('A username and a password are needed.'));
    const { ok, user, stamp, wait, busy, failures } = await answerOf(
      auth.CheckPassword({ username, password, address: arrivalOf(req).counted }, { timeoutMs: passwordTimeoutMs }),
      'Passwords',
    );
    if (wait > 0) {
      res.setHeader('Retry-After', wait);
      return again(429, say('Too many attempts have failed. Please wait {seconds} seconds.', { seconds: wait }));
    }
    if (busy) {
      res.setHeader('Retry-After', 2);
      return again(503, say('Too many log in at present. Please try again.'));
    }
    if (!ok || !user) {
      log.warn({ client: arrivalOf(req).counted, request_id: res.getHeader('X-Request-ID') }, 'a login failed');
      return again(403, say('Invalid username or password.'));
    }
    res.clearCookie(formCookie(req), cookieOptions(req));
    const session = await entering.begin(req, res, { userId: user.id, stamp, failures, method: 'password' });
    return kept ? goOn(kept, session) : { to: next };
  }

  const goOn = ({ to, fields }: Kept, session: string): Answer => ({
    view: 'kept',
    title: say('Welcome back'),
    data: { to: ownPath(to), fields, proof: forms.mark('session', session) },
  });

  async function leave(req: Request, res: Response, form: URLSearchParams): Promise<Answer> {
    const cookie = cookieOf(req.headers.cookie, ofSession(req));
    const session = cookie === undefined ? null : await sessions.open(cookie);
    if (session && forms.marked(form.get('proof') ?? '', 'session', session.id)) {
      await answerOf(auth.EndSession({ id: session.id, address: arrivalOf(req).counted }), 'Sessions');
      forget(session.userId);
      res.clearCookie(ofSession(req), cookieOptions(req));
    }
    return { to: '/login/' };
  }

  return {
    goOn,
    keep: (req, res, kept) =>
      show(
        req,
        res,
        ownPath(kept.to),
        {
          status: 403,
          text: say('Your session has ended. Log in: what you typed is kept, and goes on from here.'),
          username: '',
        },
        kept,
      ),
    covers: (path) => path === '/login/' || path === '/logout/',
    async answer(path, req, res, form) {
      if (path === '/logout/') return req.method === 'POST' ? leave(req, res, form) : { to: home };
      if (req.method === 'POST') return enter(req, res, form);
      const next = ownPath(new URL(req.url, 'http://local').searchParams.get('next'));
      const admitted = await admit(req);
      return 'identity' in admitted &&
        !admitted.identity.anonymous &&
        cookieOf(req.headers.cookie, ofSession(req)) !== undefined
        ? { to: next }
        : show(req, res, next);
    },
  };
}

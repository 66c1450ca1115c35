import type { Request, Response } from 'express';
import { answerOf } from '../auth-client.ts';
import { arrivalOf } from '../arrival.ts';
import { cookieName, cookieOf, sessionCookie } from '../credentials.ts';
import { type Kept, keptIn } from '../web/kept.ts';
import { cookieOptions, enteringWith } from './entering.ts';
import type { PagesOptions } from './options.ts';
import { ownPath } from './own-path.ts';
import type { Answer } from './page.ts';
import { anyPasskey } from './passkeys.ts';
import { checkedFactor, refusalOf } from './proofs.ts';
import { reauthentication } from './reauthenticate.ts';
import { secondStep } from './second-step.ts';
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
        passkey: anyPasskey(req, forms, visit),
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
    if (form.get('passkey')) return enterByPasskey(req, res, form, visit, again);
    if (username === '' || password === '') return again(400, say('A username and a password are needed.'));
    const checked = await answerOf(
      auth.CheckPassword({ username, password, address: arrivalOf(req).counted }, { timeoutMs: passwordTimeoutMs }),
      'Passwords',
    );
    const problem = refusalOf(res, checked, say('Invalid username or password.'));
    if (problem) return notIn(req, res, problem, again);
    const { stamp, failures, factors } = checked;
    const userId = checked.user!.id;
    res.clearCookie(formCookie(req), cookieOptions(req));
    if (factors.length) return second.begin(req, res, { userId, stamp, method: 'password', factors, next }, kept);
    const session = await entering.begin(req, res, { userId, stamp, failures, method: 'password' });
    return kept ? goOn(kept, session) : { to: next };
  }

  type Again = (status: number, text: string) => Answer;

  function notIn(
    req: Request,
    res: Response,
    { status, text }: { status: number; text: string },
    again: Again,
  ): Answer {
    if (status === 403)
      log.warn({ client: arrivalOf(req).counted, request_id: res.getHeader('X-Request-ID') }, 'a login failed');
    return again(status, text);
  }

  /** A passkey says itself whose it is, and has asked for something that only its user knows or is. */
  async function enterByPasskey(
    req: Request,
    res: Response,
    form: URLSearchParams,
    visit: string,
    again: Again,
  ): Promise<Answer> {
    const given = { kind: 'passkey', proof: form.get('passkey')! } as const;
    const checked = await checkedFactor(req, form, { userId: 0, stamp: '', about: visit }, given, options);
    const problem = refusalOf(res, checked, say('This passkey is not known here, or could not show whose it is.'));
    if (problem) return notIn(req, res, problem, again);
    res.clearCookie(formCookie(req), cookieOptions(req));
    const { stamp, failures } = checked;
    const session = await entering.begin(req, res, { userId: checked.user!.id, stamp, failures, method: 'passkey' });
    const kept = keptIn(form.get('kept'));
    return kept ? goOn(kept, session) : { to: ownPath(form.get('next')) };
  }

  const goOn = (
    { to, fields }: Kept,
    session: string,
    text = say('You are logged in again. What you had typed is still here; passwords and files are not.'),
  ): Answer => ({
    view: 'kept',
    title: say('Welcome back'),
    data: { to: ownPath(to), fields, proof: forms.mark('session', session), text },
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

  const second = secondStep(options, {
    entering,
    goOn,
    tooLate: (req, res, next, kept) =>
      show(
        req,
        res,
        next,
        { status: 403, text: say('That took too long. Please log in once more.'), username: '' },
        kept,
      ),
  });
  const again = reauthentication(options, {
    goOn: (kept, session) => goOn(kept, session, say('What you had typed is still here; passwords and files are not.')),
    loginAgain: (req, res, next, kept) =>
      show(req, res, next, { status: 200, text: say('Please log in once more.'), username: '' }, kept),
  });

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
    covers: (path) => path === '/login/' || path === '/logout/' || second.covers(path) || again.covers(path),
    async answer(path, req, res, form) {
      if (second.covers(path)) return second.answer(req, res, form);
      if (again.covers(path)) return again.answer(req, res, form);
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

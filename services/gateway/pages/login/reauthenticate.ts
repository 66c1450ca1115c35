import type { Request, Response } from 'express';
import { csrfField } from '@cadastre/service/web';
import { contextOf } from '../../arrive/request-context.ts';
import { answerOf, type FactorKind } from '../../identify/auth-client.ts';
import { clearCookie } from '../../arrive/own-cookies.ts';
import { type Session, sessionOf } from '../../identify/sessions.ts';
import { type PendingForm, parsePendingForm } from '../../web/pending-form.ts';
import { tellFailures } from '../frame/failures.ts';
import type { PagesOptions } from '../frame/options.ts';
import { ownPath } from '../frame/own-path.ts';
import { type Answer, leaving } from '../frame/page.ts';
import { checkedFactor, factorsAsked, givenFactor, refusalOf } from './factors.ts';
import { say } from '../frame/texts/say.ts';
import type { Sso } from './sso.ts';

/** Where somebody who has logged in proves again who they are, before secrets and rights are touched. */
export interface Reauthentication {
  covers(path: string): boolean;
  answer(req: Request, res: Response, form: URLSearchParams): Promise<Answer>;
  /** Asks once more, and says why; null where there is no session any more. */
  again(req: Request, next: string, shown: Shown): Promise<Answer | null>;
}

interface Shown {
  kept?: PendingForm | undefined;
  problem?: { status: number; text: string };
}

interface Around {
  sso: Pick<Sso, 'ways' | 'depart'>;
  /** The login from its beginning, for a user who cannot reauthenticate here. */
  loginAgain(req: Request, res: Response, next: string, kept?: PendingForm): Promise<Answer>;
  goOn(kept: PendingForm, session: string): Answer;
}

const path = '/reauthenticate/';

/** Ways of logging in where another system has to reauthenticate the user. */
const ELSEWHERE: readonly string[] = ['oidc', 'remote'];

interface Visit {
  session: Session;
  username: string;
  stamp: string;
  elsewhere: boolean;
  /** Whether the session began at a provider that can be asked again. */
  provider: boolean;
  /** The second factors of the user: where there are some, the password is not enough. */
  factors: FactorKind[];
}

export function reauthentication(options: PagesOptions, { sso, loginAgain, goOn }: Around): Reauthentication {
  const { auth, sessions, csrf, forget, passwordTimeoutMs, log } = options;

  async function visitOf(req: Request): Promise<Visit | null> {
    const session = await sessionOf(req, sessions);
    if (!session) return null;
    const { id, userId, stamp } = session;
    const { ok, user, method } = await answerOf(
      auth.CheckSession({ id, user_id: userId, stamp, client_ip: contextOf(req).rateLimitKey }),
      'Sessions',
    );
    if (!ok || !user) return null;
    const way = method.split('+', 1)[0]!;
    const elsewhere = ELSEWHERE.includes(way);
    const provider = way === 'oidc' && (await sso.ways()).oidc !== null;
    const { kinds } = elsewhere ? { kinds: [] } : await answerOf(auth.Factors({ user_id: userId }), 'Second factors');
    return { session, username: user.username, stamp, elsewhere, provider, factors: kinds };
  }

  async function show(
    req: Request,
    { session, username, stamp, elsewhere, factors }: Visit,
    next: string,
    { kept, problem }: Shown = {},
  ): Promise<Answer> {
    const asked = { userId: session.userId, stamp, factors, about: session.id };
    return {
      view: 'reauthenticate',
      title: say('Is it you?'),
      status: problem?.status ?? 200,
      data: {
        action: path,
        csrfToken: csrf.issue('session', session.id),
        next,
        username,
        elsewhere,
        password: !elsewhere && factors.length === 0,
        problem: problem?.text,
        kept: kept && JSON.stringify(kept),
        ...(await factorsAsked(req, asked, options)),
      },
    };
  }

  /** Why the proof does not count; undefined when it does, null when none was given. */
  async function refusalFor(req: Request, res: Response, form: URLSearchParams, visit: Visit) {
    const { session, username, stamp, factors } = visit;
    if (factors.length) {
      const given = givenFactor(form);
      if (!given) return null;
      const asked = { userId: session.userId, stamp, about: session.id };
      const checked = await checkedFactor(req, form, asked, given, options);
      if (checked.ok) tellFailures(req, res, checked.failures);
      return refusalOf(res, checked, say('This is not right, or was used before.'));
    }
    const password = form.get('password') ?? '';
    if (password === '') return null;
    const checked = await answerOf(
      auth.CheckPassword(
        { username, password, address: contextOf(req).rateLimitKey },
        { timeoutMs: passwordTimeoutMs },
      ),
      'Passwords',
    );
    const mine = checked.ok && checked.user?.id === session.userId;
    if (mine) tellFailures(req, res, checked.failures);
    return refusalOf(res, { ...checked, ok: mine }, say('This is not your password.'));
  }

  /** The provider asks the user again; until they are back, the session does not change. */
  async function atProvider(
    req: Request,
    res: Response,
    visit: Visit,
    next: string,
    kept?: PendingForm,
  ): Promise<Answer> {
    const gone = await sso.depart(req, res, { next, prove: visit.session.userId, kept });
    if ('refused' in gone) return show(req, visit, next, { kept, problem: gone.refused });
    return leaving(gone.url, say('Is it you?'), say('Your login service asks you once more who you are.'));
  }

  return {
    covers: (asked) => asked === path,
    async again(req, next, shown) {
      const visit = await visitOf(req);
      return visit && show(req, visit, next, shown);
    },
    async answer(req, res, form) {
      const post = req.method === 'POST';
      const next = ownPath(post ? form.get('next') : new URL(req.url, 'http://local').searchParams.get('next'));
      const visit = await visitOf(req);
      if (!visit) return { to: `/login/?next=${encodeURIComponent(next)}` };
      const { session, elsewhere, provider } = visit;
      if (!post) return show(req, visit, next);
      // A pending form is sent on in the user's name, so it has to come from a page of ours.
      if (!csrf.verify(form.get(csrfField) ?? '', 'session', session.id)) return show(req, visit, next);
      const kept = parsePendingForm(form.get('kept'));
      if (elsewhere) {
        if (!form.has('again')) return show(req, visit, next, { kept });
        if (provider) return atProvider(req, res, visit, next, kept);
        await answerOf(auth.EndSession({ id: session.id, address: contextOf(req).rateLimitKey }), 'Sessions');
        forget(session.userId);
        clearCookie(req, res, 'session');
        return loginAgain(req, res, next, kept);
      }
      const problem = await refusalFor(req, res, form, visit);
      if (problem === null) return show(req, visit, next, { kept });
      if (problem) {
        log.warn(
          { client: contextOf(req).rateLimitKey, user_id: session.userId, request_id: res.getHeader('X-Request-ID') },
          'a proof of who somebody is failed',
        );
        return show(req, visit, next, { kept, problem });
      }
      await answerOf(
        auth.ConfirmReauthentication({
          id: session.id,
          address: contextOf(req).rateLimitKey,
          method: givenFactor(form)?.kind ?? 'password',
        }),
        'Sessions',
      );
      forget(session.userId);
      return kept ? goOn(kept, session.id) : { to: next };
    },
  };
}

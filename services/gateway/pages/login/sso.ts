import { HttpError } from '@cadastre/service/errors';
import { caselessName } from '@cadastre/service/user-names';
import type { Request, Response } from 'express';
import { contextOf } from '../../arrive/request-context.ts';
import { answerOf } from '../../identify/auth-client.ts';
import { clearCookie, ownCookie, setCookie } from '../../arrive/own-cookies.ts';
import type { LoginMethods } from '@cadastre/service/external';
import type { Remote } from '../../arrive/remote.ts';
import type { PendingForm } from '../../web/pending-form.ts';
import type { AuthenticatedUser } from './session-starter.ts';
import { ownPath } from '../frame/own-path.ts';
import type { PagesOptions } from '../frame/options.ts';
import type { Answer } from '../frame/page.ts';
import { problemText } from './problems.ts';

/** Where a login by OpenID Connect begins and ends; the paths are those of NetBox. */
export const OIDC = {
  begin: '/oauth/login/oidc/',
  complete: '/oauth/complete/oidc/',
  logout: '/oauth/backchannel-logout/oidc/',
} as const;

/** A login that succeeded, or why it did not. */
type Vouched = { refused: { status: number; text: string } } | { entered: AuthenticatedUser };

/** The result of a login at the provider. */
export type Back = Vouched & {
  next: string;
  /** Whether the user was reauthenticating. */
  proving: boolean;
  /** The form that the user had typed before. */
  kept?: PendingForm | undefined;
};

type Outcome = Answer | Back;

/** Why a browser is sent to the provider. */
interface Errand {
  /** The page to go on to afterwards. */
  next: string;
  /** The id of the user who reauthenticates, whom the provider has to ask again; 0 for an ordinary login. */
  prove: number;
  /** The form that the user has typed, for the page after the login. */
  kept?: PendingForm | undefined;
}

/** Logins that another system vouches for. */
export interface Sso {
  covers(path: string): boolean;
  answer(path: string, req: Request, res: Response, form: URLSearchParams): Promise<Outcome>;
  /** Sends a browser to the provider to log in. Returns the address, or why that is impossible. */
  depart(
    req: Request,
    res: Response,
    errand: Errand,
  ): Promise<{ url: string } | Extract<Vouched, { refused: unknown }>>;
  /** The ways to log in. */
  ways(): Promise<LoginMethods>;
  /** Whom a proxy names. */
  remote(remote: Remote, address: string): Promise<Vouched>;
}

type Options = Pick<PagesOptions, 'external' | 'oidcStates' | 'pendingForms' | 'forget' | 'passwordTimeoutMs' | 'log'>;

export function ssoWith({ external, oidcStates, pendingForms, forget, passwordTimeoutMs, log }: Options): Sso {
  const ways: Sso['ways'] = () =>
    // The login page has to work even while auth is away.
    external.LoginMethods({}, { failFast: true }).catch((error: unknown) => {
      log.warn({ err: error }, 'how one can log in is not known at present');
      return { passwords: true, oidc: null };
    });

  const depart: Sso['depart'] = async (req, res, { next, prove, kept: typed }) => {
    const { problem, url, flow } = await answerOf(
      external.BeginOidc(
        { redirect_uri: `${contextOf(req).base}${OIDC.complete}`, fresh: prove !== 0 },
        { timeoutMs: passwordTimeoutMs },
      ),
      'Logins',
    );
    if (!flow) return { refused: problemText(problem) };
    const seconds = (await ways()).oidc?.seconds ?? 600;
    const kept = typed ? await pendingForms.store(typed, contextOf(req).rateLimitKey) : '';
    setCookie(req, res, 'flow', await oidcStates.seal({ ...flow, next, prove, kept }, seconds), seconds);
    return { url };
  };

  async function begin(req: Request, res: Response): Promise<Outcome> {
    const next = ownPath(new URL(req.url, 'http://local').searchParams.get('next'));
    const gone = await depart(req, res, { next, prove: 0 });
    return 'url' in gone ? { to: gone.url } : { ...gone, next, proving: false };
  }

  async function complete(req: Request, res: Response): Promise<Outcome> {
    const { search, searchParams } = new URL(req.url, 'http://local');
    const cookie = ownCookie(req, 'flow');
    const begun = cookie === undefined ? null : await oidcStates.open(cookie);
    // A foreign page may have sent the browser here, so a login that is under way stays.
    if (!begun || searchParams.get('state') !== begun.state)
      return { refused: problemText('stale'), next: '/', proving: false };
    clearCookie(req, res, 'flow');
    const { next, prove, kept, ...flow } = begun;
    const {
      problem,
      user,
      stamp,
      external: proof,
    } = await answerOf(
      external.CompleteOidc(
        { flow, query: search, address: contextOf(req).rateLimitKey },
        { timeoutMs: passwordTimeoutMs },
      ),
      'Logins',
    );
    const about = { next, proving: prove !== 0, kept: kept ? await pendingForms.take(kept) : undefined };
    if (!user) return { refused: problemText(problem), ...about };
    if (prove !== 0 && user.id !== prove) return { refused: problemText('another'), ...about };
    return { entered: { userId: user.id, stamp, method: 'oidc', external: proof }, ...about };
  }

  /** As OpenID Connect Back-Channel Logout 1.0 wants it answered. */
  async function logout(req: Request, form: URLSearchParams): Promise<Outcome> {
    const { ok, user_ids } = await answerOf(
      external.BackchannelLogout(
        { token: form.get('logout_token') ?? '', address: contextOf(req).rateLimitKey },
        { timeoutMs: passwordTimeoutMs },
      ),
      'Logins',
    );
    for (const id of user_ids) forget(id);
    return ok ? { json: {}, status: 200 } : { json: { error: 'invalid_request' }, status: 400 };
  }

  const paths = new Map<
    string,
    { method: 'GET' | 'POST'; work: (...given: Parameters<Sso['answer']>) => Promise<Outcome> }
  >([
    [OIDC.begin, { method: 'GET', work: (_, req, res) => begin(req, res) }],
    [OIDC.complete, { method: 'GET', work: (_, req, res) => complete(req, res) }],
    [OIDC.logout, { method: 'POST', work: (_path, req, _res, form) => logout(req, form) }],
  ]);

  return {
    ways,
    depart,
    covers: (path) => paths.has(path),
    async answer(path, req, res, form) {
      const { method, work } = paths.get(path)!;
      if (req.method !== method)
        throw new HttpError(405, { detail: `Method "${req.method}" not allowed.` }, { Allow: method });
      return work(path, req, res, form);
    },
    async remote(remote, address) {
      const { username, email, groups } = remote;
      const { problem, user, stamp } = await answerOf(
        external.RemoteUser({
          username,
          email,
          groups,
          address,
          first_name: remote.firstName,
          last_name: remote.lastName,
        }),
        'Logins',
      );
      return user
        ? { entered: { userId: user.id, stamp, method: 'remote', remote: caselessName(username) } }
        : { refused: problemText(problem) };
    },
  };
}

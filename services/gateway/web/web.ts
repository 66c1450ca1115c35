import { HttpError } from '@cadastre/service/errors';
import { caselessName } from '@cadastre/service/user-names';
import { assetsPath, csrfHeader, webService } from '@cadastre/service/web';
import type { Request } from 'express';
import { type Admit, type Admitted, enrolmentPage, isRead, missing, mustEnrol } from '../admit/admission.ts';
import { contextOf } from '../arrive/request-context.ts';
import type { CsrfTokens } from '../identify/csrf-tokens.ts';
import { type Session, type Sessions, sessionOf } from '../identify/sessions.ts';
import { csrfTokenOf } from './csrf-token.ts';
import { sentFromHere } from './pending-form.ts';

export interface WebOptions {
  admit: Admit;
  sessions: Sessions;
  csrf: CsrfTokens;
  /** First parts of the paths of pages; the empty one is the home page. */
  begins: ReadonlySet<string>;
}

/** A request that may go on to the web service: in whose name, and with which further headers. */
interface Visited {
  admitted: Admitted;
  headers: Record<string, string>;
  /** The session of a user who has logged in. */
  inSession?: string;
}

type Elsewhere = { login: string } | { session: string } | { enrol: string; ours: boolean };

/** Admits requests for web pages: of users who have logged in, and of forms that come from pages of their session. */
export interface Web {
  covers(path: string): boolean;
  isAsset(path: string): boolean;
  /**
   * @returns who asks; or where to log in first; or, for a form of ours that was opened in an earlier session, the
   *   present one; or where to set up a second factor first, and whether it is a form of ours. @throws HttpError 403, 405
   * @param unknown whether a client without a login may read, where such reading is allowed at all
   */
  visited(req: Request, unknown?: boolean): Promise<Visited | Elsewhere>;
}

const foreign = new HttpError(403, {
  detail:
    'This form does not come from a page that was opened in this session. Go back, load the page again, and repeat what you did.',
});

const loginFrom = (req: Request, reads: boolean): string => {
  const next = reads ? req.url : (req.headers.referer ?? '/').replace(/^https?:\/\/[^/]+/, '');
  return `/login/?next=${encodeURIComponent(next)}`;
};

/** Whether a proxy names another user than the session's, or names one while there is no session. */
export function isOfAnother(req: Request, session: Session | null, admitted: Awaited<ReturnType<Admit>>): boolean {
  const { remote } = contextOf(req);
  if (remote === null) return false;
  if ('status' in admitted) return admitted === missing;
  if (admitted.identity.anonymous || session === null) return true;
  return caselessName(remote.username) !== (session.remote ?? caselessName(admitted.identity.username));
}

export function web({ admit, sessions, csrf, begins }: WebOptions): Web {
  return {
    covers: (path) => begins.has(path.split('/', 2)[1] ?? ''),
    isAsset: (path) => path.startsWith(assetsPath),
    async visited(req, unknown = false): Promise<Visited | Elsewhere> {
      const reads = isRead(req.method);
      if (!reads && req.method !== 'POST') throw new HttpError(405, { detail: `Method "${req.method}" not allowed.` });
      const session = await sessionOf(req, sessions);
      const fromHere = reads || (session !== null && csrf.verify(csrfTokenOf(req), 'session', session.id));
      const admitted = await admit(req, 'form');
      if (admitted === mustEnrol) return { enrol: enrolmentPage, ours: !reads && fromHere };
      if (isOfAnother(req, session, admitted)) return { login: loginFrom(req, reads) };
      if (!fromHere && sentFromHere(req)) {
        const known = session !== null && 'identity' in admitted && !admitted.identity.anonymous;
        return known ? { session: session.id } : { login: '/login/' };
      }
      if ('status' in admitted && admitted !== missing)
        throw new HttpError(admitted.status, { detail: admitted.detail });
      if (unknown && reads && 'identity' in admitted && admitted.identity.anonymous) return { admitted, headers: {} };
      if ('status' in admitted || admitted.identity.anonymous || session === null)
        return { login: loginFrom(req, reads) };
      if (!fromHere) throw foreign;
      return {
        admitted,
        headers: { [csrfHeader]: csrf.issue('session', session.id) },
        inSession: session.id,
      };
    },
  };
}

/** The name of the service, for those who pass requests on to it. */
export { webService };

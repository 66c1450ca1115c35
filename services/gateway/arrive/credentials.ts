import { cookieOf } from './cookies.ts';

/** What a client says about itself in `Authorization`, or by the cookie of a session, before anything is checked. */
export type Credentials =
  | { kind: 'none' }
  | { kind: 'malformed'; detail: string }
  | { kind: 'token'; version: 1 | 2; key: string; plaintext: string; text: string }
  | { kind: 'session'; cookie: string; text: string };

/** Credentials that auth is asked about. `text` identifies them. */
export type Checkable = Extract<Credentials, { text: string }>;

const none: Credentials = { kind: 'none' };
const keyword = /^(?:token|bearer)$/i;
/** `svc_` is ours; `nbt_` is what clients of the reference system already hold. */
const prefix = /^(?:svc|nbt)_/;
const printable = /^[\x21-\x7e]+$/;

const malformed = (why: string): Credentials => ({ kind: 'malformed', detail: `Invalid authorization header: ${why}` });

/** A session counts only without a token. A token has no spaces, so it never equals the text of a session. */
function ofSession(cookies: string | undefined, secure: boolean): Credentials {
  const cookie = cookieOf(cookies, 'session', secure);
  return cookie === undefined ? none : { kind: 'session', cookie, text: `session ${cookie}` };
}

/**
 * Reads an `Authorization` header, or the cookies of a request without one. The version follows from the prefix of the
 * token and not from the keyword, so `Token svc_…` works too; other schemes (Basic, …) count as no credentials.
 * @param secure whether the request came by TLS
 */
export function credentials(authorization: string | undefined, cookies?: string, secure = false): Credentials {
  if (authorization === undefined) return ofSession(cookies, secure);
  const [scheme = '', text, ...rest] = authorization.trim().split(/\s+/);
  if (!keyword.test(scheme)) return none;
  if (text === undefined || rest.length > 0)
    return malformed('Must be in the form "Bearer <key>.<token>" or "Token <token>"');
  // This also keeps bytes that the database cannot store in a text out of the lookup.
  if (!printable.test(text)) return malformed('Token contains invalid characters');
  if (!prefix.test(text)) return { kind: 'token', version: 1, key: '', plaintext: text, text };
  const dot = text.indexOf('.');
  if (dot < 0) return malformed("Could not parse key from v2 token. Did you mean to use 'Token' instead of 'Bearer'?");
  return { kind: 'token', version: 2, key: text.slice(4, dot), plaintext: text.slice(dot + 1), text };
}

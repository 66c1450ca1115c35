/** What a client says about itself in `Authorization`, before anything is checked. A session cookie would be one more kind. */
export type Credentials =
  | { kind: 'none' }
  | { kind: 'malformed'; detail: string }
  | { kind: 'token'; version: 1 | 2; key: string; plaintext: string; text: string };

const none: Credentials = { kind: 'none' };
const keyword = /^(?:token|bearer)$/i;
/** `svc_` is ours; `nbt_` is what clients of the reference system already hold. */
const prefix = /^(?:svc|nbt)_/;
const printable = /^[\x21-\x7e]+$/;

const malformed = (why: string): Credentials => ({ kind: 'malformed', detail: `Invalid authorization header: ${why}` });

/**
 * Reads an `Authorization` header. The version follows from the prefix of the token and not from the keyword, so
 * `Token svc_…` works too; other schemes (Basic, …) count as no credentials.
 */
export function credentials(authorization: string | undefined): Credentials {
  if (authorization === undefined) return none;
  const [scheme = '', text, ...rest] = authorization.trim().split(/\s+/);
  if (!keyword.test(scheme)) return none;
  if (text === undefined || rest.length > 0) return malformed('Must be in the form "Bearer <key>.<token>" or "Token <token>"');
  // Also what keeps bytes that no database text can hold away from the lookup.
  if (!printable.test(text)) return malformed('Token contains invalid characters');
  if (!prefix.test(text)) return { kind: 'token', version: 1, key: '', plaintext: text, text };
  const dot = text.indexOf('.');
  if (dot < 0) return malformed("Could not parse key from v2 token. Did you mean to use 'Token' instead of 'Bearer'?");
  return { kind: 'token', version: 2, key: text.slice(4, dot), plaintext: text.slice(dot + 1), text };
}

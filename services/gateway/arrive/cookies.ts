/** The cookies that the gateway gives to browsers. */
export type CookieName =
  /** A session of somebody who has logged in. */
  | 'session'
  /** A visit to the login page, before there is a session. */
  | 'login'
  /** The pending form of a user who has to set up a second factor first. */
  | 'aside'
  /** A login at a provider of identities. */
  | 'flow'
  /** A login that waits for its second factor. */
  | 'step'
  /** The failed attempts before a login, for the next page to show. */
  | 'failures';

/**
 * The name of one of our cookies. A browser accepts `__Host-` only from this very host and over TLS, so that no other
 * host of the domain can set it, and a cookie that was set without TLS does not count over TLS.
 */
export const cookieName = (name: CookieName, secure: boolean): string =>
  secure ? `__Host-cadastre_${name}` : `cadastre_${name}`;

/** All values of one cookie of a `Cookie` header, without empty ones. */
export function cookiesOf(header: string | undefined, name: CookieName, secure: boolean): string[] {
  const begin = `${cookieName(name, secure)}=`;
  return (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(begin) && pair.length > begin.length)
    .map((pair) => pair.slice(begin.length));
}

/** The value of one cookie; undefined where there is none. */
export const cookieOf = (header: string | undefined, name: CookieName, secure: boolean): string | undefined =>
  cookiesOf(header, name, secure)[0];

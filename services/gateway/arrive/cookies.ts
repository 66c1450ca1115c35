/** The cookies that the gateway gives to browsers. */
export type CookieName =
  /** A session of somebody who has logged in. */
  | 'session'
  /** A visit to the login page, before there is a session. */
  | 'login'
  /** The form that waits until its user has set up a second factor. */
  | 'aside'
  /** A login at a provider of identities. */
  | 'flow'
  /** A login whose second factor is asked for. */
  | 'step'
  /** What had failed before a login, for the next page to tell. */
  | 'failures';

/**
 * The name of one of our cookies. A browser takes `__Host-` only from this very host and by TLS: no neighbour of its
 * domain can slip one in, and none that was given without TLS counts with it.
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

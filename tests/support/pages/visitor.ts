import { eventually } from '../eventually.ts';
import { expectNoSlips } from './slips.ts';

export interface Visited {
  status: number;
  location: string | null;
  headers: Headers;
  html: string;
}

/** A user of the web pages, with a browser without scripts. */
export interface Session {
  /** What the login was answered with. */
  status: number;
  location: string | null;
  html: string;
  retryAfter: string | null;
  /** The Set-Cookie header of the session; undefined when the login was refused. */
  setCookie: string | undefined;
  cookie: string;
  /** All cookies that a browser would send. */
  cookies: string;
  get(path: string): Promise<Visited>;
  post(path: string, form: Record<string, string> | [string, string][]): Promise<Visited>;
  /** The CSRF token in the forms of a page. */
  csrfToken(path: string): Promise<string>;
}

const csrfTokenIn = (html: string): string => /name="csrf_token" value="([^"]*)"/.exec(html)?.[1] ?? '';

/** Loads the login page and sends its form. */
export async function logIn(
  base: string,
  username: string,
  password: string,
  next?: string,
  headers: Record<string, string> = {},
): Promise<Session> {
  const visit = async (path: string, init: RequestInit): Promise<Visited> => {
    const response = await fetch(base + path, { redirect: 'manual', ...init });
    const html = await response.text();
    if (response.headers.get('content-type')?.startsWith('text/html')) expectNoSlips(path, html);
    return { status: response.status, location: response.headers.get('location'), headers: response.headers, html };
  };
  const page = await visit('/login/', { headers });
  const form = page.headers.getSetCookie()[0]!.split(';', 1)[0]!;
  // Checking a password is slow by design; on a busy machine it takes longer than a request may.
  const answer = await eventually(async () => {
    const given = await visit('/login/', {
      method: 'POST',
      headers: { ...headers, cookie: form },
      body: new URLSearchParams({
        username,
        password,
        csrf_token: csrfTokenIn(page.html),
        ...(next === undefined ? {} : { next }),
      }),
    });
    if (given.status === 503) throw new Error('Nobody could log in.');
    return given;
  });
  const setCookie = answer.headers.getSetCookie().find((one) => /^(__Host-)?cadastre_session=/.test(one));
  const cookie = setCookie?.split(';', 1)[0] ?? '';
  const get = (path: string) => visit(path, { headers: { cookie } });
  return {
    ...answer,
    setCookie,
    cookie,
    cookies: answer.headers
      .getSetCookie()
      .map((one) => one.split(';', 1)[0])
      .join('; '),
    retryAfter: answer.headers.get('retry-after'),
    get,
    post: (path, fields) => visit(path, { method: 'POST', headers: { cookie }, body: new URLSearchParams(fields) }),
    csrfToken: (path) =>
      eventually(async () => {
        const csrfToken = csrfTokenIn((await get(path)).html);
        if (!csrfToken) throw new Error(`There is no form at ${path}.`);
        return csrfToken;
      }),
  };
}

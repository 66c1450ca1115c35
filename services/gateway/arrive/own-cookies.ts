import type { CookieOptions, Request, Response } from 'express';
import { type CookieName, cookieName, cookieOf } from './cookies.ts';
import { contextOf } from './request-context.ts';

/** For this host, and never read by scripts. */
const optionsFor = (req: Request): CookieOptions => ({
  httpOnly: true,
  sameSite: 'lax',
  path: '/',
  secure: contextOf(req).secure,
});

/** The value of a cookie of ours that a request brings. */
export const ownCookie = (req: Request, name: CookieName): string | undefined =>
  cookieOf(req.headers.cookie, name, contextOf(req).secure);

/** Gives a browser a cookie. @param seconds how long it keeps it; undefined: until it is closed */
export function setCookie(req: Request, res: Response, name: CookieName, value: string, seconds?: number): void {
  const options = seconds === undefined ? optionsFor(req) : { ...optionsFor(req), maxAge: seconds * 1000 };
  res.cookie(cookieName(name, contextOf(req).secure), value, options);
}

/** Has a browser forget a cookie. */
export function clearCookie(req: Request, res: Response, name: CookieName): void {
  res.clearCookie(cookieName(name, contextOf(req).secure), optionsFor(req));
}

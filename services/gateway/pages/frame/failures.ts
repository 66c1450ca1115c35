import type { Request, Response } from 'express';
import type { FailedLogins } from '../../identify/auth-client.ts';
import { contextOf } from '../../arrive/request-context.ts';
import { cookieName, cookieOf } from '../../arrive/credentials.ts';

/** Carries what had failed before a login to the page that comes after it. It says nothing about who may do what. */
export const failuresCookie = (secure: boolean): string => cookieName('cadastre_failures', secure);

export const textOf = ({ count, last, address }: FailedLogins): string => `${count}_${last}_${address}`;

/** What such a cookie says; null for anything that was not written here. */
export function failuresIn(text: string | undefined): FailedLogins | null {
  let plain: string;
  try {
    plain = decodeURIComponent(text ?? '');
  } catch {
    return null;
  }
  const [, count, last, address] =
    /^(\d{1,9})_(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_([\d.a-f:]{0,45})$/.exec(plain) ?? [];
  return count === undefined ? null : { count: Number(count), last: last!, address: address! };
}

/** What had failed before the login that this visit follows. It is said once: the cookie ends with the answer. */
export function failuresBefore(req: Request, res: Response): FailedLogins | null {
  const { secure } = contextOf(req);
  const name = failuresCookie(secure);
  const failures = failuresIn(cookieOf(req.headers.cookie, name));
  if (failures) res.clearCookie(name, { path: '/', httpOnly: true, sameSite: 'lax', secure });
  return failures;
}

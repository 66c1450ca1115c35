import type { Request, Response } from 'express';
import type { FailedLogins } from '../../identify/auth-client.ts';
import { clearCookie, ownCookie, setCookie } from '../../arrive/own-cookies.ts';

/** How long the cookie waits for the next page. */
const SECONDS = 3_600;

export const textOf = ({ count, last, address }: FailedLogins): string => `${count}_${last}_${address}`;

/** Has the next page show the failed attempts for the user's name. The cookie gives no permission. */
export function tellFailures(req: Request, res: Response, failures: FailedLogins | null | undefined): void {
  if (failures) setCookie(req, res, 'failures', textOf(failures), SECONDS);
}

/** The content of such a cookie; null if it was not written here. */
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

/** The failed attempts before the login that this visit follows. They are shown once: the answer deletes the cookie. */
export function failuresBefore(req: Request, res: Response): FailedLogins | null {
  const failures = failuresIn(ownCookie(req, 'failures'));
  if (failures) clearCookie(req, res, 'failures');
  return failures;
}

import type { Request, Response } from 'express';
import type { FailedLogins } from '../../identify/auth-client.ts';
import { clearCookie, ownCookie, setCookie } from '../../arrive/own-cookies.ts';

/** How long the cookie waits for the next page. */
const SECONDS = 3_600;

export const textOf = ({ count, last, address }: FailedLogins): string => `${count}_${last}_${address}`;

/** Has the next page tell what had failed in the user's name. The cookie says nothing about who may do what. */
export function tellFailures(req: Request, res: Response, failures: FailedLogins | null | undefined): void {
  if (failures) setCookie(req, res, 'failures', textOf(failures), SECONDS);
}

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
  const failures = failuresIn(ownCookie(req, 'failures'));
  if (failures) clearCookie(req, res, 'failures');
  return failures;
}

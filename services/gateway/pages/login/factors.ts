import type { Request, Response } from 'express';
import { contextOf } from '../../arrive/request-context.ts';
import { answerOf, type Checked, type FactorKind } from '../../identify/auth-client.ts';
import type { PagesOptions } from '../frame/options.ts';
import { passkeyOf } from './passkeys.ts';
import { say } from '../frame/texts/say.ts';

/** Who is asked for a second factor, and in which visit: a passkey's signature counts in that visit only. */
export interface Asked {
  userId: number;
  stamp: string;
  factors: readonly FactorKind[];
  about: string;
}

/** What a form for a second factor shows. */
export async function factorsAsked(req: Request, asked: Asked, options: Pick<PagesOptions, 'auth' | 'csrf'>) {
  const { userId, factors, about } = asked;
  return {
    codes: factors.includes('totp'),
    recovery: factors.includes('recovery'),
    passkey: factors.includes('passkey') ? await passkeyOf(req, userId, options, about) : undefined,
  };
}

/** What somebody has given as a second factor; undefined for nothing. */
export function givenFactor(form: URLSearchParams): { kind: FactorKind; response: string } | undefined {
  const [passkey, code] = [form.get('passkey')?.trim() ?? '', form.get('code')?.trim() ?? ''];
  if (passkey !== '') return { kind: 'passkey', response: passkey };
  if (code === '') return undefined;
  return { kind: /^\d{6}$/.test(code.replace(/[\s-]/g, '')) ? 'totp' : 'recovery', response: code };
}

/** Has auth check it. */
export const checkedFactor = (
  req: Request,
  form: URLSearchParams,
  { userId, stamp, about }: Omit<Asked, 'factors'>,
  given: { kind: FactorKind; response: string },
  { auth, csrf, passwordTimeoutMs }: PagesOptions,
): Promise<Checked> => {
  const challenge = form.get('challenge') ?? '';
  const { base, rateLimitKey: address } = contextOf(req);
  const ours = given.kind !== 'passkey' || csrf.verify(challenge, 'passkey', about);
  return answerOf(
    auth.CheckFactor(
      { user_id: userId, stamp, ...given, challenge: ours ? challenge : '', base, address },
      { timeoutMs: passwordTimeoutMs },
    ),
    'Second factors',
  );
};

/** Why a password or a second factor counts for nothing; undefined when it does. */
export function refusalOf(
  res: Response,
  {
    ok,
    user,
    wait,
    busy,
    unavailable = false,
  }: Pick<Checked, 'ok' | 'user' | 'wait' | 'busy'> & { unavailable?: boolean },
  wrong: string,
): { status: number; text: string } | undefined {
  if (wait > 0) {
    res.setHeader('Retry-After', wait);
    return {
      status: 429,
      text: say('Too many attempts have failed. Please wait {seconds} seconds.', { seconds: wait }),
    };
  }
  if (busy) {
    res.setHeader('Retry-After', 2);
    return { status: 503, text: say('Too many log in at present. Please try again.') };
  }
  if (unavailable)
    return {
      status: 503,
      text: say(
        'Your password cannot be checked at present, as the directory does not answer. Please try again later.',
      ),
    };
  return ok && user ? undefined : { status: 403, text: wrong };
}

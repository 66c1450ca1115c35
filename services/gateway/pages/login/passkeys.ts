import type { Request } from 'express';
import { contextOf } from '../../arrive/request-context.ts';
import { type AuthClient, answerOf } from '../../identify/auth-client.ts';
import type { CsrfTokens } from '../../identify/csrf-tokens.ts';

/** What a page's script asks the browser for a passkey with, and the challenge that the passkey signs. */
export interface PasskeyRequest {
  challenge: string;
  /** JSON. */
  options: string;
}

const TIMEOUT_MS = 120_000;

/** A challenge in the encoding that a passkey signs. */
const challengeOf = (mark: string): string => Buffer.from(mark, 'utf8').toString('base64url');

/** Asks for any passkey of this host: it says whose it is, and has to verify its user itself. */
export function anyPasskey(req: Request, csrf: CsrfTokens, about: string): PasskeyRequest {
  const challenge = csrf.issue('passkey', about);
  const options = {
    challenge: challengeOf(challenge),
    rpId: new URL(contextOf(req).base).hostname,
    userVerification: 'required',
    timeout: TIMEOUT_MS,
  };
  return { challenge, options: JSON.stringify(options) };
}

/** Asks for one of a user's passkeys. */
export async function passkeyOf(
  req: Request,
  userId: number,
  { auth, csrf }: { auth: AuthClient; csrf: CsrfTokens },
  about: string,
): Promise<PasskeyRequest> {
  const challenge = csrf.issue('passkey', about);
  const { options } = await answerOf(
    auth.PasskeyOptions({ user_id: userId, challenge, base: contextOf(req).base }),
    'Passkeys',
  );
  return { challenge, options };
}

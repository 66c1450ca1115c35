import type { Request } from 'express';
import { arrivalOf } from '../../arrive/arrival.ts';
import { type AuthClient, answerOf } from '../../identify/auth-client.ts';
import type { Forms } from '../../identify/forms.ts';

/** What a page gives its script to ask the browser for a passkey, and the mark that the passkey signs. */
export interface PasskeyRequest {
  challenge: string;
  /** JSON. */
  options: string;
}

const TIMEOUT_MS = 120_000;

/** A mark as a passkey signs it. */
export const challengeOf = (mark: string): string => Buffer.from(mark, 'utf8').toString('base64url');

/** Asks for any passkey of this place: it says itself whose it is, and its user has to show who they are to it. */
export function anyPasskey(req: Request, forms: Forms, about: string): PasskeyRequest {
  const challenge = forms.mark('passkey', about);
  const options = {
    challenge: challengeOf(challenge),
    rpId: new URL(arrivalOf(req).base).hostname,
    userVerification: 'required',
    timeout: TIMEOUT_MS,
  };
  return { challenge, options: JSON.stringify(options) };
}

/** Asks for one of a user's passkeys. */
export async function passkeyOf(
  req: Request,
  userId: number,
  { auth, forms }: { auth: AuthClient; forms: Forms },
  about: string,
): Promise<PasskeyRequest> {
  const challenge = forms.mark('passkey', about);
  const { options } = await answerOf(
    auth.PasskeyOptions({ user_id: userId, challenge, base: arrivalOf(req).base }),
    'Passkeys',
  );
  return { challenge, options };
}

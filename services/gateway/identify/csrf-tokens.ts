import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { keyFor } from '@cadastre/service/keys';
import type { Secret } from '@cadastre/service/secret';

/**
 * What a token is for, and what it is bound to. `visit`: the cookie by which the login page recognizes a client, bound
 * to nothing. `login`: the login form shown in such a visit, bound to its cookie. `session`: forms for a user who has
 * logged in, bound to the session's id. `second`: the form for a second factor, bound to the login step. `passkey`: the
 * challenge for a passkey, bound to the visit, the step or the session in which it is valid.
 */
type CsrfPurpose = 'visit' | 'login' | 'session' | 'second' | 'passkey';

/**
 * Tokens are signed, so that the gateway recognizes what it has issued itself. What a token is bound to never comes from
 * a client unchecked.
 */
export interface CsrfTokens {
  issue(purpose: CsrfPurpose, about?: string): string;
  /** Whether a token was issued here, for this purpose and this context, and has not expired. */
  verify(token: string, purpose: CsrfPurpose, about?: string): boolean;
}

/** `<random nonce>.<expiry, in seconds>.<signature of both, the purpose and what it is bound to>` */
const shape = /^([\w-]{22})\.(\d{1,12})\.([\w-]{43})$/;

export function csrfTokens(secret: Secret, seconds: number, now: () => number = Date.now): CsrfTokens {
  const key = keyFor(secret, 'forms');
  // As JSON, in which different lists never have the same text.
  const sign = (...parts: readonly [purpose: CsrfPurpose, about: string, nonce: string, end: string]): Buffer =>
    createHmac('sha256', key).update(JSON.stringify(parts)).digest();
  return {
    issue(purpose, about = '') {
      const nonce = randomBytes(16).toString('base64url');
      const end = String(Math.floor(now() / 1000) + seconds);
      return `${nonce}.${end}.${sign(purpose, about, nonce, end).toString('base64url')}`;
    },
    verify(token, purpose, about = '') {
      const [, nonce, end, signature] = shape.exec(token) ?? [];
      if (nonce === undefined || end === undefined || signature === undefined || Number(end) * 1000 <= now())
        return false;
      return timingSafeEqual(Buffer.from(signature, 'base64url'), sign(purpose, about, nonce, end));
    },
  };
}

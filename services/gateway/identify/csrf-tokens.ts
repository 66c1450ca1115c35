import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { keyFor } from '@cadastre/service/keys';
import type { Secret } from '@cadastre/service/secret';

/**
 * What a mark is for, and what it is about. `visit`: the cookie by which the login page knows a client again; about
 * nothing, as it is all made here. `login`: the form that was shown in such a visit, about its cookie. `session`: forms
 * for somebody who has logged in, about the session's id. `second`: the form for a second factor, about the step;
 * `passkey`: what a passkey has to sign, about the visit, the step or the session in which that counts.
 */
type CsrfPurpose = 'visit' | 'login' | 'session' | 'second' | 'passkey';

/**
 * Marks by which the gateway knows what it has made itself. Nothing that a client chose gets one: what they are about
 * was made here too, or is checked first.
 */
export interface CsrfTokens {
  issue(purpose: CsrfPurpose, about?: string): string;
  /** Whether a mark was made here, for this purpose and about this, and is not too old. */
  verify(mark: string, purpose: CsrfPurpose, about?: string): boolean;
}

/** `<what nobody can guess>.<end, in seconds>.<signature of both, the purpose and what it is about>` */
const shape = /^([\w-]{22})\.(\d{1,12})\.([\w-]{43})$/;

export function csrfTokens(secret: Secret, seconds: number, now: () => number = Date.now): CsrfTokens {
  const key = keyFor(secret, 'forms');
  // As JSON, in which no two lists are written alike.
  const sign = (...parts: readonly [purpose: CsrfPurpose, about: string, nonce: string, end: string]): Buffer =>
    createHmac('sha256', key).update(JSON.stringify(parts)).digest();
  return {
    issue(purpose, about = '') {
      const nonce = randomBytes(16).toString('base64url');
      const end = String(Math.floor(now() / 1000) + seconds);
      return `${nonce}.${end}.${sign(purpose, about, nonce, end).toString('base64url')}`;
    },
    verify(mark, purpose, about = '') {
      const [, nonce, end, signature] = shape.exec(mark) ?? [];
      if (nonce === undefined || end === undefined || signature === undefined || Number(end) * 1000 <= now())
        return false;
      return timingSafeEqual(Buffer.from(signature, 'base64url'), sign(purpose, about, nonce, end));
    },
  };
}

import { createHmac, timingSafeEqual } from 'node:crypto';

export type Verdict = 'valid' | 'wrong' | 'missing';

/** Whether a signature is the HMAC-SHA512 of the body. */
export function verify(body: Buffer, signature: string | undefined, secret: string): Verdict {
  if (signature === undefined) return 'missing';
  const expected = Buffer.from(createHmac('sha512', secret).update(body).digest('hex'));
  const given = Buffer.from(signature.trim().toLowerCase());
  return given.length === expected.length && timingSafeEqual(given, expected) ? 'valid' : 'wrong';
}

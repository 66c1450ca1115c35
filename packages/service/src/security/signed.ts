import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { PublicKeys, SigningKey } from '../settings/key-pairs.ts';
import { MAX_SECONDS } from '../settings/signed-seconds.ts';

/** What a signed statement is, and for whom. What is signed as one thing or for one audience counts as no other. */
export interface Purpose {
  readonly type: string;
  readonly audience: string;
}

/** So far may the clocks of two machines be apart, in seconds. */
const SKEW_SECONDS = 5;

/** A short-lived statement (JWT, EdDSA). */
export const signed = (
  claims: JWTPayload,
  { kid, key }: SigningKey,
  { type, audience }: Purpose,
  seconds: number,
): Promise<string> => {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'EdDSA', kid, typ: type })
    .setAudience(audience)
    .setIssuedAt(now)
    .setExpirationTime(now + seconds)
    .sign(key);
};

export interface Verified<Claims> {
  readonly claims: Claims & JWTPayload;
  /** Whose key it was signed with. */
  readonly signer: string;
  /** Milliseconds that it counts yet. */
  readonly left: number;
}

/**
 * @throws JOSEError for what was not signed with one of these keys, for this purpose, or counts for longer than it may
 */
export async function verified<Claims>(
  token: string,
  keys: PublicKeys,
  { type, audience }: Purpose,
): Promise<Verified<Claims>> {
  // By its name alone: which algorithm a key is for is not for the token to say.
  const found = ({ kid }: { kid?: string }) => {
    const known = kid === undefined ? undefined : keys.get(kid);
    if (!known) throw new errors.JWKSNoMatchingKey();
    return known;
  };
  const { payload, protectedHeader } = await jwtVerify<Claims>(token, (header) => found(header).key, {
    algorithms: ['EdDSA'],
    typ: type,
    audience,
    requiredClaims: ['iat', 'exp'],
  });
  const { iat = 0, exp = 0 } = payload;
  const now = Date.now();
  if (exp - iat > MAX_SECONDS)
    throw new errors.JWTClaimValidationFailed('it counts for longer than it may', payload, 'exp', 'check_failed');
  if (iat * 1000 > now + SKEW_SECONDS * 1000)
    throw new errors.JWTClaimValidationFailed('it is of the future', payload, 'iat', 'check_failed');
  return { claims: payload, signer: found(protectedHeader).owner, left: exp * 1000 - now };
}

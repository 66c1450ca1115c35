import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { PublicKeys, SigningKey } from '../settings/key-pairs.ts';
import { MAX_SECONDS } from '../settings/signed-seconds.ts';

/**
 * What kind of statement is signed, and for which audience. It is not valid as another kind or for another audience.
 */
export interface Purpose {
  readonly type: string;
  readonly audience: string;
}

/** How far the clocks of two machines may be apart, in seconds. */
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
  /** The name of the service whose key signed it. */
  readonly signer: string;
  /** For how many more milliseconds it is valid. */
  readonly left: number;
}

/**
 * @throws JOSEError if it was not signed with one of these keys, or not for this purpose, or is valid for longer than
 * allowed
 */
export async function verified<Claims>(
  token: string,
  keys: PublicKeys,
  { type, audience }: Purpose,
): Promise<Verified<Claims>> {
  // The key is found by its id alone: the token must not say for which algorithm a key is.
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

import { jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Secret } from './secret.ts';

/** The header in which the gateway hands a verified identity to a service. */
export const identityHeader = 'x-cadastre-identity';

/** Who asks, as the auth service found from the token. */
export type UserIdentity = {
  readonly anonymous: false;
  readonly userId: number;
  readonly username: string;
  readonly superuser: boolean;
  /** Changes whenever the user's permissions do. */
  readonly permissionsVersion: number;
  readonly tokenId: number | null;
  readonly writeEnabled: boolean;
};
export type AnonymousIdentity = { readonly anonymous: true };
export type Identity = UserIdentity | AnonymousIdentity;

export const anonymous: AnonymousIdentity = Object.freeze({ anonymous: true });

/** An identity token that is malformed, expired or signed by somebody else. */
export class IdentityError extends Error {
  override readonly name = 'IdentityError';
}

type Claims = { sub?: string; name?: string; su?: boolean; pv?: number; tok?: number | null; we?: boolean; anon?: true };
const audience = 'identity';
const cacheSize = 10_000;
const keyOf = (secret: Secret) => new TextEncoder().encode(secret.reveal());

/** A signed statement of who asks, valid for `ttlSeconds`. */
export async function signIdentity(identity: Identity, secret: Secret, ttlSeconds: number): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT(toClaims(identity)).setProtectedHeader({ alg: 'HS256' }).setAudience(audience).setIssuedAt(now).setExpirationTime(now + ttlSeconds).sign(keyOf(secret));
}

/** Signs identities; the same identity is signed once per half of its lifetime, so that services verify it rarely too. */
export function createIdentitySigner(secret: Secret, ttlSeconds: number): (identity: Identity) => string | Promise<string> {
  const signed = new LRUCache<string, string>({ max: cacheSize, ttl: (ttlSeconds * 1000) / 2 });
  return (identity) => {
    const key = JSON.stringify(identity);
    return signed.get(key) ?? signIdentity(identity, secret, ttlSeconds).then((token) => { signed.set(key, token); return token; });
  };
}

/** Verifies identity tokens. One that was verified before is answered from memory, at once, until it expires. */
export function createIdentityVerifier(secret: Secret): (token: string) => Identity | Promise<Identity> {
  const key = keyOf(secret);
  const verified = new LRUCache<string, Identity>({ max: cacheSize, ttl: 1 });
  const verify = async (token: string): Promise<Identity> => {
    const { payload } = await jwtVerify<Claims>(token, key, { algorithms: ['HS256'], audience, requiredClaims: ['exp'] })
      .catch((error: Error) => { throw new IdentityError(error.message); });
    const identity = Object.freeze(fromClaims(payload));
    const left = (payload.exp ?? 0) * 1000 - Date.now();
    if (left > 0) verified.set(token, identity, { ttl: left });
    return identity;
  };
  return (token) => verified.get(token) ?? verify(token);
}

function toClaims(identity: Identity): Claims {
  if (identity.anonymous) return { anon: true };
  const { userId, username, superuser, permissionsVersion, tokenId, writeEnabled } = identity;
  return { sub: String(userId), name: username, su: superuser, pv: permissionsVersion, tok: tokenId, we: writeEnabled };
}

function fromClaims(claims: Claims): Identity {
  if (claims.anon === true) return anonymous;
  const userId = Number(claims.sub);
  if (!Number.isSafeInteger(userId) || userId <= 0 || typeof claims.name !== 'string') throw new IdentityError('the identity names no user');
  return {
    anonymous: false, userId, username: claims.name, superuser: claims.su === true, permissionsVersion: claims.pv ?? 0,
    tokenId: claims.tok ?? null, writeEnabled: claims.we === true,
  };
}

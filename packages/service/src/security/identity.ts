import { errors } from 'jose';
import { LRUCache } from 'lru-cache';
import { EXPIRY_SLACK_MS } from './expiry.ts';
import type { PublicKeys, SigningKey } from '../settings/key-pairs.ts';
import { type Purpose, signed, verified } from './signed.ts';

/** The header in which the gateway passes a signed identity to a service. */
export const identityHeader = 'x-cadastre-identity';

/** The requester, as determined by the auth service. */
export type UserIdentity = {
  readonly anonymous: false;
  readonly userId: number;
  readonly username: string;
  readonly superuser: boolean;
  /** Changes whenever the user's permissions do. */
  readonly permissionsVersion: number;
  readonly tokenId: number | null;
  readonly writeEnabled: boolean;
  /** The number of the session, if the requester has logged in to the web pages. */
  readonly sessionId?: number;
  /**
   * Of a session: until when its user counts as recently authenticated, in seconds since 1970. Without it they always
   * do.
   */
  readonly provenUntil?: number;
  /** Of a session: distinguishes the user's current choices for the pages from earlier ones. */
  readonly configVersion?: string;
};
export type AnonymousIdentity = { readonly anonymous: true };
export type Identity = UserIdentity | AnonymousIdentity;

export const anonymous: AnonymousIdentity = Object.freeze({ anonymous: true });

/** An identity token that is malformed, expired or signed by somebody else. */
export class IdentityError extends Error {
  override readonly name = 'IdentityError';
}

type Claims = {
  sub?: string;
  name?: string;
  su?: boolean;
  pv?: number;
  tok?: number | null;
  we?: boolean;
  ses?: number;
  pu?: number;
  cv?: string;
  anon?: true;
};
const purpose: Purpose = { type: 'cadastre-identity+jwt', audience: 'services' };
const cacheSize = 10_000;

/**
 * A signed statement of the requester's identity, valid for `ttlSeconds`; services reject any that is valid for longer
 * than a minute.
 */
export const signIdentity = (identity: Identity, key: SigningKey, ttlSeconds: number): Promise<string> =>
  signed(toClaims(identity), key, purpose, ttlSeconds);

/**
 * Signs identities; the same identity is signed once per half of its lifetime, so that services seldom have to verify
 * it either.
 */
export function createIdentitySigner(
  signing: SigningKey,
  ttlSeconds: number,
): (identity: Identity) => string | Promise<string> {
  const known = new LRUCache<string, string>({
    max: cacheSize,
    ttl: (ttlSeconds * 1000) / 2,
    ttlResolution: EXPIRY_SLACK_MS,
  });
  const keyOf = rememberedKeys();
  return (identity) => {
    const key = keyOf(identity);
    return (
      known.get(key) ??
      signIdentity(identity, signing, ttlSeconds).then((token) => {
        known.set(key, token);
        return token;
      })
    );
  };
}

/** The contents of an identity as text; computed once for a frozen identity. */
function rememberedKeys(): (identity: Identity) => string {
  const known = new WeakMap<Identity, string>();
  return (identity) => {
    const before = known.get(identity);
    if (before !== undefined) return before;
    const key = JSON.stringify(identity);
    if (Object.isFrozen(identity)) known.set(identity, key);
    return key;
  };
}

/** Verifies identity tokens. A token that was verified before is answered from memory until it expires. */
export function createIdentityVerifier(keys: PublicKeys): (token: string) => Identity | Promise<Identity> {
  const remembered = new LRUCache<string, Identity>({ max: cacheSize, ttl: 1, ttlResolution: EXPIRY_SLACK_MS });
  const verify = async (token: string): Promise<Identity> => {
    const { claims, left } = await verified<Claims>(token, keys, purpose).catch((error: unknown) => {
      throw error instanceof errors.JOSEError ? new IdentityError(error.message) : error;
    });
    const identity = Object.freeze(fromClaims(claims));
    if (left > 0) remembered.set(token, identity, { ttl: left });
    return identity;
  };
  return (token) => remembered.get(token) ?? verify(token);
}

function toClaims(identity: Identity): Claims {
  if (identity.anonymous) return { anon: true };
  const { sessionId, provenUntil, configVersion } = identity;
  return {
    sub: String(identity.userId),
    name: identity.username,
    su: identity.superuser,
    pv: identity.permissionsVersion,
    tok: identity.tokenId,
    we: identity.writeEnabled,
    ...(sessionId === undefined ? {} : { ses: sessionId }),
    ...(provenUntil === undefined ? {} : { pu: provenUntil }),
    ...(configVersion === undefined ? {} : { cv: configVersion }),
  };
}

function fromClaims(claims: Claims): Identity {
  if (claims.anon === true) return anonymous;
  const userId = Number(claims.sub);
  if (!Number.isSafeInteger(userId) || userId <= 0 || typeof claims.name !== 'string')
    throw new IdentityError('the identity names no user');
  return {
    anonymous: false,
    userId,
    username: claims.name,
    superuser: claims.su === true,
    permissionsVersion: claims.pv ?? 0,
    tokenId: claims.tok ?? null,
    writeEnabled: claims.we === true,
    ...(claims.ses === undefined ? {} : { sessionId: claims.ses }),
    ...(claims.pu === undefined ? {} : { provenUntil: claims.pu }),
    ...(claims.cv === undefined ? {} : { configVersion: claims.cv }),
  };
}

import { jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Secret } from './secret.ts';

/** The metadata entry by which one service proves to another that it is one of ours. */
export const credentialKey = 'x-cadastre-service';

const audience = 'grpc';
const ttlSeconds = 300;
const keyOf = (secret: Secret) => new TextEncoder().encode(secret.reveal());

/** Gives the credential of this service, signed anew when half of its life is over. */
export function createCredential(service: string, secret: Secret): () => Promise<string> {
  const key = keyOf(secret);
  let current: { token: Promise<string>; until: number } | undefined;
  return () => {
    const now = Math.floor(Date.now() / 1000);
    if (!current || current.until <= now) {
      const token = new SignJWT({}).setProtectedHeader({ alg: 'HS256' }).setSubject(service).setAudience(audience).setIssuedAt(now).setExpirationTime(now + ttlSeconds).sign(key);
      current = { token, until: now + ttlSeconds / 2 };
    }
    return current.token;
  };
}

/** Says which service a credential belongs to; undefined when it is not valid. Valid ones are remembered until they expire. */
export function createCredentialCheck(secret: Secret): (token: string) => string | Promise<string | undefined> {
  const key = keyOf(secret);
  const known = new LRUCache<string, string>({ max: 1000, ttl: 1 });
  const verify = async (token: string): Promise<string | undefined> => {
    const verified = await jwtVerify(token, key, { algorithms: ['HS256'], audience, requiredClaims: ['exp', 'sub'] }).catch(() => undefined);
    if (!verified?.payload.sub) return undefined;
    const left = (verified.payload.exp ?? 0) * 1000 - Date.now();
    if (left > 0) known.set(token, verified.payload.sub, { ttl: left });
    return verified.payload.sub;
  };
  return (token) => known.get(token) ?? verify(token);
}

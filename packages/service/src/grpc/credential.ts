import { errors } from 'jose';
import { LRUCache } from 'lru-cache';
import type { PublicKeys, SigningKey } from '../settings/key-pairs.ts';
import { type Purpose, signed, verified } from '../security/signed.ts';
import { MAX_SECONDS } from '../settings/signed-seconds.ts';

/** The metadata entry by which a service proves its identity to another. */
export const credentialKey = 'x-cadastre-service';

/** Bound to the service that is called, so that it cannot be used at another one. */
const purposeFor = (called: string): Purpose => ({ type: 'cadastre-call+jwt', audience: called });

/** Gives the credential of this service at another, signed anew when half of its life is over. */
export function createCredential(own: SigningKey, called: string): () => Promise<string> {
  let current: { token: Promise<string>; until: number } | undefined;
  return () => {
    if (!current || current.until <= Date.now())
      current = {
        token: signed({}, own, purposeFor(called), MAX_SECONDS),
        until: Date.now() + (MAX_SECONDS / 2) * 1000,
      };
    return current.token;
  };
}

/**
 * Returns the service to which a credential for the service of that name belongs; undefined for an invalid one. Valid
 * ones are remembered until they expire.
 */
export function createCredentialCheck(
  keys: PublicKeys,
  called: string,
): (token: string) => string | Promise<string | undefined> {
  const remembered = new LRUCache<string, string>({ max: 1000, ttl: 1 });
  const verify = async (token: string): Promise<string | undefined> => {
    try {
      const { signer, left } = await verified(token, keys, purposeFor(called));
      if (left > 0) remembered.set(token, signer, { ttl: left });
      return signer;
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  };
  return (token) => remembered.get(token) ?? verify(token);
}

import { keyFor } from '@cadastre/service/keys';
import type { Secret } from '@cadastre/service/secret';
import { EncryptJWT, jwtDecrypt } from 'jose';
import type { OidcFlow } from './external-client.ts';

/** A login that a browser has begun somewhere else, and where it wants to go then. */
export interface Begun extends OidcFlow {
  next: string;
}

/** What a browser keeps while its user logs in somewhere else: encrypted, so that it can neither be read nor made. */
export interface Flows {
  close(begun: Begun, seconds: number): Promise<string>;
  /** Null for what was not made here, or is too old. */
  open(cookie: string): Promise<Begun | null>;
}

const audience = 'login elsewhere';
const HEADER = { alg: 'dir', enc: 'A256GCM' } as const;
const PARTS = ['state', 'nonce', 'verifier', 'redirect_uri', 'next'] as const;

export function flows(secret: Secret): Flows {
  const key = keyFor(secret, 'flows');
  return {
    close: (begun, seconds) =>
      new EncryptJWT({ ...begun })
        .setProtectedHeader(HEADER)
        .setAudience(audience)
        .setExpirationTime(`${seconds}s`)
        .encrypt(key),
    async open(cookie) {
      const { payload } = await jwtDecrypt(cookie, key, {
        audience,
        requiredClaims: ['exp'],
        keyManagementAlgorithms: [HEADER.alg],
        contentEncryptionAlgorithms: [HEADER.enc],
      }).catch(() => ({ payload: null }));
      if (!payload || PARTS.some((name) => typeof payload[name] !== 'string')) return null;
      return Object.fromEntries(PARTS.map((name) => [name, payload[name]])) as unknown as Begun;
    },
  };
}

import { keyFor } from '@cadastre/service/keys';
import type { Secret } from '@cadastre/service/secret';
import { EncryptJWT, jwtDecrypt } from 'jose';
import type { OidcFlow } from '@cadastre/service/external';

/** A login at the provider that a browser has begun. */
interface OidcState extends OidcFlow {
  /** The page to go on to afterwards. */
  next: string;
  /** The id of the user who reauthenticates; 0 for an ordinary login. */
  prove: number;
  /** The key of the pending form; empty: there is none. */
  kept: string;
}

/** What a browser keeps while its user logs in somewhere else: encrypted, so that nobody can read or forge it. */
export interface OidcStates {
  seal(begun: OidcState, seconds: number): Promise<string>;
  /** Null for what was not made here, or is too old. */
  open(cookie: string): Promise<OidcState | null>;
}

const audience = 'login elsewhere';
const HEADER = { alg: 'dir', enc: 'A256GCM' } as const;
const PARTS = {
  state: 'string',
  nonce: 'string',
  verifier: 'string',
  redirect_uri: 'string',
  fresh_since: 'number',
  next: 'string',
  prove: 'number',
  kept: 'string',
} as const satisfies Record<keyof OidcState, string>;
const parts = Object.entries(PARTS);

export function oidcStates(secret: Secret): OidcStates {
  const key = keyFor(secret, 'flows');
  return {
    seal: (begun, seconds) =>
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
      if (!payload || parts.some(([name, type]) => typeof payload[name] !== type)) return null;
      return Object.fromEntries(parts.map(([name]) => [name, payload[name]])) as unknown as OidcState;
    },
  };
}

import { createRemoteJWKSet, customFetch, type JWTPayload, jwtVerify } from 'jose';
import { useOnce } from '../account/useOnce.ts';
import { limitedFetch } from './fetching.ts';
import { type OidcDeps, reasonOf } from './login.ts';
import { endOidcSessions, type OidcLogin } from './sessions.ts';
import { isPlain } from './settings.ts';

/**
 * Where the browser ends its session at the provider, too; null if the provider has no such endpoint, or it is turned
 * off.
 */
export async function logoutUrl(
  { provider, config, log }: Pick<OidcDeps, 'provider' | 'config' | 'log'>,
  { issuer, idToken }: OidcLogin,
  back: string,
): Promise<string | null> {
  // The provider may be another one since.
  if (!config.oidcLogout || issuer !== config.oidcIssuer) return null;
  try {
    const client = await provider.client();
    const configuration = await provider.configuration();
    if (!configuration.serverMetadata().end_session_endpoint) return null;
    return client.buildEndSessionUrl(configuration, { id_token_hint: idToken, post_logout_redirect_uri: back }).href;
  } catch (error) {
    log.warn({ issuer, why: reasonOf(error) }, 'nobody can log out at the provider of identities at present');
    return null;
  }
}

/** The event of a logout token, as OpenID Connect Back-Channel Logout 1.0 names it. */
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** Signatures by keys that only the provider has: knowing the client's secret must not be enough. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
const TYPES = new Set(['logout+jwt', 'jwt']);
const MOST_BYTES = 16_384;

type Keys = ReturnType<typeof createRemoteJWKSet>;

/** Ends sessions when the provider says so, without a browser. */
export interface BackchannelLogout {
  /** Returns the users whose sessions have ended; null if the token is not valid. */
  end(token: string, address: string): Promise<number[] | null>;
}

export function backchannelLogout(deps: OidcDeps): BackchannelLogout {
  const { provider, config, engine, db, log, security } = deps;
  let keys: { uri: string; set: Keys } | undefined;

  function keysAt(uri: string): Keys {
    const { protocol } = new URL(uri);
    if (protocol !== 'https:' && !isPlain(config.oidcIssuer))
      throw new Error('the keys of the provider are not at https:');
    if (keys?.uri !== uri) {
      const { oidcTimeoutMs: timeoutMs, oidcMaxResponseBytes: maxBytes } = config;
      const fetching = limitedFetch({ timeoutMs, maxBytes });
      keys = {
        uri,
        set: createRemoteJWKSet(new URL(uri), {
          timeoutDuration: timeoutMs,
          [customFetch]: (url, { headers, method, signal }) => fetching(url, { headers, method, signal }),
        }),
      };
    }
    return keys.set;
  }

  async function verified(token: string): Promise<JWTPayload> {
    if (token.length > MOST_BYTES) throw new Error('it is too long');
    const { jwks_uri, id_token_signing_alg_values_supported: used = ['RS256'] } = (
      await provider.configuration()
    ).serverMetadata();
    if (jwks_uri === undefined) throw new Error('the provider tells of no keys');
    const { payload, protectedHeader } = await jwtVerify(token, keysAt(jwks_uri), {
      issuer: config.oidcIssuer,
      audience: config.oidcClientId,
      algorithms: ALGORITHMS.filter((name) => used.includes(name)),
      clockTolerance: config.oidcClockTolerance,
      maxTokenAge: config.oidcLogoutTokenSeconds,
      requiredClaims: ['iat', 'jti', 'events'],
    });
    const type = protectedHeader.typ?.toLowerCase().replace(/^application\//, '');
    if (type !== undefined && !TYPES.has(type)) throw new Error('it is a token of another type');
    const { events, nonce, sid, sub, jti } = payload;
    const event =
      typeof events === 'object' && events !== null ? (events as Record<string, unknown>)[EVENT] : undefined;
    if (typeof event !== 'object' || event === null) throw new Error('it is not about a logout');
    // Otherwise an ID token, which others get to see, would be accepted.
    if (nonce !== undefined) throw new Error('it has a nonce');
    if (typeof sub !== 'string' && typeof sid !== 'string') throw new Error('it names neither a session nor a subject');
    if (typeof jti !== 'string' || jti === '') throw new Error('it has no number');
    return payload;
  }

  return {
    async end(token, address) {
      const refuse = (why: string): null => {
        log.warn({ issuer: config.oidcIssuer, why, client: address }, 'a logout token was refused');
        const user = { id: null, name: '' };
        security.note({
          kind: 'session_ended',
          ok: false,
          user,
          address,
          method: 'oidc',
          detail: 'a logout token was refused',
        });
        return null;
      };
      let payload: JWTPayload;
      try {
        payload = await verified(token);
      } catch (error) {
        return refuse(reasonOf(error));
      }
      const { jti, sid, sub: subject } = payload;
      const age = config.oidcLogoutTokenSeconds + 2 * config.oidcClockTolerance;
      if (!(await useOnce(db, ['logout token', config.oidcIssuer, jti!], age))) return refuse('it came a second time');
      return endOidcSessions(engine, security, {
        address,
        issuer: config.oidcIssuer,
        sid: typeof sid === 'string' ? sid : null,
        subject: subject ?? null,
      });
    },
  };
}

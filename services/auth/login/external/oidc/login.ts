import type { Log } from '@cadastre/service/log';
import type { Executor } from '@cadastre/service/executor';
import { Busy, type HashingLimiter } from '../../../passwords/hashingLimiter.ts';
import type { SecurityRecord } from '../../../security/record.ts';
import type { Account } from '../../../passwords/users.ts';
import { type ExternalDeps, type ExternalRefusal, externalAccount } from '../account/account.ts';
import { useOnce } from '../account/useOnce.ts';
import { type Claims, personOf, tellsTooLittle } from './claims.ts';
import type { Provider } from './provider.ts';
import type { NewOidcLogin } from './sessions.ts';
import { type OidcConfig, oidcPolicy } from './settings.ts';

/** What the browser keeps from the beginning of a login until it returns; it is secret. */
export interface Flow {
  state: string;
  nonce: string;
  verifier: string;
  redirectUri: string;
  /** The earliest time of the login at the provider, in seconds since 1970; 0: any. */
  freshSince: number;
}

/**
 * Why a login is refused. `stale`: the answer belongs to another login, or was used before; `denied`: the provider
 * refused; `unreachable`: it did not answer; `invalid`: its answer is not valid; `incomplete`: the answer does not
 * identify the user; `old`: it did not reauthenticate the user, although it had to.
 */
export type OidcProblem =
  | ExternalRefusal
  | 'stale'
  | 'denied'
  | 'unreachable'
  | 'invalid'
  | 'incomplete'
  | 'old'
  | 'busy';

export type OidcOutcome = { account: Account; login: NewOidcLogin } | { problem: OidcProblem };

export interface OidcDeps extends ExternalDeps {
  db: Executor;
  config: OidcConfig;
  provider: Provider;
  security: Pick<SecurityRecord, 'write' | 'note'>;
  /** Limits concurrent requests to the provider. */
  places: HashingLimiter;
  log: Pick<Log, 'info' | 'warn'>;
}

/**
 * Longer than any session at the provider: sent as `max_age` it makes the provider report the time of the login,
 * without reauthenticating the user.
 */
const ANY_AGE_SECONDS = 31_536_000;

const nowSeconds = (): number => Math.floor(Date.now() / 1000);

/**
 * Where the browser goes to log in, and what it keeps meanwhile.
 * @param fresh whether the provider has to reauthenticate the user
 */
export async function beginLogin(
  { provider, config, log }: OidcDeps,
  redirectUri: string,
  fresh = false,
): Promise<{ url: string; flow: Flow } | { problem: 'unreachable' }> {
  const client = await provider.client();
  try {
    const configuration = await provider.configuration();
    const flow: Flow = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
      redirectUri,
      freshSince: fresh ? nowSeconds() : 0,
    };
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: config.oidcScopes,
      state: flow.state,
      nonce: flow.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(flow.verifier),
      code_challenge_method: 'S256',
      ...(fresh ? { prompt: 'login', max_age: '0' } : { max_age: String(ANY_AGE_SECONDS) }),
    });
    return { url: url.href, flow };
  } catch (error) {
    log.warn({ issuer: config.oidcIssuer, why: reasonOf(error) }, 'the provider of identities cannot be reached');
    return { problem: 'unreachable' };
  }
}

/** A browser that has come back from the provider. */
export interface Back {
  flow: Flow;
  /** What the provider has it bring along. */
  query: string;
  /** Of the client. */
  address: string;
}

/** A failed login has not identified anybody. */
const NOBODY = { id: null, name: '' };

/**
 * Completes the login of a browser that has returned from the provider. The state can be used once, whatever the
 * outcome; the code is redeemed with the verifier, which only this browser has.
 */
export async function completeLogin(deps: OidcDeps, { flow, query, address }: Back): Promise<OidcOutcome> {
  const { db, config, places, log, security } = deps;
  if (new URLSearchParams(query).get('state') !== flow.state) return { problem: 'stale' };
  if (!(await useOnce(db, ['oidc state', flow.state], config.oidcLoginSeconds * 2))) return { problem: 'stale' };
  const failed = (problem: OidcProblem, why = '') => {
    log.warn({ problem, why, client: address }, 'a login by OpenID Connect failed');
    security.note({ kind: 'login', ok: false, user: NOBODY, address, method: 'oidc', detail: problem });
  };
  try {
    const outcome = await places.use(`address ${address}`, () => exchange(deps, { flow, query, address }));
    if ('problem' in outcome) failed(outcome.problem);
    return outcome;
  } catch (error) {
    if (error instanceof Busy) return { problem: 'busy' };
    const problem = problemOf(error, flow);
    if (problem === undefined) throw error;
    failed(problem, reasonOf(error));
    return { problem };
  }
}

/** The problem of a failed exchange with the provider; undefined for a failure on our side. */
function problemOf(error: unknown, { freshSince }: Flow): OidcProblem | undefined {
  // Ours: a database that is away, say.
  if (!(error instanceof ProviderError)) return undefined;
  const { cause } = error;
  const { name, code, error: said } = cause as { name?: string; code?: string; error?: string };
  if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR') return said === 'access_denied' ? 'denied' : 'invalid';
  if (cause instanceof TypeError || name === 'TimeoutError' || name === 'AbortError' || code === 'OAUTH_TIMEOUT')
    return 'unreachable';
  return freshSince && isOld(cause) ? 'old' : 'invalid';
}

/** Whether an ID token was refused for the time of its login: too long ago, or not reported. */
function isOld(error: unknown): boolean {
  for (let at = error; typeof at === 'object' && at !== null; at = (at as { cause?: unknown }).cause) {
    const { claim, claims } = at as { claim?: unknown; claims?: Claims };
    if (claim === 'auth_time' || (claims && claims['auth_time'] === undefined)) return true;
  }
  return false;
}

/** A request to the provider has failed. */
class ProviderError extends Error {
  override readonly name = 'ProviderError';
}

const asking = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw new ProviderError('the provider of identities', { cause: error });
  }
};

/** For the log: never the content of a token, which is deeper in the chain of causes. */
export function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  const reason = error instanceof ProviderError ? cause : error;
  const { code, message } = reason as { code?: string; message?: string };
  return [code, message].filter(Boolean).join(': ').slice(0, 300);
}

async function exchange(deps: OidcDeps, { flow, query, address }: Back): Promise<OidcOutcome> {
  const { provider, config, log } = deps;
  const { claims, idToken } = await asking(async () => {
    const client = await provider.client();
    const configuration = await provider.configuration();
    const url = new URL(flow.redirectUri);
    url.search = query;
    const tokens = await client.authorizationCodeGrant(configuration, url, {
      expectedState: flow.state,
      expectedNonce: flow.nonce,
      pkceCodeVerifier: flow.verifier,
      idTokenExpected: true,
      // Makes the library require `auth_time`; the time that this request may take is added.
      ...(flow.freshSince ? { maxAge: Math.max(0, nowSeconds() - flow.freshSince) + config.oidcTimeoutMs / 1000 } : {}),
    });
    const told: Claims = tokens.claims()!;
    const more =
      configuration.serverMetadata().userinfo_endpoint && tellsTooLittle(told, config)
        ? await client.fetchUserInfo(configuration, tokens.access_token, String(told['sub']))
        : {};
    // Signed claims take precedence over the others.
    return { claims: { ...more, ...told } as Claims, idToken: tokens.id_token! };
  });
  // An exact check: however long the user takes at the provider, the login has to be later than the start.
  if (Number(claims['auth_time']) < flow.freshSince - config.oidcClockTolerance) return { problem: 'old' };
  const person = personOf(claims, config);
  if (typeof person === 'string') {
    log.warn({ why: person }, 'the provider of identities does not say enough');
    return { problem: 'incomplete' };
  }
  const entered = await externalAccount(deps, { ...person, address }, oidcPolicy(config));
  if ('refused' in entered) return { problem: entered.refused };
  const { sid, auth_time: authTime } = claims;
  return {
    account: entered.account,
    login: {
      issuer: String(claims['iss']),
      subject: String(claims['sub']),
      sid: typeof sid === 'string' ? sid : null,
      idToken,
      authTime: isTime(authTime) ? authTime : 0,
    },
  };
}

/** Whether a claim, which is not negative, is a time that the database can store. */
const isTime = (claim: unknown): claim is number =>
  typeof claim === 'number' && claim <= Number.MAX_SAFE_INTEGER / 1_000_000;

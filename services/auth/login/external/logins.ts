import type { Engine } from '@cadastre/rest';
import type { Config } from '@cadastre/service/config';
import type { Executor } from '@cadastre/service/executor';
import type { Log } from '@cadastre/service/log';
import type { Environment } from '@cadastre/service/read-settings';
import { createSeal } from '@cadastre/service/seal';
import { hashingLimiter } from '../../passwords/hashingLimiter.ts';
import type { SecurityRecord } from '../../security/record.ts';
import type { Account } from '../../passwords/users.ts';
import { beginLogin, completeLogin, type Flow, type OidcDeps, type OidcProblem, reasonOf } from './oidc/login.ts';
import { backchannelLogout, logoutUrl } from './oidc/logout.ts';
import { providerOf } from './oidc/provider.ts';
import { keepOidcLogin, type NewOidcLogin, oidcLoginOf } from './oidc/sessions.ts';
import { loadOidcSettings, type OidcConfig } from './oidc/settings.ts';
import { type RemoteConfig, type RemotePerson, remoteAccount } from './remote.ts';

/** A login that succeeded; `external` is the sealed data for the session that begins. */
export type Proof = { account: Account; external: string } | { problem: OidcProblem | 'off' };

/** What sessions know of the logins that they began with. */
export interface ExternalSessions {
  /**
   * Stores the data of a login with the session that has begun. @throws if it was not sealed here, or is for another
   * user
   */
  begun(db: Executor, session: { key: string; userId: number; external: string }): Promise<void>;
  /** Called before a session ends: where its browser has to go to end the session at the provider, too. */
  ending(key: string, back: string): Promise<string | null>;
}

/** All ways to log in for which another system vouches. */
export interface External extends ExternalSessions {
  ways: { passwords: boolean; oidc: { name: string; immediate: boolean; seconds: number } | null };
  begin(redirectUri: string, fresh: boolean): Promise<{ url: string; flow: Flow } | { problem: OidcProblem | 'off' }>;
  complete(back: { flow: Flow; query: string; address: string }): Promise<Proof>;
  remote(person: RemotePerson): Promise<Proof>;
  /** The users whose sessions a logout token has ended; null if the token is not valid. */
  endByProvider(token: string, address: string): Promise<number[] | null>;
  /** Logs when the provider is unavailable; nothing waits for this. */
  look(): void;
}

export interface ExternalOptions {
  engine: Engine;
  db: Executor;
  config: RemoteConfig & Pick<Config, 'localLogin' | 'grpcTimeoutMs' | 'defaultPermissions'>;
  env: Environment;
  log: Log;
  security: Pick<SecurityRecord, 'write' | 'note'>;
}

/** @throws ConfigError that names all wrong variables at once */
export function externalLogins({ engine, db, config, env, log, security }: ExternalOptions): External {
  const deps = { engine, defaults: config.defaultPermissions, log, security };
  const oidc = loadOidcSettings(env, config);
  const remote = async (person: RemotePerson): Promise<Proof> => {
    const outcome = await remoteAccount(deps, config, person);
    if ('refused' in outcome)
      security.note({
        kind: 'login',
        ok: false,
        user: { id: null, name: '' },
        address: person.address,
        method: 'remote',
        detail: outcome.refused,
      });
    return 'refused' in outcome ? { problem: outcome.refused } : { account: outcome.account, external: '' };
  };
  const common = { ways: { passwords: config.localLogin, oidc: null }, remote };
  return oidc ? { ...common, ...byProvider(oidc, { ...deps, db }, common.ways.passwords) } : { ...common, ...nothing };
}

const nothing = {
  begin: async () => ({ problem: 'off' as const }),
  complete: async () => ({ problem: 'off' as const }),
  endByProvider: async () => null,
  async begun(_db: Executor, { external }: { external: string }) {
    if (external !== '') throw new Error('there is no provider of identities');
  },
  ending: async () => null,
  look: () => undefined,
};

function byProvider(
  config: OidcConfig,
  base: Pick<OidcDeps, 'engine' | 'defaults' | 'log' | 'security' | 'db'>,
  passwords: boolean,
): Omit<External, 'remote'> {
  const { db, log } = base;
  const provider = providerOf(config);
  // Further logins are refused for the moment instead of queued, as each holds a connection to the provider.
  const turns = hashingLimiter({ atOnce: config.oidcConcurrency, waiting: 0, waitingEach: 0, waitMs: 1 });
  const deps: OidcDeps = { ...base, config, provider, places: turns };
  const seal = createSeal([config.oidcClientSecret]);
  const backchannel = backchannelLogout(deps);
  return {
    ways: {
      passwords,
      oidc: { name: config.oidcName, immediate: config.oidcImmediate, seconds: config.oidcLoginSeconds },
    },
    begin: (redirectUri, fresh) => beginLogin(deps, redirectUri, fresh),
    async complete(back) {
      const outcome = await completeLogin(deps, back);
      if ('problem' in outcome) return outcome;
      const { account, login } = outcome;
      return { account, external: seal.close(JSON.stringify(login), ofUser(account.id)) };
    },
    async begun(within, { key, userId, external }) {
      if (external === '') return;
      const login = JSON.parse(seal.open(external, ofUser(userId))) as NewOidcLogin;
      await keepOidcLogin(within, key, { ...login, idToken: seal.close(login.idToken, ofSession(key)) });
    },
    async ending(key, back) {
      const login = await oidcLoginOf(db, key);
      const idToken = login && opened(() => seal.open(login.idToken, ofSession(key)));
      return idToken ? logoutUrl(deps, { ...login, idToken }, back) : null;
    },
    endByProvider: (token, address) => backchannel.end(token, address),
    look() {
      provider.configuration().catch((error: unknown) => {
        log.warn(
          { issuer: config.oidcIssuer, why: reasonOf(error) },
          'the provider of identities OIDC_ISSUER cannot be reached; it is tried again when somebody logs in',
        );
      });
    },
  };
}

const ofUser = (id: number): string => `login by OpenID Connect of user ${id}`;
const ofSession = (key: string): string => `ID token of session ${key}`;

/** Null if the client's secret, from which the key is made, was changed since. */
function opened(open: () => string): string | null {
  try {
    return open();
  } catch {
    return null;
  }
}

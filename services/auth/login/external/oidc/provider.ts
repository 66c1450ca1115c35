import type { Configuration } from 'openid-client';
import { limitedFetch } from './fetching.ts';
import { isPlain, type OidcConfig } from './settings.ts';

type Client = typeof import('openid-client');

/** The provider, as far as it is known. */
export interface Provider {
  /** The library, loaded when it is first needed. */
  client(): Promise<Client>;
  /**
   * The provider's metadata, requested when it is needed and the cached copy is too old. @throws if it is unavailable
   */
  configuration(): Promise<Configuration>;
}

/** After a failure the provider is not asked again for this long. */
const PAUSE_MS = 1_000;

export function providerOf(config: OidcConfig, now: () => number = Date.now): Provider {
  let loading: Promise<Client> | undefined;
  const client = () => (loading ??= import('openid-client'));
  let known: { configuration: Configuration; until: number } | undefined;
  let failed: { error: unknown; until: number } | undefined;
  let asking: Promise<Configuration> | undefined;

  async function ask(): Promise<Configuration> {
    try {
      const configuration = await discover(await client(), config);
      known = { configuration, until: now() + config.oidcRefreshSeconds * 1000 };
      return configuration;
    } catch (error) {
      failed = { error, until: now() + PAUSE_MS };
      // Outdated metadata is better than none.
      if (known) return known.configuration;
      throw error;
    } finally {
      asking = undefined;
    }
  }

  return {
    client,
    async configuration() {
      if (known && known.until > now()) return known.configuration;
      if (failed && failed.until > now()) {
        if (known) return known.configuration;
        throw failed.error;
      }
      return (asking ??= ask());
    },
  };
}

async function discover(client: Client, config: OidcConfig): Promise<Configuration> {
  const { oidcIssuer, oidcClientId, oidcClientSecret, oidcClientAuth, oidcClockTolerance } = config;
  const secret = oidcClientSecret.reveal();
  const execute = [client.enableNonRepudiationChecks];
  if (isPlain(oidcIssuer)) execute.push(client.allowInsecureRequests);
  const metadata = { [client.clockTolerance]: oidcClockTolerance };
  const options = {
    execute,
    timeout: config.oidcTimeoutMs / 1000,
    [client.customFetch]: limitedFetch({ timeoutMs: config.oidcTimeoutMs, maxBytes: config.oidcMaxResponseBytes }),
  };
  // How it wants the client's secret it says itself; then it is not asked again.
  const found = await client.discovery(new URL(oidcIssuer), oidcClientId, metadata, undefined, options);
  const server = found.serverMetadata();
  const offered = server.token_endpoint_auth_methods_supported;
  const post =
    oidcClientAuth === 'post' ||
    (oidcClientAuth === 'auto' && offered !== undefined && !offered.includes('client_secret_basic'));
  const configuration = new client.Configuration(
    server,
    oidcClientId,
    metadata,
    post ? client.ClientSecretPost(secret) : client.ClientSecretBasic(secret),
  );
  configuration[client.customFetch] = options[client.customFetch];
  configuration.timeout = options.timeout;
  for (const apply of execute) apply(configuration);
  return configuration;
}

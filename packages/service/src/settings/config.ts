import { fingerprint } from './key-pairs.ts';
import { Secret } from './secret.ts';
import { ConfigError, type Environment, parseSettings, type SettingsOf } from './read-settings.ts';
import { settings } from './settings.ts';

export { ConfigError, readSettings } from './read-settings.ts';

type Named = SettingsOf<typeof settings>;

/** Where another service listens; absent when the environment does not say. */
type Peer = { readonly httpUrl?: string; readonly grpcAddress?: string };

/** All settings of a process. A variable `MAX_PAGE_SIZE` is the property `maxPageSize`. */
export type Config = Omit<Named, 'httpPort'> & {
  /** Where the process itself listens: HTTP_PORT, else PORT. */
  readonly httpPort: number;
  /** From `<SERVICE>_HTTP_URL` and `<SERVICE>_GRPC_ADDRESS`, by service name. */
  readonly peers: ReadonlyMap<string, Peer>;
  /** From `<SERVICE>_DATABASE_URL`, by service name. */
  readonly databaseUrls: ReadonlyMap<string, Secret>;
};

/**
 * Reads and checks the settings. An empty variable counts as absent, as compose files produce them.
 * @throws ConfigError that names all wrong variables at once
 */
export function loadConfig(env: Environment): Config {
  const { values, problems } = parseSettings(settings, env);
  if (values) problems.push(...crossChecks(values));
  const own = suffixed(env, '_DATABASE_URL').filter(([name]) => name !== 'events');
  for (const [name, url] of own)
    if (!/^postgres(ql)?:\/\/./.test(url) || !URL.canParse(url))
      problems.push(`${variable(name)}_DATABASE_URL must be a URL like postgres://user:password@host:5432/database`);
  if (!values || problems.length > 0) throw new ConfigError(problems);
  return Object.freeze({
    ...values,
    httpPort: values.httpPort ?? values.port,
    peers: peers(env),
    databaseUrls: new Map(own.map(([name, url]) => [name, new Secret(url)])),
  });
}

/**
 * The PostgreSQL URL of one service's own database: its override, or DATABASE_URL with `cadastre_<service>` as its
 * database.
 */
export function serviceDatabaseUrl(config: Pick<Config, 'databaseUrl' | 'databaseUrls'>, service: string): string {
  const override = config.databaseUrls.get(service);
  if (override) return override.reveal();
  if (!config.databaseUrl) throw new ConfigError([`DATABASE_URL is required (or ${variable(service)}_DATABASE_URL)`]);
  return withDatabase(config.databaseUrl.reveal(), `cadastre_${service}`);
}

/** The variable that a service's database comes from. */
export const databaseVariable = (config: Pick<Config, 'databaseUrls'>, service: string): string =>
  config.databaseUrls.has(service) ? `${variable(service)}_DATABASE_URL` : 'DATABASE_URL';

/** The same server, another database. */
export function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.toString();
}

/** The HTTP address of another service. @throws ConfigError when it is not configured */
export function peerHttpUrl(
  config: Pick<Config, 'peers'> & Partial<Pick<Config, 'peerTlsCertFile'>>,
  service: string,
): string {
  const url = config.peers.get(service)?.httpUrl;
  if (url === undefined || !/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new ConfigError([`${variable(service)}_HTTP_URL must be a URL like http://${service}:8000`]);
  // A process that is configured with certificates must not call others without verifying theirs.
  if (url.startsWith('https:') !== (config.peerTlsCertFile !== undefined))
    throw new ConfigError([
      `${variable(service)}_HTTP_URL must begin with ${config.peerTlsCertFile === undefined ? 'http:, or PEER_TLS_CERT_FILE be set' : 'https:, as PEER_TLS_CERT_FILE is set'}`,
    ]);
  return url.replace(/\/+$/, '');
}

/** The gRPC address of another service. @throws ConfigError when it is not configured */
export function peerGrpcAddress(config: Pick<Config, 'peers'>, service: string): string {
  const address = config.peers.get(service)?.grpcAddress;
  if (address === undefined || !/^.+:\d+$/.test(address))
    throw new ConfigError([`${variable(service)}_GRPC_ADDRESS must be host:port, such as ${service}:50051`]);
  return address;
}

/** In KB: the least that OWASP recommends for argon2id with so many passes. */
const leastMemory = (passes: number): number => [47_104, 19_456, 12_288, 9_216][passes - 1] ?? 7_168;

function crossChecks(values: Named): string[] {
  const problems = keyProblems(values);
  if (values.maxPageSize !== 0 && values.paginateCount > values.maxPageSize)
    problems.push('PAGINATE_COUNT must not be larger than MAX_PAGE_SIZE');
  if (values.passwordMinLength > values.passwordMaxLength)
    problems.push('PASSWORD_MIN_LENGTH must not be larger than PASSWORD_MAX_LENGTH');
  if (values.tokenRotationSeconds > values.tokenRotationMaxSeconds)
    problems.push('TOKEN_ROTATION_SECONDS must not be larger than TOKEN_ROTATION_MAX_SECONDS');
  const memory = leastMemory(values.passwordArgon2Passes);
  if (values.passwordArgon2MemoryKb < memory)
    problems.push(`PASSWORD_ARGON2_MEMORY_KB must be at least ${memory} with ${values.passwordArgon2Passes} passes`);
  if (values.mediaMaxBytes >= values.maxBodyBytes)
    problems.push('MEDIA_MAX_BYTES must be smaller than MAX_BODY_BYTES, as files come within request bodies');
  if (values.mediaS3Url && !(values.mediaS3AccessKey && values.mediaS3SecretKey))
    problems.push('MEDIA_S3_ACCESS_KEY and MEDIA_S3_SECRET_KEY are required with MEDIA_S3_URL');
  // Clients that reach the gateway in another way could claim to be any user by this header.
  if (values.remoteAuthEnabled && !values.remoteAuthProxies.length)
    problems.push('REMOTE_AUTH_PROXIES is required with REMOTE_AUTH_ENABLED: it names the proxies whose headers count');
  if (values.kafkaSaslMechanism) {
    if (!values.kafkaSaslUsername) problems.push('KAFKA_SASL_USERNAME is required with KAFKA_SASL_MECHANISM');
    if (!values.kafkaSaslPassword) problems.push('KAFKA_SASL_PASSWORD is required with KAFKA_SASL_MECHANISM');
  } else {
    if (values.kafkaSaslUsername) problems.push('KAFKA_SASL_MECHANISM is required with KAFKA_SASL_USERNAME');
    if (values.kafkaSaslPassword) problems.push('KAFKA_SASL_MECHANISM is required with KAFKA_SASL_PASSWORD');
  }
  if (Boolean(values.tlsCertFile) !== Boolean(values.tlsKeyFile))
    problems.push('TLS_CERT_FILE and TLS_KEY_FILE are required with each other');
  if (new Set([values.peerTlsCaFile, values.peerTlsCertFile, values.peerTlsKeyFile].map(Boolean)).size > 1)
    problems.push('PEER_TLS_CA_FILE, PEER_TLS_CERT_FILE and PEER_TLS_KEY_FILE are required with each other');
  if (Boolean(values.kafkaTlsCertFile) !== Boolean(values.kafkaTlsKeyFile))
    problems.push('KAFKA_TLS_CERT_FILE and KAFKA_TLS_KEY_FILE are required with each other');
  // A certificate that is not used would leave the connection unencrypted without anybody noticing.
  if (!values.kafkaTls && (values.kafkaTlsCaFile || values.kafkaTlsCertFile))
    problems.push('KAFKA_TLS must be true with KAFKA_TLS_CA_FILE or KAFKA_TLS_CERT_FILE');
  return problems;
}

/** The same key under two names would let its holder pass for either. */
function keyProblems({ servicePublicKeys, identityPublicKeys }: Named): string[] {
  const named = [...servicePublicKeys, ['identities', identityPublicKeys] as const].flatMap(([name, keys]) =>
    keys.map((key) => ({ name, print: fingerprint(key) })),
  );
  const shared = [...Map.groupBy(named, ({ print }) => print).values()]
    .map((some) => [...new Set(some.map(({ name }) => name))])
    .filter((names) => names.length > 1);
  return shared.map(
    (names) => `SERVICE_PUBLIC_KEYS and IDENTITY_PUBLIC_KEYS: ${names.join(' and ')} must have keys of their own`,
  );
}

/** A setting that this process cannot do without. @throws ConfigError */
export function needed<T>(value: T | undefined, variable: string): T {
  if (value === undefined) throw new ConfigError([`${variable} is required`]);
  return value;
}

function suffixed(env: Environment, suffix: string): [service: string, value: string][] {
  return Object.entries(env).flatMap(([name, value]) =>
    value && name.endsWith(suffix) && name.length > suffix.length
      ? [[name.slice(0, -suffix.length).toLowerCase(), value]]
      : [],
  );
}

function peers(env: Environment): Map<string, Peer> {
  const found = new Map<string, Peer>();
  for (const [service, httpUrl] of suffixed(env, '_HTTP_URL')) found.set(service, { httpUrl });
  for (const [service, grpcAddress] of suffixed(env, '_GRPC_ADDRESS'))
    found.set(service, { ...found.get(service), grpcAddress });
  return found;
}

const variable = (service: string) => service.toUpperCase().replaceAll('-', '_');

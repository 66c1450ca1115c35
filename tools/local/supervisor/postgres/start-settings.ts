import { type Config, databaseVariable, loadConfig } from '@cadastre/service/config';
import { publicTls, peerTls } from '@cadastre/service/tls';
import type { Environment } from '../plan/environment.ts';
import { answerWithinMs, type NamedServer } from './servers.ts';

type Kept = Pick<
  Config,
  | 'port'
  | 'listenHost'
  | 'operationsHost'
  | 'dataDir'
  | 'logLevel'
  | 'logFormat'
  | 'processes'
  | 'scheduling'
  | 'superuserName'
>;
/** What the supervisor makes of the environment: plain values, which go from process to process. */
export type StartSettings = Kept & {
  /** Where somebody has said that health and metrics are to be had. */
  readonly operationsPort: number | undefined;
  /** With which clients are answered by TLS. */
  readonly certificate: string | undefined;
  /** No server is named for the databases, so one of our own runs. */
  readonly embedded: boolean;
  /** Those that are needed there, or on the server that DATABASE_URL names. */
  readonly databases: readonly string[];
  /** The servers that the environment names. */
  readonly servers: readonly NamedServer[];
  /** How long one of them may be away, and how long it may take to start. */
  readonly waitMs: number;
  readonly startingMs: number;
};

const databaseOf = (name: string): string => `cadastre_${name}`;

/**
 * Reads and checks all settings.
 * @param env only variables with a value
 * @param services that have databases
 * @throws ConfigError that names what is wrong
 */
export function startSettings(env: Environment, services: readonly string[]): StartSettings {
  const config = loadConfig(env);
  const certificate = publicTls(config)?.read().cert;
  peerTls(config);
  const databases = [
    ...services.filter((name) => !config.databaseUrls.has(name)),
    ...(eventsElsewhere(config) ? [] : ['events']),
  ].map(databaseOf);
  // A time that was set counts; without one, a mistyped address is reported soon.
  const waitMs = env.DATABASE_WAIT_MS ? config.databaseWaitMs : answerWithinMs;
  const { port, listenHost, operationsHost, dataDir, logLevel, logFormat, processes, scheduling, superuserName } =
    config;
  return {
    ...{ port, listenHost, operationsHost, dataDir, logLevel, processes, scheduling, superuserName },
    logFormat: env.LOG_FORMAT ? logFormat : 'pretty',
    operationsPort: env.OPERATIONS_PORT === undefined ? undefined : config.operationsPort,
    certificate,
    embedded: config.databaseUrl === undefined,
    databases,
    servers: serversIn(config, databases),
    waitMs,
    startingMs: Math.max(waitMs, config.databaseWaitMs),
  };
}

const eventsElsewhere = (config: Config): boolean =>
  config.kafkaBrokers.length > 0 || config.eventsDatabaseUrl !== undefined;

/** The servers that the environment names, and the variables that do. */
function serversIn(config: Config, databases: readonly string[]): NamedServer[] {
  // Where the URL is the whole address, the database is the one that it names.
  const namedIn = (url: string): string[] =>
    [decodeURIComponent(new URL(url).pathname.slice(1))].filter((name) => name !== '');
  const one = (variable: string, url: { reveal(): string } | undefined, names?: readonly string[]): NamedServer[] =>
    url ? [{ variable, url: url.reveal(), databases: names ?? namedIn(url.reveal()) }] : [];
  return [
    ...one('DATABASE_URL', config.databaseUrl, databases),
    ...[...config.databaseUrls].flatMap(([name, url]) => one(databaseVariable(config, name), url)),
    ...(config.kafkaBrokers.length > 0 ? [] : one('EVENTS_DATABASE_URL', config.eventsDatabaseUrl)),
  ];
}

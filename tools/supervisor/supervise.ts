import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { type Config, ConfigError, databaseVariable, loadConfig, withDatabase } from '@cadastre/service/config';
import { configExitCode } from '@cadastre/service/host/exit-codes';
import { createLog } from '@cadastre/service/log';
import { doorTls, peerTls } from '@cadastre/service/tls';
import { Agent, fetch } from 'undici';
import { freePorts } from '../processes/free-ports.ts';
import { banner, baseOf } from './banner.ts';
import { type Child, startChild } from './child.ts';
import { compileCache, warm } from './compile-cache.ts';
import { prepareDataDir } from './data-dir.ts';
import { type Environment, processEnvironment } from './environment.ts';
import { nodeOptions } from './node-options.ts';
import { commandOf, hasDatabase, planProcesses, portsEach, publicService, serviceNames } from './plan.ts';
import { portProblem, reachableHost } from './ports.ts';
import { type PlannedPostgres, planPostgres, type WatchedPostgres, watchPostgres } from './postgres.ts';
import { PortTaken, RefusedConfiguration } from './ready.ts';
import { AlreadyRunning, takeOver } from './run-file.ts';
import { schedule } from './scheduling.ts';
import { forgetCredentials, keepSecrets, keyOf, type Secrets, sharedKeys, withoutKeys } from './secrets.ts';
import { answerWithinMs, type NamedServer, prepareServer } from './servers.ts';
import { startServices } from './services.ts';
import { processesFor, share } from './sharing.ts';
import { createStop, serviceShutdownMs } from './stop.ts';

export type SuperviseOptions = {
  /** The folder with a folder for each service. */
  readonly services: string;
  readonly env: Environment;
  /** Chooses ports of the loopback address for the services. */
  readonly choosePorts?: (count: number) => Promise<number[]>;
};

/** Ten seconds on a machine that does nothing else; with much else to do it takes many times that. */
const startTimeoutMs = 300_000;

/** A start that cannot succeed as things are; the message says what to do. */
class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** Runs a whole installation on this machine until it is told to stop. Never returns normally: the process exits. */
export async function supervise(options: SuperviseOptions): Promise<void> {
  try {
    await start(options);
  } catch (error) {
    process.exit(tell(error));
  }
}

/**
 * Says why there is no start, and with which code the process ends: 78 where starting again would not help, as the
 * configuration is wrong.
 */
function tell(error: unknown): number {
  const plain = error instanceof ConfigError || error instanceof Refusal || error instanceof AlreadyRunning;
  process.stderr.write(`${plain ? error.message : `Cadastre cannot start: ${(error as Error).message}`}\n`);
  return error instanceof ConfigError || error instanceof RefusedConfiguration ? configExitCode : 1;
}

async function start({ services: folder, env, choosePorts = freePorts }: SuperviseOptions): Promise<void> {
  const began = performance.now();
  // First, so that a wrong variable is told before anything is written.
  const config = loadConfig(present(env)),
    tls = doorTls(config)?.read();
  peerTls(config);
  const log = createLog('npm start', {
    logLevel: config.logLevel,
    logFormat: env.LOG_FORMAT ? config.logFormat : 'pretty',
  });
  const dataDir = resolve(config.dataDir);
  prepareDataDir(dataDir);
  const runFile = await takeOver(dataDir, config.port);
  await checkPort(config.port, config.listenHost);
  const names = serviceNames(folder);
  if (names.length === 0) throw new Refusal(`There is no service in ${folder}.`);
  const secrets = keepSecrets(dataDir, names);
  schedule(config.scheduling);
  const door = {
    port: config.port,
    host: reachableHost(config.listenHost),
    operations: {
      host: config.operationsHost,
      port: present(env).OPERATIONS_PORT === undefined ? undefined : config.operationsPort,
    },
  };

  const databases = [
    ...names.filter((name) => hasDatabase(folder, name) && !config.databaseUrls.has(name)),
    ...(eventsElsewhere(config) ? [] : ['events']),
  ].map(databaseOf);
  // Somebody who has said how long to wait means it; else a mistyped address is told soon.
  const waitMs = env.DATABASE_WAIT_MS ? config.databaseWaitMs : answerWithinMs;
  await Promise.all(
    serversIn(config, databases).map((server) =>
      prepareServer(server, waitMs, Math.max(waitMs, config.databaseWaitMs)),
    ),
  );

  const children: Child[] = [];
  const shared = share(names, config.processes ?? processesFor(availableParallelism()));
  const planned = config.databaseUrl ? undefined : await planPostgres(dataDir, databases);
  let postgres: WatchedPostgres | undefined;
  let starting: Promise<WatchedPostgres> | undefined;
  /** PostgreSQL is not where those that were started first look for it. */
  let moved = false;
  const stop = createStop({ log, children, publicService, postgres: () => starting, stopping: () => runFile.ended() });
  try {
    if (planned) {
      log.info('starting PostgreSQL');
      starting = watchPostgres(dataDir, planned, log);
      starting.then(
        (started) => {
          postgres = started;
        },
        () => undefined,
      );
    }
    // Several processes would make the same of the sources, each for itself; one has time enough while PostgreSQL starts.
    if (shared.length > 1)
      await warm(folder, commonEnvironment(present(env), secrets, dataDir, undefined), stop.signal);
    if (stop.signal.aborted) return;
    log.info(startingLine(shared));
    await startServices({
      children,
      timeoutMs: startTimeoutMs,
      stop: stop.signal,
      log,
      plan: async () => {
        await checkPort(config.port, config.listenHost);
        return planProcesses(folder, shared, door, await choosePorts(portsEach * names.length));
      },
      needed: async () => {
        if ((await starting)?.port !== planned?.port && !moved) {
          moved = true;
          throw new PortTaken('PostgreSQL had to go to another port');
        }
      },
      launch: (plan, all) => {
        const services = plan.services.map(({ name }) => name),
          where = postgres ?? planned,
          common = commonEnvironment(present(env), secrets, dataDir, where);
        const ownOf = ({ name }: { name: string }): Environment => ({
          ...keyOf(secrets, name),
          ...(where && databases.includes(databaseOf(name)) ? { DATABASE_URL: where.urlOf(databaseOf(name)) } : {}),
        });
        return startChild({
          services,
          command: commandOf(folder, services),
          env: processEnvironment(
            plan,
            all.flatMap((one) => one.services),
            common,
            ownOf,
          ),
          ...(starting ? { after: starting } : {}),
          log,
          onStart: (pid) => runFile.note(services, pid, plan.operationsUrl),
        });
      },
    });
  } catch (error) {
    await stop.run('the start failed', tell(error));
    return;
  }
  if (stop.signal.aborted) return;
  const given = {
    password: config.superuserPassword !== undefined && Boolean(env.SUPERUSER_PASSWORD),
    apiToken: Boolean(env.SUPERUSER_API_TOKEN),
  };
  const password = given.password ? undefined : secrets.SUPERUSER_PASSWORD;
  const apiToken = given.apiToken ? undefined : secrets.SUPERUSER_API_TOKEN;
  const existed = apiToken !== undefined && (await isRefused(config, tls?.cert, apiToken));
  const shown = existed ? {} : { password, apiToken };
  runFile.ready(baseOf(config.port, config.listenHost, tls !== undefined), shown.apiToken);
  process.stdout.write(
    banner({
      port: config.port,
      host: config.listenHost,
      secure: tls !== undefined,
      username: config.superuserName,
      given,
      existed,
      dataDir,
      ...shown,
      seconds: (performance.now() - began) / 1000,
    }),
  );
  forgetCredentials(dataDir, secrets);
}

function startingLine(shared: readonly (readonly string[])[]): string {
  const services = shared.flat().length;
  return `starting ${services} services in ${shared.length === 1 ? 'one process' : shared.length === services ? 'a process each' : `${shared.length} processes`}`;
}

const databaseOf = (name: string): string => `cadastre_${name}`;
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

/** @throws Refusal */
async function checkPort(port: number, host: string | undefined): Promise<void> {
  const problem = await portProblem(port, host);
  if (problem !== undefined) throw new Refusal(problem);
}

/** Only variables with a value, so that an empty one does not hide what is generated. */
const present = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));

function commonEnvironment(
  env: Environment,
  secrets: Secrets,
  dataDir: string,
  embedded: Pick<PlannedPostgres, 'urlOf'> | undefined,
): Environment {
  const common: Environment = {
    LOG_FORMAT: 'pretty',
    NODE_COMPILE_CACHE: compileCache(dataDir),
    NODE_OPTIONS: nodeOptions,
    SHUTDOWN_TIMEOUT_MS: String(serviceShutdownMs),
    ...withoutKeys(secrets),
    ...env,
    ...sharedKeys(secrets),
    DATA_DIR: dataDir,
  };
  if (!common.EVENTS_DATABASE_URL && !common.KAFKA_BROKERS) {
    const events = databaseOf('events');
    common.EVENTS_DATABASE_URL =
      embedded?.urlOf(events) ?? (env.DATABASE_URL && withDatabase(env.DATABASE_URL, events));
  }
  return common;
}

/** Whether the generated token is not the database's, because the superuser was there before this DATA_DIR was. */
async function isRefused(
  { port, listenHost }: Config,
  certificate: string | undefined,
  token: string,
): Promise<boolean> {
  // By TLS it is the certificate itself that proves that this is ours: it need not be for this address, nor from
  // somebody whom this machine knows.
  const connect =
      certificate === undefined
        ? {}
        : { ca: certificate, allowPartialTrustChain: true, checkServerIdentity: () => undefined },
    dispatcher = new Agent({ connect });
  const response = await fetch(
    `http${certificate === undefined ? '' : 's'}://${reachableHost(listenHost)}:${port}/api/users/tokens/?limit=1`,
    { dispatcher, headers: { Authorization: `Token ${token}` }, signal: AbortSignal.timeout(5_000) },
  ).catch(() => undefined);
  return response?.status === 401 || response?.status === 403;
}

import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { configExitCode, newerSchemaExitCode } from '@cadastre/service/host/exit-codes';
import { createLog } from '@cadastre/service/log';
import { freePorts } from '../processes/free-ports.ts';
import { type Aside, openAside } from './background/background.ts';
import { banner, baseOf } from './banner.ts';
import type { Child } from './processes/child.ts';
import { warm } from './processes/compile-cache.ts';
import { prepareDataDir } from './data/data-dir.ts';
import type { Environment } from './plan/environment.ts';
import { forgetCredentials } from './data/kept-secrets.ts';
import { commonEnvironment, type Given, launch } from './processes/launch.ts';
import { hasDatabase, planProcesses, portsEach, publicService, serviceNames } from './plan/plan.ts';
import { mendRights } from './data/private.ts';
import { portProblem, reachableHost } from './plan/ports.ts';
import { planPostgres, type WatchedPostgres, watchPostgres } from './postgres/postgres.ts';
import { PortTaken } from './processes/ready.ts';
import { takeOver } from './data/run-file.ts';
import { schedule } from './processes/scheduling.ts';
import { startServices } from './processes/services.ts';
import { processesFor, share } from './plan/sharing.ts';
import { createStop } from './processes/stop.ts';

export type SuperviseOptions = {
  /** The folder with a folder for each service. */
  readonly services: string;
  readonly env: Environment;
  /** Chooses ports of the loopback address for the services. */
  readonly choosePorts?: (count: number) => Promise<number[]>;
};

/** Ten seconds on an idle machine; many times that on a busy one. */
const startTimeoutMs = 300_000;

/** A start that cannot succeed at present; the message says what to do. */
class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** Runs a whole installation on this machine until it is told to stop. Never returns normally: the process exits. */
export async function supervise(options: SuperviseOptions): Promise<void> {
  const aside = openAside();
  try {
    await start(options, aside);
    aside.end();
  } catch (error) {
    process.exit(tell(error as Error));
  }
}

/** Errors whose message says everything. */
const plain = ['ConfigError', 'Refusal', 'AlreadyRunning'];
/** Errors that another start would not fix: a wrong configuration, or tables of a later version. */
const final: Record<string, number> = {
  ConfigError: configExitCode,
  RefusedConfiguration: configExitCode,
  RefusedSchema: newerSchemaExitCode,
};

/** Says why there is no start, and with which code the process ends. By their names, as some come from another process. */
function tell({ name, message }: Error): number {
  process.stderr.write(`${plain.includes(name) ? message : `Cadastre cannot start: ${message}`}\n`);
  return final[name] ?? 1;
}

async function start(
  { services: folder, env, choosePorts = freePorts }: SuperviseOptions,
  aside: Aside,
): Promise<void> {
  const began = performance.now();
  const names = serviceNames(folder);
  const withDatabases = names.filter((name) => hasDatabase(folder, name));
  // First, so that a wrong variable is told before anything is written.
  const settings = await aside.run('startSettings', present(env), withDatabases);
  const { port, listenHost, databases } = settings;
  const log = createLog('npm start', settings);
  const dataDir = resolve(settings.dataDir);
  const passing = settings.embedded && process.getuid?.() === 0;
  prepareDataDir(dataDir, passing);
  const open = mendRights(dataDir, passing);
  if (open.length) log.warn({ paths: open }, 'others on this machine may read what the installation keeps');
  const runFile = await takeOver(dataDir, port);
  await checkPort(port, listenHost);
  if (names.length === 0) throw new Refusal(`There is no service in ${folder}.`);
  const { secrets, shared: keys } = await aside.run('readSecrets', dataDir, names);
  schedule(settings.scheduling);
  const { waitMs, startingMs } = settings;
  await Promise.all(settings.servers.map((server) => aside.run('prepareServer', server, waitMs, startingMs)));

  const events = databases.find((name) => name === eventsDatabase);
  const given: Given = {
    ...{ env: present(env), secrets, keys, dataDir, events },
    databaseOf: (service) => databases.find((name) => name === databaseOf(service)),
  };
  const gateway = {
    port,
    host: reachableHost(listenHost),
    operations: { host: settings.operationsHost, port: settings.operationsPort },
  };
  const shared = share(names, settings.processes ?? processesFor(availableParallelism()));
  const planned = settings.embedded ? await planPostgres(dataDir, databases) : undefined;
  const children: Child[] = [];
  let postgres: WatchedPostgres | undefined;
  let starting: Promise<WatchedPostgres> | undefined;
  const stop = createStop({ log, children, publicService, postgres: () => starting, stopping: () => runFile.ended() });
  try {
    if (planned) {
      log.info('starting PostgreSQL');
      starting = watchPostgres(dataDir, planned, (...owned) => aside.run('ownDatabases', ...owned), log);
      // The code that awaits `starting` handles the error.
      starting.catch(() => undefined);
    }
    // Several processes would make the same of the sources, each for itself. One has time enough while PostgreSQL
    // starts.
    if (shared.length > 1) await warm(folder, commonEnvironment(given, planned, 1), stop.signal);
    if (stop.signal.aborted) return;
    log.info(startingLine(shared));
    await startServices({
      children,
      timeoutMs: startTimeoutMs,
      stop: stop.signal,
      log,
      plan: async () => {
        await checkPort(port, listenHost);
        return planProcesses(folder, shared, gateway, await choosePorts(portsEach * names.length));
      },
      launch: (plan, all) =>
        launch(folder, plan, all, given, {
          server: postgres ?? planned,
          ...(starting ? { after: starting } : {}),
          log,
          runFile,
        }),
      needed: async () => {
        const expected = (postgres ?? planned)?.port;
        postgres = await starting;
        if (postgres?.port !== expected) throw new PortTaken('PostgreSQL had to go to another port');
      },
    });
  } catch (error) {
    await stop.run('the start failed', tell(error as Error));
    return;
  }
  if (stop.signal.aborted) return;
  const chosen = { password: Boolean(env.SUPERUSER_PASSWORD), apiToken: Boolean(env.SUPERUSER_API_TOKEN) };
  const password = chosen.password ? undefined : secrets.SUPERUSER_PASSWORD;
  const apiToken = chosen.apiToken ? undefined : secrets.SUPERUSER_API_TOKEN;
  const { certificate } = settings;
  const secure = certificate !== undefined;
  const here = `http${secure ? 's' : ''}://${reachableHost(listenHost)}:${port}`;
  const existed = apiToken !== undefined && (await aside.run('isRefused', here, certificate, apiToken));
  const shown = existed ? {} : { password, apiToken };
  runFile.ready(baseOf(port, listenHost, secure), shown.apiToken);
  process.stdout.write(
    banner({
      ...{ port, host: listenHost, secure, given: chosen, existed, dataDir },
      username: settings.superuserName,
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
const eventsDatabase = databaseOf('events');

/** @throws Refusal */
async function checkPort(port: number, host: string | undefined): Promise<void> {
  const problem = await portProblem(port, host);
  if (problem !== undefined) throw new Refusal(problem);
}

/** Only variables with a value, so that an empty one does not hide what is generated. */
const present = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));

import type { Log } from '@cadastre/service/log';
import { type Child, startChild } from './child.ts';
import { compileCache } from './compile-cache.ts';
import { type Environment, processEnvironment } from '../plan/environment.ts';
import { keyOf, type Secrets, withoutKeys } from '../data/kept-secrets.ts';
import { nodeOptions } from '../plan/node-options.ts';
import { commandOf, type ProcessPlan } from '../plan/plan.ts';
import type { PlannedPostgres } from '../postgres/postgres.ts';
import type { RunFile } from '../data/run-file.ts';
import { serviceShutdownMs } from './stop.ts';

/** What processes are given, beside their places. */
export type Given = {
  /** Of the supervisor: only variables with a value. */
  readonly env: Environment;
  readonly secrets: Secrets;
  /** What all processes are given of the keys. */
  readonly keys: Environment;
  readonly dataDir: string;
  /** Those that are on the server below, by service. */
  readonly databaseOf: (service: string) => string | undefined;
  /** Of the event log, where it is with the databases. */
  readonly events: string | undefined;
};

type Server = Pick<PlannedPostgres, 'urlOf'>;

/** What all processes of so many services have in common, with PostgreSQL of our own where there is one. */
export function commonEnvironment(given: Given, server: Server | undefined, services: number): Environment {
  const { env, secrets, keys, dataDir, events } = given;
  const common: Environment = {
    LOG_FORMAT: 'pretty',
    NODE_COMPILE_CACHE: compileCache(dataDir),
    NODE_OPTIONS: nodeOptions(services),
    SHUTDOWN_TIMEOUT_MS: String(serviceShutdownMs),
    ...withoutKeys(secrets),
    ...env,
    ...keys,
    DATA_DIR: dataDir,
  };
  if (events !== undefined) common.EVENTS_DATABASE_URL = server?.urlOf(events) ?? onServer(env.DATABASE_URL, events);
  return common;
}

/** The same server, another database. */
function onServer(url: string | undefined, database: string): string | undefined {
  if (url === undefined) return undefined;
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.toString();
}

/** Deliveries must not reach what only this machine is to see. */
const ownAddresses = (all: readonly ProcessPlan[], { WEBHOOK_OWN_ADDRESSES: more }: Environment): Environment => ({
  WEBHOOK_OWN_ADDRESSES: [
    ...(more ? [more] : []),
    ...all.map(({ operationsUrl }) => new URL(operationsUrl).host),
  ].join(),
});

/** Starts a process; with `after`, its services start when that is there. */
export function launch(
  folder: string,
  plan: ProcessPlan,
  all: readonly ProcessPlan[],
  given: Given,
  { server, after, log, runFile }: { server: Server | undefined; after?: Promise<unknown>; log: Log; runFile: RunFile },
): Child {
  const services = plan.services.map(({ name }) => name);
  const ownOf = ({ name }: { name: string }): Environment => {
    const database = given.databaseOf(name);
    return {
      ...keyOf(given.secrets, name),
      ...(server && database !== undefined ? { DATABASE_URL: server.urlOf(database) } : {}),
    };
  };
  const everywhere = all.flatMap((one) => one.services);
  return startChild({
    services,
    command: commandOf(folder, services),
    env: processEnvironment(
      plan,
      everywhere,
      { ...commonEnvironment(given, server, services.length), ...ownAddresses(all, given.env) },
      ownOf,
    ),
    ...(after ? { after } : {}),
    log,
    onStart: (pid) => runFile.note(services, pid, plan.operationsUrl),
  });
}

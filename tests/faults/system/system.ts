import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { withDatabase } from '@cadastre/service/config';
import { createLog } from '@cadastre/service/log';
import { startKafka, stopKafka } from '../../../tools/local/kafka/broker.ts';
import { ownDatabases } from '../../../tools/local/embedded-postgres/owners.ts';
import { freePorts } from '../../../tools/local/processes/free-ports.ts';
import { type Child, startChild } from '../../../tools/local/supervisor/processes/child.ts';
import { compileCache } from '../../../tools/local/supervisor/processes/compile-cache.ts';
import { nodeOptions } from '../../../tools/local/supervisor/plan/node-options.ts';
import { processEnvironment } from '../../../tools/local/supervisor/plan/environment.ts';
import {
  commandOf,
  hasDatabase,
  planProcesses,
  portsEach,
  type ProcessPlan,
  type ServicePlan,
  serviceNames,
} from '../../../tools/local/supervisor/plan/plan.ts';
import { ask } from '../../../tools/local/supervisor/processes/ready.ts';
import { planPostgres, watchPostgres } from '../../../tools/local/supervisor/postgres/postgres.ts';
import { keyOf, withoutKeys } from '../../../tools/local/supervisor/data/kept-secrets.ts';
import { generateSecrets, sharedKeys } from '../../../tools/local/supervisor/data/secrets.ts';
import { type Processes, share } from '../../../tools/local/supervisor/plan/sharing.ts';
import { type FaultProxy, startFaultProxy } from './faultProxy.ts';
import type { Undo } from './undo.ts';

export type LogKind = 'postgres' | 'kafka';

interface ServiceProxies {
  database: FaultProxy;
  http: FaultProxy;
  grpc: FaultProxy;
}

/**
 * A whole installation whose processes can be killed and whose connections can be cut: every connection between them
 * goes through a proxy.
 */
export interface FaultySystem {
  base: string;
  token: string;
  log: LogKind;
  /** The parts that can fail; `dcim again` is a second process of `dcim`. */
  services: readonly string[];
  /** Of the server itself, without a proxy. */
  databaseUrl(database: string): string;
  /** Kills the process of a service; it is started again as the supervisor would do it. */
  killService(name: string): void;
  killPostgres(signal: NodeJS.Signals): void;
  /** Kills the broker, and starts it again after a while. Resolves when it answers. */
  restartKafka(downMs: number): Promise<void>;
  /** Resolves when no restart of the broker is under way. */
  brokerReady(): Promise<void>;
  /**
   * The connections of a service's process to its databases (and to the event log on PostgreSQL), and those of other
   * processes to the service.
   */
  proxies: ReadonlyMap<string, ServiceProxies>;
  /** Resolves when every service says that it is ready. */
  ready(withinMs: number): Promise<void>;
}

export const servicesFolder = fileURLToPath(new URL('../../../services', import.meta.url));
/** How often starting the broker is tried before giving up. */
const BROKER_TRIES = 3;
/**
 * Services that two processes run where each has a process: they share the events and the requests, and one of them
 * publishes.
 */
const TWICE = ['dcim', 'extras'];
const TOKEN = 'faults0123456789faults0123456789faults01';

/** A process, and the names of its services in these tests. */
interface Part {
  plan: ProcessPlan;
  names: readonly string[];
}

export interface FaultyOptions {
  log: LogKind;
  processes: Processes;
  logLevel?: string | undefined;
}

/** Starts a fresh installation in a temporary folder; how to stop each part is registered at once. */
export async function startFaultySystem(options: FaultyOptions, undo: Undo): Promise<FaultySystem> {
  const { log: logKind, processes: wanted, logLevel = 'error' } = options;
  const dataDir = mkdtempSync(join(tmpdir(), 'cadastre-faults-'));
  // PostgreSQL runs as another user than root.
  chmodSync(dataDir, 0o711);
  undo.add(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  const log = createLog('faults', { logLevel: 'fatal', logFormat: 'pretty' });
  const names = serviceNames(servicesFolder);
  const again = wanted === 'each' ? TWICE : [];
  const databases = [...names.filter((name) => hasDatabase(servicesFolder, name)), 'events'].map(
    (name) => `cadastre_${name}`,
  );
  const starting = watchPostgres(dataDir, await planPostgres(dataDir, databases), ownDatabases, log);
  undo.add(async () => (await starting).stop(10_000));
  const postgres = await starting;
  // PostgreSQL has its port by now; no ports are taken but these.
  const [port = 0, kafkaPort = 0, ...ports] = await freePorts(2 + portsEach * (names.length + again.length));
  const shared = [...share(names, wanted), ...again.map((name) => [name])];
  const processes = planProcesses(servicesFolder, shared, { port, host: '127.0.0.1' }, ports).map(
    (plan, index): Part => ({
      plan,
      names: index < shared.length - again.length ? shared[index]! : shared[index]!.map((name) => `${name} again`),
    }),
  );
  const kafkaDir = join(dataDir, 'kafka');
  const kafka = { dataDir: kafkaDir, port: kafkaPort };
  if (logKind === 'kafka') {
    undo.add(() => stopKafka(kafkaDir));
    await startKafka(kafka);
  }

  const databasePort = Number(new URL(postgres.url).port);
  const proxies = new Map<string, ServiceProxies>();
  const entered = new Map<string, Omit<ServiceProxies, 'database'>>();
  const places = Map.groupBy(
    processes.flatMap(({ plan }) => plan.services),
    ({ name }) => name,
  );
  for (const [name, all] of places) {
    // Connections to a service that runs twice go to its processes by turns.
    const turn = (): ServicePlan => {
      all.push(all.shift()!);
      return all[0]!;
    };
    // A service that listens nowhere is never called, so its port does not matter.
    const [http, grpc] = await Promise.all([
      startFaultProxy(() => turn().httpPort ?? 0),
      startFaultProxy(() => turn().grpcPort ?? 0),
    ]);
    undo.add(() => Promise.all([http.close(), grpc.close()]));
    entered.set(name, { http, grpc });
  }
  for (const { names: parts, plan } of processes) {
    const database = await startFaultProxy(() => databasePort);
    undo.add(database.close);
    for (const [index, name] of parts.entries())
      proxies.set(name, { ...entered.get(plan.services[index]!.name)!, database });
  }
  // Where the others find each service: behind its proxies.
  const seen = [...places.values()].map(([place]): ServicePlan => {
    const { http, grpc } = entered.get(place!.name)!;
    return {
      ...place!,
      ...(place!.httpPort === undefined ? {} : { httpPort: http.port }),
      ...(place!.grpcPort === undefined ? {} : { grpcPort: grpc.port }),
    };
  });
  // By TCP: a socket in the file system has no proxy.
  const through = (port: number, given: string): string => {
    const url = new URL(given);
    url.port = String(port);
    url.search = '';
    return url.toString();
  };
  const secrets = generateSecrets(names);
  const children = new Map<Part, Child>();
  const pids = new Map<string, number>();
  undo.add(() => Promise.all([...children.values()].map((child) => child.stop(3_000))));
  for (const part of processes) {
    const { plan } = part;
    const { port } = proxies.get(part.names[0]!)!.database;
    const common = {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? compileCache(dataDir),
      NODE_OPTIONS: nodeOptions(part.names.length),
      ...withoutKeys(secrets),
      ...sharedKeys(secrets),
      SUPERUSER_NAME: 'admin',
      SUPERUSER_API_TOKEN: TOKEN,
      LISTEN_HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      LOG_LEVEL: logLevel,
      LOG_FORMAT: 'json',
      SHUTDOWN_TIMEOUT_MS: '1800',
      ...(logKind === 'kafka'
        ? { KAFKA_BROKERS: `127.0.0.1:${kafkaPort}` }
        : { EVENTS_DATABASE_URL: through(port, postgres.urlOf('cadastre_events')) }),
    };
    const ownOf = (service: ServicePlan) => ({
      ...keyOf(secrets, service.name),
      ...(service.hasDatabase ? { DATABASE_URL: through(port, postgres.urlOf(`cadastre_${service.name}`)) } : {}),
    });
    children.set(
      part,
      startChild({
        services: part.names,
        command: commandOf(
          servicesFolder,
          plan.services.map(({ name }) => name),
        ),
        env: processEnvironment(plan, seen, common, ownOf),
        log,
        onStart: (pid) => {
          for (const name of part.names) pids.set(name, pid);
        },
      }),
    );
  }
  const ready = async (withinMs: number): Promise<void> => {
    await Promise.all(processes.map((part) => isReady(part, children.get(part)!, withinMs)));
  };
  await ready(180_000);
  let broker: Promise<void> = Promise.resolve();
  return {
    base: `http://127.0.0.1:${port}`,
    token: TOKEN,
    log: logKind,
    services: processes.flatMap((part) => part.names),
    proxies,
    ready,
    databaseUrl: (database) => withDatabase(through(databasePort, postgres.url), database),
    killService: (name) => {
      try {
        process.kill(pids.get(name)!, 'SIGKILL');
      } catch {
        /* It is being started again. */
      }
    },
    killPostgres: (signal) => {
      try {
        process.kill(
          Number.parseInt(readFileSync(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8'), 10),
          signal,
        );
      } catch {
        /* It is being started again. */
      }
    },
    brokerReady: () => broker,
    restartKafka: (downMs) =>
      (broker = broker.then(async () => {
        const pid = Number(readFileSync(join(kafkaDir, 'kafka.pid'), 'utf8'));
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          /* It ended by itself. */
        }
        await sleep(downMs);
        // On a machine with much to do a start may take longer than it is given.
        for (let tries = 1; ; tries++) {
          try {
            await startKafka(kafka);
            return;
          } catch (error) {
            if (tries === BROKER_TRIES) throw error;
          }
        }
      })),
  };
}

async function isReady({ plan, names }: Part, child: Child, withinMs: number): Promise<void> {
  for (const until = Date.now() + withinMs; ; await sleep(100)) {
    if ((await ask(plan)) === undefined) return;
    if (child.refused || Date.now() > until)
      throw new Error(`Not ready: ${names.join()} (${child.lastEnd || 'no answer'}).`);
  }
}

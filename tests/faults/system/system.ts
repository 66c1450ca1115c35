import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { withDatabase } from '@cadastre/service/config';
import { createLog } from '@cadastre/service/log';
import { startKafka, stopKafka } from '../../../tools/kafka-local/broker.ts';
import { freePorts } from '../../../tools/processes/free-ports.ts';
import { type Child, startChild } from '../../../tools/supervisor/child.ts';
import { compileCache } from '../../../tools/supervisor/compile-cache.ts';
import { nodeOptions } from '../../../tools/supervisor/node-options.ts';
import {
  planServices,
  portsEach,
  publicService,
  serviceEnvironment,
  type ServicePlan,
  serviceNames,
} from '../../../tools/supervisor/plan.ts';
import { ask } from '../../../tools/supervisor/ready.ts';
import { watchPostgres } from '../../../tools/supervisor/postgres.ts';
import { generateSecrets, keysFor, withoutKeys } from '../../../tools/supervisor/secrets.ts';
import { type Door, startDoor } from './door.ts';
import type { Undo } from './undo.ts';

export type LogKind = 'postgres' | 'kafka';

export interface Doors {
  database: Door;
  http: Door;
  grpc: Door;
}

/**
 * A whole installation whose processes can be killed and whose connections can be cut: every connection between them
 * goes through a door.
 */
export interface FaultySystem {
  base: string;
  token: string;
  log: LogKind;
  /** Names of the processes; `dcim again` is a second one of `dcim`. */
  services: readonly string[];
  /** Of the server itself, past its doors. */
  databaseUrl(database: string): string;
  /** Ends a process at once; it is started again as the supervisor does it. */
  killService(name: string): void;
  killPostgres(signal: NodeJS.Signals): void;
  /** Ends the broker at once, and starts it again after a while. Resolves when it answers. */
  restartKafka(downMs: number): Promise<void>;
  /** Resolves when no restart of the broker is under way. */
  brokerReady(): Promise<void>;
  /** The connections of a process to its database (and to the event log on PostgreSQL), and those of others to it. */
  doors: ReadonlyMap<string, Doors>;
  /** Resolves when every service says that it is ready. */
  ready(withinMs: number): Promise<void>;
}

export const servicesFolder = fileURLToPath(new URL('../../../services', import.meta.url));
/** How often the broker is started before it is given up. */
const BROKER_TRIES = 3;
/** Services that two processes run: they share the events and the requests, and one of them publishes. */
const TWICE = ['dcim', 'extras'];
export const serviceOf = (process: string): string => process.replace(/ again$/, '');
const TOKEN = 'faults0123456789faults0123456789faults01';

/** Starts everything afresh in a temporary folder; how to stop what was started is noted at once. */
export async function startFaultySystem(logKind: LogKind, undo: Undo, logLevel = 'error'): Promise<FaultySystem> {
  const dataDir = mkdtempSync(join(tmpdir(), 'cadastre-faults-'));
  // PostgreSQL runs as another user than root.
  chmodSync(dataDir, 0o711);
  undo.add(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  const log = createLog('faults', { logLevel: 'fatal', logFormat: 'pretty' });
  const names = serviceNames(servicesFolder),
    planned = (chosen: readonly string[], port: number, ports: readonly number[]): ServicePlan[] =>
      planServices(servicesFolder, chosen, { port, host: '127.0.0.1' }, ports);
  const databases = [
    ...planned(names, 0, [])
      .filter((plan) => plan.hasDatabase)
      .map(({ name }) => name),
    'events',
  ].map((name) => `cadastre_${name}`);
  const starting = watchPostgres(dataDir, databases, log);
  undo.add(async () => (await starting).stop(10_000));
  const postgres = await starting;
  // Now that PostgreSQL has its port, nothing but these takes any.
  const [door = 0, kafkaPort = 0, ...ports] = await freePorts(2 + portsEach * (names.length + TWICE.length));
  const plans = planned(names, door, ports),
    again = planned(TWICE, door, ports.slice(portsEach * names.length)),
    processes = [...plans, ...again.map((plan) => ({ ...plan, name: `${plan.name} again` }))];
  const kafkaDir = join(dataDir, 'kafka'),
    kafka = { dataDir: kafkaDir, port: kafkaPort };
  if (logKind === 'kafka') {
    undo.add(() => stopKafka(kafkaDir));
    await startKafka(kafka);
  }

  const databasePort = Number(new URL(postgres.url).port),
    doors = new Map<string, Doors>(),
    shared = new Map<string, Omit<Doors, 'database'>>();
  for (const plan of plans) {
    // Connections to a service that runs twice go to its processes by turns.
    const all = [plan, ...again.filter(({ name }) => name === plan.name)],
      turn = (): ServicePlan => {
        all.push(all.shift()!);
        return all[0]!;
      };
    const [http, grpc] = await Promise.all([startDoor(() => turn().httpPort), startDoor(() => turn().grpcPort)]);
    undo.add(() => Promise.all([http.close(), grpc.close()]));
    shared.set(plan.name, { http, grpc });
  }
  for (const { name } of processes) {
    const database = await startDoor(() => databasePort);
    undo.add(database.close);
    doors.set(name, { ...shared.get(serviceOf(name))!, database });
  }
  // Where the others find each: behind its doors.
  const seen = plans.map(
    (plan): ServicePlan => ({
      ...plan,
      httpPort: doors.get(plan.name)!.http.port,
      grpcPort: doors.get(plan.name)!.grpc.port,
    }),
  );
  // By TCP: a socket in the file system has no door.
  const through = (port: number, given: string): string => {
    const url = new URL(given);
    url.port = String(port);
    url.search = '';
    return url.toString();
  };
  const secrets = generateSecrets(names),
    children = new Map<string, Child>(),
    pids = new Map<string, number>();
  undo.add(() => Promise.all([...children.values()].map((child) => child.stop(3_000))));
  for (const plan of processes) {
    const { port } = doors.get(plan.name)!.database;
    const common = {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? compileCache(dataDir),
      NODE_OPTIONS: nodeOptions,
      ...withoutKeys(secrets),
      ...keysFor(secrets, serviceOf(plan.name), plan.name === publicService),
      SUPERUSER_NAME: 'admin',
      SUPERUSER_API_TOKEN: TOKEN,
      LISTEN_HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      LOG_LEVEL: logLevel,
      LOG_FORMAT: 'json',
      SHUTDOWN_TIMEOUT_MS: '1800',
      ...(plan.hasDatabase ? { DATABASE_URL: through(port, postgres.urlOf(`cadastre_${serviceOf(plan.name)}`)) } : {}),
      ...(logKind === 'kafka'
        ? { KAFKA_BROKERS: `127.0.0.1:${kafkaPort}` }
        : { EVENTS_DATABASE_URL: through(port, postgres.urlOf('cadastre_events')) }),
    };
    children.set(
      plan.name,
      startChild({
        name: plan.name,
        main: plan.main,
        env: serviceEnvironment(plan, seen, common),
        log,
        onStart: (pid) => pids.set(plan.name, pid),
      }),
    );
  }
  const ready = async (withinMs: number): Promise<void> => {
    await Promise.all(processes.map((plan) => isReady(plan, children.get(plan.name)!, withinMs)));
  };
  await ready(180_000);
  let broker: Promise<void> = Promise.resolve();
  return {
    base: `http://127.0.0.1:${door}`,
    token: TOKEN,
    log: logKind,
    services: processes.map(({ name }) => name),
    doors,
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

async function isReady(plan: ServicePlan, child: Child, withinMs: number): Promise<void> {
  for (const until = Date.now() + withinMs; ; await sleep(100)) {
    if ((await ask(plan)) === undefined) return;
    if (child.refused || Date.now() > until)
      throw new Error(`The service ${plan.name} is not ready (${child.lastEnd || 'no answer'}).`);
  }
}

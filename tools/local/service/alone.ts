import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadCatalogue } from '@cadastre/model';
import { loadConfig } from '@cadastre/service/config';
import { identitySigningKey } from '@cadastre/service/key-pairs';
import { freePorts } from '../processes/free-ports.ts';
import { withoutKeys, keyOf } from '../supervisor/data/kept-secrets.ts';
import { generateSecrets, sharedKeys } from '../supervisor/data/secrets.ts';
import { type Environment, processEnvironment } from '../supervisor/plan/environment.ts';
import { planProcesses, portsEach, publicService, serviceNames } from '../supervisor/plan/plan.ts';
import { compileCache } from '../supervisor/processes/compile-cache.ts';
import { ask } from '../supervisor/processes/ready.ts';
import { variablePrefix } from '@cadastre/service/host/settings';
import { IDENTITY } from './answers.ts';
import { startFront } from './front.ts';
import { startStubs } from './stubs.ts';

/** The folder with a folder for each service. */
export const SERVICES = resolve(import.meta.dirname, '../../../services');

export interface AloneOptions {
  /** Of its files: pictures, and compiled code. */
  readonly dataDir: string;
  /** Of empty databases, as superuser: the service's own, and the one that holds the event log. */
  readonly databases: { readonly own: string; readonly events: string };
  /** The port on which it is called; default: any free port. */
  readonly port?: number;
  readonly env?: Environment;
}

/** One service that runs against stubs of all its neighbours. */
export interface Alone {
  /**
   * Where it is called on behalf of a superuser. The gateway authenticates requests itself: its stub of auth takes any
   * token for that of the superuser.
   */
  readonly base: string;
  /** The address of its health and its metrics. */
  readonly operations: string;
  /** Resolves when it has ended, whether it was asked to or not. */
  readonly ended: Promise<unknown>;
  stop(): Promise<void>;
}

const READY_MS = 300_000;

/** Starts a service as its own process. @throws Error when it ends before it is ready */
export async function startAlone(name: string, options: AloneOptions): Promise<Alone> {
  const names = serviceNames(SERVICES);
  if (!names.includes(name)) throw new Error(`There is no service ${name}; there are ${names.join(', ')}.`);
  const secrets = generateSecrets(names);
  const keys = sharedKeys(secrets);
  const [port = 0, ...ports] = await freePorts(portsEach * names.length + 1);
  const processes = planProcesses(
    SERVICES,
    names.map((one) => [one]),
    { port: name === publicService ? (options.port ?? port) : port, host: '127.0.0.1' },
    ports,
  );
  const plan = processes.find(({ services }) => services[0]!.name === name)!;
  const all = processes.flatMap(({ services }) => services);
  const common: Environment = {
    PATH: process.env['PATH'],
    LOG_FORMAT: 'pretty',
    LOG_LEVEL: 'warn',
    NODE_COMPILE_CACHE: compileCache(options.dataDir),
    ...withoutKeys(secrets),
    ...keys,
    DATA_DIR: options.dataDir,
    LISTEN_HOST: '127.0.0.1',
    EVENTS_DATABASE_URL: options.databases.events,
    [`${variablePrefix(name)}DATABASE_URL`]: options.databases.own,
    ...options.env,
  };
  const closeStubs = await startStubs(
    all.filter((one) => one.name !== name),
    { caller: name, keys, catalogue: await loadCatalogue(SERVICES) },
  );
  const child = spawn(process.execPath, [join(SERVICES, name, 'main.ts')], {
    env: processEnvironment(plan, all, common, (service) => keyOf(secrets, service.name)),
    // Its own process group: Ctrl-C reaches the process that started it, which stops things in order. With a channel,
    // so that it ends when its parent does.
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const stopAll = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
    await closeStubs();
  };
  try {
    await untilReady(child, plan.operationsUrl);
    const { httpPort } = plan.services[0]!;
    const direct = `http://127.0.0.1:${httpPort}`;
    const front =
      name === publicService
        ? { base: direct, close: async () => undefined }
        : await startFront(direct, IDENTITY, identitySigningKey(loadConfig(keys)), options.port ?? 0);
    return {
      base: front.base,
      operations: plan.operationsUrl,
      ended,
      async stop() {
        await front.close();
        await stopAll();
      },
    };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

async function untilReady(child: ChildProcess, operationsUrl: string): Promise<void> {
  let problem: string | undefined;
  for (const until = Date.now() + READY_MS; Date.now() < until; await sleep(50)) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`The service ended with ${child.signalCode ?? child.exitCode}.`);
    problem = await ask({ operationsUrl });
    if (problem === undefined) return;
  }
  throw new Error(`The service is not ready: ${problem}`);
}

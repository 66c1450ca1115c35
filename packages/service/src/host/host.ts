import { AsyncLocalStorage } from 'node:async_hooks';
import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { NewerSchema } from '@cadastre/events/newer-schema';
import { createLog, type Log } from '../observe/log.ts';
import { ConfigError, type Environment } from '../settings/read-settings.ts';
import { createClosing } from './shutdown.ts';
import { configsOf } from './configs.ts';
import { configExitCode, newerSchemaExitCode, portTakenExitCode } from './exit-codes.ts';
import { hosting } from './hosting.ts';
import { besideHeap, heapLimitMb, memoryLimitMb, shortage } from './memory.ts';
import type { Service } from './service.ts';
import { startSignal } from './start-signal.ts';

/** The service on whose behalf code runs, whoever called it. */
const running = new AsyncLocalStorage<string>();

/**
 * Runs services in this process until it is told to stop: reads their settings, starts them, and on SIGTERM, SIGINT or
 * the death of the supervisor closes everything within SHUTDOWN_TIMEOUT_MS. An uncaught failure is logged with the name
 * of the service in which it happened, and ends the process with all its services.
 */
export async function host(services: readonly Service[], env: Environment = process.env): Promise<void> {
  await startSignal();
  // Regular expressions come from users too (custom fields, conditions): V8's linear engine takes over from one that
  // backtracks without end.
  setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');
  const names = services.map(({ name }) => name);
  const several = names.length > 1;
  const { config, of } = configsOrExit(env, names);
  const log = createLog(several ? 'cadastre' : names[0]!, config);
  const logs = new Map(names.map((name) => [name, several ? createLog(name, of.get(name)!.config) : log]));
  const short = shortage(besideHeap(services, of), heapLimitMb(), memoryLimitMb());
  if (short)
    log.warn(
      short,
      'this process may take more memory than it is given, and is killed when it does: see docs/operations.md#memory',
    );
  const closing = createClosing(log);
  // A supervisor reports the start and stop of all its processes in one line, so the lines of each process are only for
  // debugging then.
  const ordinary = process.connected ? 'debug' : 'info';

  const stop = async (reason: string, code: number): Promise<void> => {
    log[ordinary]({ reason }, 'stopping');
    const clean = await closing.close(config.shutdownTimeoutMs);
    process.exit(clean ? code : code || 1);
  };
  const die = (error: unknown, kind: string): void => {
    const name = running.getStore();
    tell(name === undefined ? log : logs.get(name)!, error, several && name ? `${name}: ${kind}` : kind);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal, 0));
  process.on('uncaughtException', (error) => die(error, 'uncaught exception'));
  process.on('unhandledRejection', (error) => die(error, 'unhandled rejection'));
  // The supervisor's channel closes when it dies, even if it was killed; nothing else would stop this process then.
  if (process.connected) {
    process.on('disconnect', () => void stop('the supervisor is gone', 0));
    process.channel?.unref();
  }

  const began = performance.now();
  const hosted = hosting(names, config, closing, log);
  const start = (service: Service) =>
    running.run(service.name, async () => {
      try {
        await hosted.start(service, of.get(service.name)!, logs.get(service.name)!);
      } catch (error) {
        if (closing.signal.aborted) return;
        if (isPlain(error)) exitWith(error, several ? service.name : undefined);
        die(error, 'cannot start');
      }
    });
  try {
    await hosted.open();
  } catch (error) {
    return die(error, 'cannot start');
  }
  // Client-facing services start last, when the services that they call are there.
  await Promise.all(services.filter(({ facesClients }) => !facesClients).map(start));
  await Promise.all(services.filter(({ facesClients }) => facesClients).map(start));
  if (closing.signal.aborted) return;
  hosted.started();
  // At exit, Node would write its compile cache, which takes seconds the first time: time that a shutdown does not
  // have.
  flushCompileCache();
  log[ordinary]({ ms: Math.round(performance.now() - began), pid: process.pid }, 'started');
}

function configsOrExit(...given: Parameters<typeof configsOf>): ReturnType<typeof configsOf> {
  try {
    return configsOf(...given);
  } catch (error) {
    if (error instanceof ConfigError) exitWith(error);
    throw error;
  }
}

/** Logs an uncaught error, and ends the process. */
function tell(log: Log, error: unknown, kind: string): never {
  log.fatal({ err: error }, kind);
  // The supervisor quotes the end of this stream when it reports the crash.
  if (process.connected) process.stderr.write(`${kind}: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(isPortTaken(error) ? portTakenExitCode : 1);
}

/** An error of Node itself, or of gRPC, which has it only in the message. */
const isPortTaken = (error: unknown): boolean =>
  error instanceof Error &&
  ((error as NodeJS.ErrnoException).code === 'EADDRINUSE' || error.message.includes('EADDRINUSE'));

/** Errors that are reported by their message alone, without a stack: it says what the administrator has to do. */
const isPlain = (error: unknown): error is ConfigError | NewerSchema =>
  error instanceof ConfigError || error instanceof NewerSchema;

function exitWith(error: ConfigError | NewerSchema, service?: string): never {
  process.stderr.write(`${service === undefined ? '' : `${service}: `}${error.message}\n`);
  process.exit(error instanceof NewerSchema ? newerSchemaExitCode : configExitCode);
}

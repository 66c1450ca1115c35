import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { type Config, ConfigError, loadConfig } from './config.ts';
import { createLog, type Log } from './log.ts';
import { createClosing } from './shutdown.ts';

export type ServiceContext = {
  readonly name: string;
  readonly config: Config;
  readonly log: Log;
  /** Names what to close at the end; the last one added is closed first, so register in the order of opening. */
  readonly onClose: (name: string, close: () => unknown) => void;
  /** Aborted when the shutdown begins. */
  readonly closing: AbortSignal;
};

/**
 * Runs a service until it is told to stop: reads the configuration, calls `start`, and on SIGTERM, SIGINT or the death
 * of the supervisor closes everything within SHUTDOWN_TIMEOUT_MS. A failure that nobody caught is logged and ends the
 * process.
 */
export async function runService(
  name: string,
  start: (context: ServiceContext) => Promise<void> | void,
): Promise<void> {
  // Regular expressions come from users too (custom fields, conditions): V8's linear engine takes over from one that
  // backtracks without end.
  setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');
  const config = configOrExit();
  const log = createLog(name, config);
  const closing = createClosing(log);
  // Under a supervisor, which tells of them all in one line, only those who look closely want to read of each.
  const ordinary = process.connected ? 'debug' : 'info';
  const stop = async (reason: string, code: number): Promise<void> => {
    log[ordinary]({ reason }, 'stopping');
    const clean = await closing.close(config.shutdownTimeoutMs);
    process.exit(clean ? code : code || 1);
  };
  const die = (error: unknown, kind: string): void => {
    log.fatal({ err: error }, kind);
    // The supervisor quotes the end of this stream when it reports the crash.
    if (process.connected) process.stderr.write(`${kind}: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(isPortTaken(error) ? portTakenExitCode : 1);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal, 0));
  process.on('uncaughtException', (error) => die(error, 'uncaught exception'));
  process.on('unhandledRejection', (error) => die(error, 'unhandled rejection'));
  // The supervisor's channel closes when it dies, also when it was killed; nobody would stop this process then.
  if (process.connected) {
    process.on('disconnect', () => void stop('the supervisor is gone', 0));
    process.channel?.unref();
  }
  const began = performance.now();
  try {
    await start({ name, config, log, onClose: closing.onClose, closing: closing.signal });
  } catch (error) {
    if (closing.signal.aborted) return;
    if (error instanceof ConfigError) exitWith(error);
    return die(error, 'cannot start');
  }
  const ms = Math.round(performance.now() - began);
  // Node would write its cache of compiled code at exit, which takes seconds the first time; a shutdown has none to
  // spare.
  flushCompileCache();
  log[ordinary]({ ms, pid: process.pid }, 'started');
}

function configOrExit(): Config {
  try {
    return loadConfig(process.env);
  } catch (error) {
    if (error instanceof ConfigError) exitWith(error);
    throw error;
  }
}

/** Exit code of a process whose configuration is wrong: starting it again would not help. */
export const configExitCode = 78;

/** Exit code of a process that found a port of its own in use. */
export const portTakenExitCode = 79;

/** Of node itself, or of gRPC, which only says so in words. */
const isPortTaken = (error: unknown): boolean =>
  error instanceof Error &&
  ((error as NodeJS.ErrnoException).code === 'EADDRINUSE' || error.message.includes('EADDRINUSE'));

function exitWith(error: ConfigError): never {
  process.stderr.write(`${error.message}\n`);
  process.exit(configExitCode);
}

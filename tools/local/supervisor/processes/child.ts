import { type ChildProcess, spawn } from 'node:child_process';
import { configExitCode, newerSchemaExitCode, portTakenExitCode } from '@cadastre/service/host/exit-codes';
import { waitVariable } from '@cadastre/service/host/start-signal';
import type { Log } from '@cadastre/service/log';
import type { Environment } from '../plan/environment.ts';
import { titleOf } from '../plan/plan.ts';

export type Child = {
  /** The services in it. */
  readonly services: readonly string[];
  /** Sends a signal to the present process, if there is one. */
  kill(signal: NodeJS.Signals): void;
  /** Asks it to stop and does not start it again. Resolves when it has ended; after `timeoutMs` it is killed. */
  stop(timeoutMs: number): Promise<void>;
  /** How often it ended without being asked to. */
  readonly crashes: number;
  /** Why it is not started again: its configuration is wrong, or the database is a later version's. */
  readonly refused: Refused | undefined;
  /** It ended because another program had one of its ports. */
  readonly portTaken: boolean;
  /** Why it ended last. */
  readonly lastEnd: string;
};

export type ChildOptions = {
  readonly services: readonly string[];
  /** The arguments for Node. */
  readonly command: readonly string[];
  readonly env: Environment;
  /** It loads its code at once, and starts its services when this resolves. */
  readonly after?: Promise<unknown>;
  readonly log: Log;
  /** Called with the id of each process started. */
  readonly onStart: (pid: number) => void;
};

/** Exit codes that another start would not change. */
const final = { [configExitCode]: 'configuration', [newerSchemaExitCode]: 'schema' } as const;
type Refused = (typeof final)[keyof typeof final];
const isFinal = (code: number | null): code is keyof typeof final => code !== null && code in final;

const firstPause = 200;
const longestPause = 10_000;
/** A process that ran this long counts as healthy: its next crash is restarted without delay. */
const healthyAfter = 30_000;
const keptStderr = 2_000;

/** Runs a process that hosts services, and starts it again when it ends unasked, with growing pauses. */
export function startChild(options: ChildOptions): Child {
  const { services, log } = options;
  const title = titleOf(services);
  const state = {
    process: undefined as ChildProcess | undefined,
    stopping: false,
    crashes: 0,
    refused: undefined as Refused | undefined,
    portTaken: false,
    lastEnd: '',
    pause: firstPause,
    timer: undefined as NodeJS.Timeout | undefined,
    waiting: options.after !== undefined,
  };
  options.after?.then(
    () => {
      state.waiting = false;
      if (state.process?.connected) state.process.send('start');
    },
    // The caller gets the same error, and stops this process.
    () => undefined,
  );

  const run = (): void => {
    const began = Date.now();
    let stderr = '';
    // Its own process group: Ctrl-C in the terminal reaches the supervisor alone, which stops things in order.
    const child = spawn(process.execPath, options.command, {
      env: state.waiting ? { ...options.env, [waitVariable]: '1' } : options.env,
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
      detached: true,
    });
    state.process = child;
    if (child.pid !== undefined) options.onStart(child.pid);
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      process.stderr.write(text);
      stderr = (stderr + text).slice(-keptStderr);
    });
    child.once('error', (error) => {
      stderr += error.message;
    });
    child.once('close', (code, signal) => {
      state.process = undefined;
      if (state.stopping) return;
      state.crashes += 1;
      state.portTaken ||= code === portTakenExitCode;
      if (Date.now() - began > healthyAfter) state.pause = firstPause;
      const last = stderr.trim().split('\n').slice(-3).join(' | ');
      state.lastEnd = `${signal ? `killed by ${signal}` : `exit code ${code}`}${last === '' ? '' : `: ${last}`}`;
      if (isFinal(code)) {
        state.refused = final[code];
        const why = state.refused === 'schema' ? 'the database is of a later version' : 'the configuration is refused';
        log.error(`${title}: ${why}, not started again`);
        return;
      }
      log.error(
        { crashed: services.join(), code, signal, stderr: last === '' ? undefined : last },
        `${title} ended (${signal ?? `exit code ${code}`}), starting it again in ${state.pause} ms`,
      );
      state.timer = setTimeout(run, state.pause);
      state.pause = Math.min(state.pause * 2, longestPause);
    });
  };
  run();

  return {
    services,
    get crashes() {
      return state.crashes;
    },
    get refused() {
      return state.refused;
    },
    get portTaken() {
      return state.portTaken;
    },
    get lastEnd() {
      return state.lastEnd;
    },
    kill: (signal) => {
      state.stopping = true;
      clearTimeout(state.timer);
      state.process?.kill(signal);
    },
    stop: (timeoutMs) =>
      new Promise((resolve) => {
        state.stopping = true;
        clearTimeout(state.timer);
        const child = state.process;
        if (!child) return resolve();
        const late = setTimeout(() => {
          log.warn(`${title} did not stop in time: killed`);
          child.kill('SIGKILL');
        }, timeoutMs);
        child.once('close', () => {
          clearTimeout(late);
          resolve();
        });
        child.kill('SIGTERM');
      }),
  };
}

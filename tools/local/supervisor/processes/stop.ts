import type { Log } from '@cadastre/service/log';
import { describeProcess, parentOf } from '../../processes/identify.ts';
import type { Child } from './child.ts';
import type { WatchedPostgres } from '../postgres/postgres.ts';

export type Stop = {
  /** Aborted as soon as the stop begins. */
  readonly signal: AbortSignal;
  /** Stops everything in order and exits. */
  run(reason: string, code: number): Promise<void>;
};

type StopOptions = {
  readonly log: Log;
  readonly children: readonly Child[];
  readonly publicService: string;
  /** Possibly still starting; it is waited for, lest it run on alone. */
  readonly postgres: () => Promise<WatchedPostgres> | undefined;
  /** Called when a stop begins. */
  readonly stopping: () => void;
};

/**
 * A stop takes at most five seconds. The gateway, alone or with services in its process, and then the services behind it
 * must have ended by these times; what is left is for PostgreSQL.
 */
const limits = { gateway: 1_500, sharedGateway: 2_500, services: 3_500, all: 4_800 };
/** What a service is told to take, so that it ends by itself before it is killed. */
export const serviceShutdownMs = 1_800;
/** npm passes Ctrl-C on although the terminal has sent it to us too; only what comes later is a second one. */
const echoMs = 700;

/**
 * Stops on SIGINT, SIGTERM, SIGHUP or the end of npm: first the gateway, then the services, PostgreSQL last. A second
 * Ctrl-C kills.
 */
export function createStop({ log, children, publicService, postgres, stopping: begun }: StopOptions): Stop {
  const stopping = new AbortController();
  let began = 0;
  const left = (limit: number): number => Math.max(began + limit - Date.now(), 100);
  const run = async (reason: string, code: number): Promise<void> => {
    if (stopping.signal.aborted) return;
    began = Date.now();
    stopping.abort();
    begun();
    log.info({ reason }, 'stopping');
    const isGateway = ({ services }: Child): boolean => services.includes(publicService);
    const gatewayMs = ({ services }: Child): number => (services.length > 1 ? limits.sharedGateway : limits.gateway);
    await Promise.all(children.filter(isGateway).map((child) => child.stop(gatewayMs(child))));
    const behind = children.filter((child) => !isGateway(child));
    await Promise.all(behind.map((child) => child.stop(left(limits.services))));
    await (await postgres()?.catch(() => undefined))?.stop(left(limits.all));
    log.info({ ms: Date.now() - began }, 'stopped');
    process.exit(code);
  };
  const kill = async (): Promise<void> => {
    for (const child of children) child.kill('SIGKILL');
    (await postgres()?.catch(() => undefined))?.kill();
    process.exit(130);
  };
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'the supervisor failed');
    void run('the supervisor failed', 1);
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (!stopping.signal.aborted) void run(signal, 0);
      else if (Date.now() - began > echoMs) void kill();
    });
  }
  watchParent(() => void run('npm is gone', 0));
  return { signal: stopping.signal, run };
}

/** Under npm, a killed npm would leave the supervisor behind without anybody noticing. */
function watchParent(gone: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const shell = process.ppid;
  // npm runs scripts in a shell, which outlives it; a shell that replaced itself by the script is npm's place in the
  // chain.
  const between = /^\S*sh -c /.test(describeProcess(shell)?.command ?? '');
  const npm = between ? parentOf(shell) : undefined;
  const timer = setInterval(() => {
    if (process.ppid === shell && (!between || parentOf(shell) === npm)) return;
    clearInterval(timer);
    gone();
  }, 500);
  timer.unref();
}

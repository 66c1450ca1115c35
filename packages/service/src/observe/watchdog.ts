import { performance } from 'node:perf_hooks';
import type { Registry } from 'prom-client';
import { Counter } from 'prom-client';
import { type CurrentWork, currentWork } from '../request/current-work.ts';
import type { Log } from './log.ts';

export interface WatchdogOptions {
  log: Pick<Log, 'warn'>;
  registry: Registry;
  /** How long a turn of the event loop may take, in milliseconds. */
  turnMs: number;
}

/** How often it looks, in milliseconds: the reported length of a turn is at most this much too long. */
const EVERY = 50;
/**
 * On a busy machine a turn takes long although it computes little: the thread itself must have computed for this share
 * of the limit.
 */
const OWN = 0.75;

/** Readings of the clocks at one look. */
interface Look {
  at: number;
  /** Processor time of the thread. */
  cpuMs: number;
  /** Time in which the event loop was not idle. */
  busyMs: number;
  begun: number;
}

/**
 * Reports turns of the event loop that take too long, as no other request is answered meanwhile. A turn is attributed
 * to the step of the work that began last (see `enterStage`).
 */
export function watchTurns({ log, registry, turnMs }: WatchdogOptions): { stop(): void } {
  const turns = new Counter({
    name: 'event_loop_long_turns_total',
    help: 'Turns of the event loop that took longer than EVENT_LOOP_MAX_MS',
    labelNames: ['route', 'stage'] as const,
    registers: [registry],
  });
  let last = look();
  const timer = setInterval(() => {
    const now = look();
    const late = now.at - last.at - EVERY;
    // Not all of the time since the last look was in one turn, but the delay of this look was.
    const tookMs = Math.min(late + EVERY, now.busyMs - last.busyMs);
    const cpuMs = now.cpuMs - last.cpuMs;
    if (late + EVERY > turnMs && tookMs > turnMs && cpuMs > turnMs * OWN) {
      const what = told(now.begun === last.begun ? undefined : currentWork);
      turns.inc({ route: what.route, stage: what.stage });
      log.warn(
        { ms: Math.round(tookMs), cpu_ms: Math.round(cpuMs), ...what },
        'a turn of the event loop took too long',
      );
    }
    last = { ...now, at: performance.now() };
  }, EVERY);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

function look(): Look {
  const { user, system } = process.threadCpuUsage();
  return {
    at: performance.now(),
    cpuMs: (user + system) / 1000,
    busyMs: performance.eventLoopUtilization().active,
    begun: currentWork.begun,
  };
}

interface Told {
  route: string;
  stage: string;
  method?: string | undefined;
  path?: string;
  request_id?: string;
}

/** What a step was for, without anything that clients have put into the address. */
function told(what: CurrentWork | undefined): Told {
  if (!what) return { route: 'none', stage: 'unknown' };
  const { stage, of } = what;
  if (of === undefined) return { route: 'none', stage };
  if (typeof of === 'string') return { route: of, stage };
  const { method, url = '', headers } = of.req;
  const id = headers['x-request-id'];
  const path = ((of.req as { originalUrl?: string }).originalUrl ?? url).split('?', 1)[0]!.slice(0, 200);
  return {
    route: String(of.locals?.route ?? 'other'),
    stage,
    method,
    path,
    ...(typeof id === 'string' ? { request_id: id } : {}),
  };
}

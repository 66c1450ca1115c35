import { performance } from 'node:perf_hooks';
import type { Registry } from 'prom-client';
import { Counter } from 'prom-client';
import { type CurrentWork, currentWork } from '../request/current-work.ts';
import type { Log } from './log.ts';

export interface WatchdogOptions {
  log: Pick<Log, 'warn'>;
  registry: Registry;
  /** A turn of the event loop may take so long, in milliseconds. */
  turnMs: number;
}

/** How often it looks, in milliseconds: a turn is told that much longer than it was at most. */
const EVERY = 50;
/** A machine with much else to do makes turns long that compute little: the process itself computed this share of the limit. */
const OWN = 0.75;

/** What the clocks say at a look. */
interface Look {
  at: number;
  /** Processor time of the thread. */
  cpuMs: number;
  /** Time in which the loop did not wait. */
  busyMs: number;
  begun: number;
}

/**
 * Tells of turns of the event loop that take too long: nobody else is answered meanwhile. Who holds it is the step of
 * the work that began last (see `entered`).
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
    // Not all of the time since the last look was in one turn, but all that the look is late.
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

/** What a step was of, without what clients have put into the address. */
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

import type { ChangeEvent } from '@cadastre/events';

const pauseMs = 60_000;

/**
 * Warns, once in a while, when the clock of another machine is further ahead than allowed: the time of a change decides
 * which version of a rule applies to it.
 */
export function clocksAhead(
  skewMs: number,
  warn: (message: string, details: Record<string, unknown>) => void,
  now: () => number = Date.now,
): { look(events: readonly Pick<ChangeEvent, 'time' | 'objectType'>[]): void } {
  let quietUntil = Number.NEGATIVE_INFINITY;
  return {
    look(events) {
      const here = now();
      if (here < quietUntil) return;
      for (const { time, objectType } of events) {
        const aheadMs = Date.parse(time) - here;
        if (aheadMs <= skewMs) continue;
        quietUntil = here + pauseMs;
        warn('a change comes from a machine whose clock is ahead: set the clocks, or raise WEBHOOK_CLOCK_SKEW_MS', {
          aheadMs,
          objectType,
        });
        return;
      }
    },
  };
}

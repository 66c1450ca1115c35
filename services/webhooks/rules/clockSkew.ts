import type { ChangeEvent } from '@cadastre/events';

const pauseMs = 60_000;

/**
 * Notices that the clock of another machine is further ahead than is allowed for, and says so once in a while: what
 * decides which version of a rule counts for a change is when it was made.
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

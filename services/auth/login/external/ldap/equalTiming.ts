import { setTimeout as sleep } from 'node:timers/promises';

/** Where a password was looked at. */
type Route = 'here' | 'directory';

/** Of so many refusals the time is remembered, by route. */
const REMEMBERED = 15;
/** Nobody waits for longer, however slow the other route is. */
const LONGEST_MS = 2_000;

/** Makes refusals of both routes take about the same time, so that it does not tell which names have a password here. */
export interface EqualTiming {
  /** Waits for as long as a refusal by the other route would have taken longer. */
  refused(route: Route, tookMs: number): Promise<void>;
}

export function equalTiming(wait: (ms: number) => Promise<unknown> = sleep): EqualTiming {
  const took: Record<Route, number[]> = { here: [], directory: [] };
  return {
    async refused(route, tookMs) {
      took[route] = [...took[route], tookMs].slice(-REMEMBERED);
      const longest = Math.max(middle(took.here), middle(took.directory));
      const left = Math.min(longest, LONGEST_MS) - tookMs;
      if (left > 0) await wait(left);
    },
  };
}

/** The median: one that took unusually long changes nothing. */
const middle = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;

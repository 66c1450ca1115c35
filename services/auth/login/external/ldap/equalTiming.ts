import { setTimeout as sleep } from 'node:timers/promises';

/** Where a password was checked. */
type Route = 'here' | 'directory';

/** How many durations of refusals are remembered for each route. */
const REMEMBERED = 15;
/** The longest delay of a refusal, however slow the other route is. */
const LONGEST_MS = 2_000;

/**
 * Makes refusals by both routes take about the same time, so that timing does not reveal which names have a password
 * here.
 */
export interface EqualTiming {
  /** Delays a refusal until one by the other route would usually have been sent. */
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

/** The median, so that a single slow refusal changes nothing. */
const middle = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;

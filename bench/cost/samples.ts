import { setTimeout as sleep } from 'node:timers/promises';
import { quiet } from '../machine/quiet.ts';

/** Counts that only grow, by what is counted (`CPU of services`) and then by where (`dcim`). */
export type Counts = Record<string, Record<string, number>>;

/** Counts at a moment in milliseconds. */
export interface Sample {
  at: number;
  counts: Counts;
}

/**
 * The increase of each count from one sample to the next, divided by the number of things. A count that is missing from
 * the earlier sample starts at zero.
 */
export function added(from: Sample, to: Sample, things: number): Counts {
  return mapped(to.counts, (count, what, where) => (count - countOf(from, what, where)) / things);
}

/** The increase per second. */
export const perSecond = (from: Sample, to: Sample): Counts => added(from, to, (to.at - from.at) / 1000);

/** The cost of each thing between the last two samples, less the background load measured between the first two. */
export function taken([idle, from, to]: readonly [Sample, Sample, Sample], things: number): Counts {
  const always = { at: 0, counts: perSecond(idle, from) };
  const seconds = (to.at - from.at) / 1000;
  return mapped(added(from, to, things), (count, what, where) =>
    Math.max(count - (countOf(always, what, where) * seconds) / things, 0),
  );
}

/** The sum of a count over all places. */
export const total = (counts: Counts, what: string): number =>
  Object.values(counts[what] ?? {}).reduce((sum, count) => sum + count, 0);

/**
 * Takes samples around some work: two at rest before it, and one at rest after it, so that its consequences are
 * included. The counts are complete after `pauseMs`.
 */
export async function around<T>(
  take: () => Promise<Sample>,
  pauseMs: number,
  work: () => Promise<T>,
): Promise<{ result: T; samples: [Sample, Sample, Sample] }> {
  await quiet();
  await sleep(pauseMs);
  const idle = await take();
  await sleep(pauseMs);
  const from = await take();
  const result = await work();
  await quiet();
  await sleep(pauseMs);
  return { result, samples: [idle, from, await take()] };
}

const countOf = ({ counts }: Sample, what: string, where: string): number => counts[what]?.[where] ?? 0;

function mapped(counts: Counts, change: (count: number, what: string, where: string) => number): Counts {
  return Object.fromEntries(
    Object.entries(counts).map(([what, places]) => [
      what,
      Object.fromEntries(Object.entries(places).map(([where, count]) => [where, change(count, what, where)])),
    ]),
  );
}

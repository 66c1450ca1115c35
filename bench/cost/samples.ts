import { setTimeout as sleep } from 'node:timers/promises';
import { quiet } from '../machine/quiet.ts';

/** Counts that only grow, by what is counted (`CPU of services`) and then by where (`dcim`). */
export type Counts = Record<string, Record<string, number>>;

/** Counts at a moment in milliseconds. */
export interface Sample {
  at: number;
  counts: Counts;
}

/** What has been added from one sample to the next for each of so many things; none where nothing was. */
export function added(from: Sample, to: Sample, things: number): Counts {
  return mapped(to.counts, (count, what, where) => (count - countOf(from, what, where)) / things);
}

/** What is added in a second. */
export const perSecond = (from: Sample, to: Sample): Counts => added(from, to, (to.at - from.at) / 1000);

/** What each of so many things took between the last two samples, beyond what passes by itself, as from the first to the second. */
export function taken([idle, from, to]: readonly [Sample, Sample, Sample], things: number): Counts {
  const always = { at: 0, counts: perSecond(idle, from) };
  const seconds = (to.at - from.at) / 1000;
  return mapped(added(from, to, things), (count, what, where) =>
    Math.max(count - (countOf(always, what, where) * seconds) / things, 0),
  );
}

/** All of something, wherever it was counted. */
export const total = (counts: Counts, what: string): number =>
  Object.values(counts[what] ?? {}).reduce((sum, count) => sum + count, 0);

/**
 * Takes samples around something that is done: at rest, some time later, and at rest again, so that what follows from
 * it is in. The counts are complete after `pauseMs`.
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

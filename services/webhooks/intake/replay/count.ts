import type { ChangesWanted } from '../../../extras/models/changesApi.ts';
import { matchesOf, only, portion, type ReplayOptions } from './run.ts';

/** A replay that has not been started, whose size is to be known. */
export interface Counting extends Pick<ChangesWanted, 'since' | 'until' | 'types'> {
  webhook: number;
}

/** The number of events that it would read, and of deliveries that it would send. */
export interface Counted {
  events: number;
  deliveries: number;
  /** Whether everything was counted; as a user waits for the answer, counting stops early in a long range. */
  complete: boolean;
}

const MOST_EVENTS = 10_000;
const LONGEST_MS = 5_000;

/** Goes through the events as a replay does, in the same portions, and sends nothing. */
export async function countReplay(
  options: ReplayOptions,
  { webhook, ...range }: Counting,
  now: () => number = () => performance.now(),
): Promise<Counted> {
  const rules = only((await options.registry.current()).now, webhook);
  const end = now() + LONGEST_MS;
  const most = Math.min(MOST_EVENTS, options.maxEvents);
  const counted: Counted = { events: 0, deliveries: 0, complete: false };
  let after = { after_time: '', after_id: 0 };
  while (counted.events < most && now() < end) {
    const limit = Math.min(portion, most - counted.events);
    const records = await options.changes({ ...range, ...after, limit });
    counted.events += records.length;
    counted.deliveries += (await matchesOf(options, rules, records)).length;
    const last = records.at(-1);
    if (!last || records.length < limit) return { ...counted, complete: true };
    after = { after_time: last.time, after_id: last.id };
  }
  return counted;
}

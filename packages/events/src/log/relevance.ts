import type { RelevanceFilter } from './log.ts';

/** Header of a message: the names of the partial replicas that the message does not concern. */
export const irrelevantToHeader = 'aside';

/** Whether a message is marked as not concerning one of these partial replicas. */
export const isIrrelevantTo = (given: string | undefined, names: readonly string[]): boolean =>
  Boolean(given) && given!.split(' ').some((name) => names.includes(name));

/**
 * The messages ahead with one key: how many are marked as not concerning the group, and whether the group gets others
 * of them.
 */
export interface KeyAhead {
  key: string;
  irrelevant: number;
  delivered: boolean;
}

/**
 * Keys whose messages a group gets even if they are marked as not concerning it: the keys that the group asks for, and
 * those of which it gets another message in the same batch, which it has not applied yet.
 */
export async function relevantKeys(
  { relevant: heeds }: RelevanceFilter,
  ahead: readonly KeyAhead[],
): Promise<ReadonlySet<string>> {
  const delivered = ahead.filter((one) => one.delivered).map(({ key }) => key);
  const others = ahead.filter((one) => !one.delivered).map(({ key }) => key);
  return others.length ? new Set([...delivered, ...(await heeds(others))]) : new Set(delivered);
}

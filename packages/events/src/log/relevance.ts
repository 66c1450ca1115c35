import type { RelevanceFilter } from './log.ts';

/** Header of a message that names the partial replicas that it does not concern. */
export const irrelevantToHeader = 'aside';

/** Whether a message says that it does not concern one of these partial replicas. */
export const isIrrelevantTo = (given: string | undefined, names: readonly string[]): boolean =>
  Boolean(given) && given!.split(' ').some((name) => names.includes(name));

/**
 * Messages with one key that lie ahead: how many say that they do not concern the group, and whether it gets others.
 */
export interface KeyAhead {
  key: string;
  irrelevant: number;
  delivered: boolean;
}

/**
 * Keys whose messages a group gets although they say that they do not concern it: those that it asks for, and those of
 * which it gets another message in the same batch, as it has not applied that yet.
 */
export async function relevantKeys(
  { relevant: heeds }: RelevanceFilter,
  ahead: readonly KeyAhead[],
): Promise<ReadonlySet<string>> {
  const delivered = ahead.filter((one) => one.delivered).map(({ key }) => key);
  const others = ahead.filter((one) => !one.delivered).map(({ key }) => key);
  return others.length ? new Set([...delivered, ...(await heeds(others))]) : new Set(delivered);
}

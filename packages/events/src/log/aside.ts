import type { Aside } from './log.ts';

/** Under which name it travels where a message has nothing but headers. */
export const asideHeader = 'aside';

/** Whether what a message says of that means a group of these names. */
export const meansOne = (aside: string | undefined, names: readonly string[]): boolean =>
  Boolean(aside) && aside!.split(' ').some((name) => names.includes(name));

/**
 * What is known of the messages with one key that are ahead: how many say that they do not concern the group, and
 * whether there are others, which it gets.
 */
export interface KeyAhead {
  key: string;
  aside: number;
  told: boolean;
}

/**
 * Which keys a group heeds although messages say that they do not concern it: those that it asks for, and those of
 * which it gets another message at the same time, as what it makes of that is not known to it yet.
 */
export async function heeded({ heeds }: Aside, ahead: readonly KeyAhead[]): Promise<ReadonlySet<string>> {
  const told = ahead.filter((one) => one.told).map(({ key }) => key);
  const others = ahead.filter((one) => !one.told).map(({ key }) => key);
  return others.length ? new Set([...told, ...(await heeds(others))]) : new Set(told);
}

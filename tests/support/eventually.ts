import { setTimeout as sleep } from 'node:timers/promises';

/**
 * How long a test waits for what follows by itself: it takes milliseconds, but on a machine with much else to do a
 * thousand times that, and a virtual machine may stand still for a minute.
 */
export const patienceMs = 120_000;

/**
 * Waits until something that follows by itself has happened: `attempt` no longer throws.
 * @throws what the last attempt threw, when the time is up
 */
export async function eventually<T>(attempt: () => Promise<T> | T, withinMs = patienceMs): Promise<T> {
  for (const until = Date.now() + withinMs; ; await sleep(25)) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > until) throw error;
    }
  }
}

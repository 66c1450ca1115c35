import { setTimeout as sleep } from 'node:timers/promises';

/**
 * How long a test waits for an asynchronous effect: it takes milliseconds, but on a busy machine a thousand times that,
 * and a virtual machine may stand still for a minute.
 */
export const patienceMs = 120_000;

/**
 * Waits until an asynchronous effect has happened: `attempt` no longer throws.
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

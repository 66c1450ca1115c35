import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until something that follows by itself has happened: `attempt` no longer throws.
 * @throws what the last attempt threw, when the time is up
 */
export async function eventually<T>(attempt: () => Promise<T> | T, withinMs = 5_000): Promise<T> {
  for (const until = Date.now() + withinMs; ; await sleep(25)) {
    try { return await attempt(); } catch (error) { if (Date.now() > until) throw error; }
  }
}

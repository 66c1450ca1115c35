import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from './client.ts';

/** How long followers may take before the benchmark goes on without them. */
const PATIENCE_MS = 180_000;

/**
 * Waits until the creation of a number of objects of a type is in the change log, so that reads are not measured while
 * work from earlier writes remains. Returns how long that took, in seconds.
 */
export async function settled({ send }: Client, type: string, amount: number): Promise<number> {
  const began = performance.now();
  for (let count = 0; count < amount; await sleep(200)) {
    ({ count } = (await send(
      'GET',
      `/api/extras/object-changes/?changed_object_type=${type}&action=create&limit=1`,
    )) as { count: number });
    if (performance.now() - began > PATIENCE_MS)
      throw new Error(`The change log has ${count} of ${amount} creations of ${type} after ${PATIENCE_MS / 1000} s.`);
  }
  return (performance.now() - began) / 1000;
}

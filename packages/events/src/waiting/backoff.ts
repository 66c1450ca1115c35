import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The pause before try `attempt + 1`, doubled each time, with a random fifth so that processes do not come back in
 * step.
 */
export function backoff(attempt: number, first: number, max: number): number {
  const full = Math.min(max, first * 2 ** Math.min(attempt - 1, 30));
  return full * (0.8 + 0.2 * Math.random());
}

/** Waits, or returns early when the signal is aborted. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => {});
}

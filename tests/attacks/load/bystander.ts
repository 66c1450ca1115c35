// The other user, in a thread of its own: what the attackers do to the event loop of the test must not count as the
// system's.
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Asked, Errand, Experience } from './p99.ts';

const { kinds, count, warmUp, withinMs, timeoutMs } = workerData as Errand;

/** @returns what was wrong with the answer, if anything */
async function ask({ method = 'GET', url, headers, body }: Asked): Promise<string | undefined> {
  try {
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      ...(headers && { headers }),
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    return response.status < 400 ? undefined : `${method} ${url}: ${response.status} ${text.slice(0, 200)}`;
  } catch (error) {
    return `${method} ${url}: ${error instanceof Error ? `${error.name}: ${error.message} ${String(error.cause ?? '')}` : String(error)}`;
  }
}

const times: number[] = [];
const wrong: string[] = [];
const note = (said: string | undefined): void => {
  if (said !== undefined) wrong.push(said);
};
for (let i = 0; i < warmUp; i += 1) for (const kind of kinds) note(await ask(kind));
if (warmUp === 0) {
  for (const until = Date.now() + withinMs; times.length < count && Date.now() < until; ) {
    const began = performance.now();
    note(await ask(kinds[times.length % kinds.length]!));
    times.push(performance.now() - began);
    // Like a user at work; without a pause this would be a second flood.
    await sleep(5);
  }
}
parentPort!.postMessage({ times, wrong } satisfies Experience);

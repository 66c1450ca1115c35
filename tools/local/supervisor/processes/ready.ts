import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from './child.ts';
import { type ProcessPlan, titleOf } from '../plan/plan.ts';

/** A process that crashed this often before it was ever ready will not get better by itself. */
const hopeless = 5;

/** Another program took a port after it had been chosen. */
export class PortTaken extends Error {
  override readonly name = 'PortTaken';
}

/** A service has reported an error in its configuration. */
class RefusedConfiguration extends Error {
  override readonly name = 'RefusedConfiguration';
}

/** A service has found the tables of a later version. */
class RefusedSchema extends Error {
  override readonly name = 'RefusedSchema';
}

/**
 * Waits until every process says that all its services are ready.
 * @throws PortTaken when one found a port of its own in use
 * @throws RefusedConfiguration when one cannot use what it is told
 * @throws RefusedSchema when one finds tables of a later version
 * @throws when one keeps crashing, or when the time is up
 */
export async function untilReady(
  processes: readonly { plan: ProcessPlan; child: Child }[],
  timeoutMs: number,
  stop: AbortSignal,
): Promise<void> {
  const until = Date.now() + timeoutMs;
  await Promise.all(
    processes.map(async ({ plan, child }) => {
      const title = `The ${titleOf(child.services)}`;
      let last = 'no answer';
      while (!stop.aborted) {
        const answer = await ask(plan);
        if (answer === undefined) return;
        last = answer;
        if (child.portTaken) throw new PortTaken(`${title} cannot listen (${child.lastEnd}).`);
        if (child.refused === 'schema') throw new RefusedSchema(`${title}: the database is of a later version.`);
        if (child.refused) throw new RefusedConfiguration(`${title}: the configuration is refused (${child.lastEnd}).`);
        if (child.crashes >= hopeless) throw new Error(`${title} cannot start (${child.lastEnd}).`);
        if (Date.now() > until)
          throw new Error(`${title}: not ready after ${Math.round(timeoutMs / 1000)} s: ${child.lastEnd || last}.`);
        await sleep(100, undefined, { signal: stop }).catch(() => undefined);
      }
    }),
  );
}

/** Why a process is not ready; undefined when it is. (By `node:http`, as `fetch` alone takes 10 MB of memory.) */
export function ask({ operationsUrl }: Pick<ProcessPlan, 'operationsUrl'>): Promise<string | undefined> {
  return new Promise((resolve) => {
    const request = get(`${operationsUrl}/health/ready`, { agent: false, timeout: 2_000 }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text = (text + part).slice(0, 200);
      });
      response.on('close', () => resolve(response.statusCode === 200 ? undefined : text));
    });
    request.on('timeout', () => request.destroy()).on('error', () => resolve('no answer'));
  });
}

import type { Log } from '@cadastre/service/log';
import type { Child } from './child.ts';
import type { ProcessPlan } from '../plan/plan.ts';
import { PortTaken, untilReady } from './ready.ts';

export type ServicesOptions = {
  /** Gives everything its place, on ports that are free at the moment. */
  readonly plan: () => Promise<readonly ProcessPlan[]>;
  readonly launch: (plan: ProcessPlan, all: readonly ProcessPlan[]) => Child;
  /** What they need, which may come while they load. @throws PortTaken when it is not where the plan says */
  readonly needed: () => Promise<unknown>;
  /** Filled with what is started, so that the caller can stop it. */
  readonly children: Child[];
  readonly timeoutMs: number;
  readonly stop: AbortSignal;
  readonly log: Log;
};

/** How often other ports are chosen when one was taken before it was used. */
const choices = 5;
const stopMs = 3_500;

/**
 * Starts all services and waits until every one is ready. When another program took one of their ports meanwhile, all
 * start again on others.
 */
export async function startServices({
  plan,
  launch,
  needed,
  children,
  timeoutMs,
  stop,
  log,
}: ServicesOptions): Promise<void> {
  for (let choice = 1; !stop.aborted; choice++) {
    const plans = await plan();
    const running = plans.map((one) => ({ plan: one, child: launch(one, plans) }));
    children.push(...running.map(({ child }) => child));
    try {
      await Promise.all([needed(), untilReady(running, timeoutMs, stop)]);
      return;
    } catch (error) {
      if (!(error instanceof PortTaken) || choice === choices || stop.aborted) throw error;
      log.warn({ reason: error.message }, 'another program took a port; starting the services on others');
    }
    await Promise.all(children.map((child) => child.stop(stopMs)));
    children.length = 0;
  }
}

import type { Replayer } from '../intake/replay/runner.ts';
import type { Registry } from '../rules/registry.ts';
import { setSkew } from '../rules/versions.ts';
import type { DeliveryOptions } from './options.ts';
import { followEvents, openTools, startAttempts, startCleaning, startReplaying, startTaking } from './parts.ts';

/** Webhooks, running. */
export interface Delivery {
  /** Rules and webhooks, current and past. */
  registry: Registry;
  /** Replays, where there are any. */
  replayer: Replayer | undefined;
  /**
   * Rules or webhooks have changed. (They are checked before each use anyway; this frees the memory and the
   * connections.)
   */
  invalidate(): void;
  /** Something may be waiting: for requeues and tests from within this process. */
  wake(): void;
  stop(): Promise<void>;
}

/**
 * Consumes change events, queues the deliveries that they cause and attempts them, until it is stopped. Deliveries that
 * wait are attempted before new events are taken, and each part is stopped before those that it needs.
 */
export async function startDelivery(options: DeliveryOptions): Promise<Delivery> {
  const { pool, config } = options;
  const tools = openTools(options);
  const attempts = startAttempts(options, tools);
  await setSkew(pool, config.webhookClockSkewMs);
  const cleaning = startCleaning(options, tools);
  const replayer = startReplaying(options, tools);
  const intake = startTaking(options, tools, attempts);
  const following = followEvents(options, tools, intake);
  return {
    registry: tools.registry,
    replayer,
    invalidate: () => tools.registry.invalidate(),
    wake: attempts.wake,
    async stop() {
      await following.stop();
      await replayer?.stop();
      await intake.stop();
      await cleaning.stop();
      await attempts.stop();
      await tools.close();
    },
  };
}

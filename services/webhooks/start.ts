import type { Followers } from '@cadastre/events';
import { createPool, createRenderer } from '@cadastre/templates';
import type { Pool } from 'pg';
import { program, type WebhookJobs } from './conditions/jobs.ts';
import { createAgents } from './delivery/connector.ts';
import { createPolicy } from './delivery/policy.ts';
import { createAttempt } from './queue/attempt.ts';
import { startIntake } from './queue/intake.ts';
import { createRegistry } from './queue/registry.ts';
import { startWorkers } from './queue/workers.ts';
import type { WebhookSettings } from './settings.ts';

/** What delivery needs of a logger. */
export interface DeliveryLog {
  warn(details: Record<string, unknown>, message: string): void;
  error(details: Record<string, unknown>, message: string): void;
}

export interface DeliveryOptions {
  pool: Pool;
  followers: Pick<Followers, 'follow'>;
  /** The services whose changes can trigger webhooks. */
  services: readonly string[];
  config: WebhookSettings;
  logger: DeliveryLog;
}

/** Webhooks, running. */
export interface Delivery {
  /** Rules or webhooks have changed. (They are checked before each use anyway; this frees the memory and the connections.) */
  invalidate(): void;
  /** Something may be waiting: for requeues and tests from within this process. */
  wake(): void;
  stop(): Promise<void>;
}

// What takes its worker down this often, beside its retries, is to blame itself.
const maxLost = 5;

/** Consumes change events, queues the deliveries that they cause and attempts them, until it is stopped. */
export async function startDelivery({ pool, followers, services, config, logger }: DeliveryOptions): Promise<Delivery> {
  const warn = (message: string, details: Record<string, unknown>) => logger.warn(details, message);
  const sandbox = createPool<WebhookJobs>({ size: config.templateWorkers, timeoutMs: config.templateTimeoutMs, memoryMb: config.templateMemoryMb, program });
  const policy = createPolicy({ allowPrivate: config.webhookAllowPrivateAddresses, allow: config.webhookAllow, deny: config.webhookDeny, allowOnly: config.webhookAllowOnly });
  const agents = createAgents({ policy, connectTimeoutMs: config.webhookConnectTimeoutMs, connections: config.webhookDestinationConcurrency });
  const registry = createRegistry({ pool, maxPattern: config.maxRegexLength, warn, onChange: () => agents.renew() });
  const workers = startWorkers({
    pool,
    registry,
    attempt: createAttempt({
      renderer: createRenderer(sandbox, config.templateMaxOutputBytes),
      send: { agents, totalTimeoutMs: config.webhookTimeoutMs, maxResponseBytes: config.webhookMaxResponseBytes, maxRedirects: config.webhookMaxRedirects },
      retry: { retries: config.webhookRetries, firstDelayMs: config.webhookRetryDelayMs, maxDelayMs: config.webhookRetryMaxDelayMs },
    }),
    concurrency: config.webhookConcurrency,
    perDestination: config.webhookDestinationConcurrency,
    leaseMs: config.webhookLeaseMs,
    maxAttempts: config.webhookRetries + 1 + maxLost,
    shutdownMs: config.webhookShutdownMs,
    onError: (error, doing) => logger.error({ err: error, doing }, 'webhook delivery failed'),
  });
  const intake = startIntake({
    pool, registry, workers: sandbox, maxPattern: config.maxRegexLength, warn, holdMs: config.webhookHoldMs, wake: () => workers.wake(),
    onError: (error) => logger.error({ err: error }, 'held events could not be put into the queue; trying again'),
  });
  const consumer = followers.follow({
    services, group: 'webhooks', batchSize: 500, linger: 20,
    // A rule that was there before an event is known by now, as the event has been read already.
    wants: async () => { const rules = await registry.current(); return (type) => rules.concern(type); },
    handle: (events) => intake.take(events),
    onError: (error, context) => logger.error({ err: error, stage: context.stage, attempt: context.attempt }, 'events could not be consumed'),
  });
  return {
    invalidate: () => registry.invalidate(),
    wake: () => workers.wake(),
    async stop() {
      await consumer.stop();
      await intake.stop();
      await workers.stop();
      await Promise.all([sandbox.close(), agents.close()]);
    },
  };
}

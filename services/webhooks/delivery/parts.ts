import { createPool, createRenderer, type Pool } from '@cadastre/templates';
import { createAgents, type Agents } from '../http/connect/connector.ts';
import { createPolicy, destinationsOf, includes } from '../http/connect/policy.ts';
import type { WebProxy } from '../http/connect/tunnel.ts';
import { type Intake, startIntake } from '../intake/intake.ts';
import { type Replayer, startReplayer } from '../intake/replay/runner.ts';
import { startUpkeep } from '../queue/upkeep.ts';
import { clocksAhead } from '../rules/clockSkew.ts';
import { program, type WebhookJobs } from '../rules/conditions/jobs.ts';
import { createRegistry, type Registry } from '../rules/registry.ts';
import { trimHistory } from '../rules/versions.ts';
import type { WebhookSettings } from '../settings.ts';
import { createAttempt } from './attempt.ts';
import { problemsTo, refusalsTo } from './problems.ts';
import type { DeliveryOptions } from './options.ts';
import { workerRecord } from './worker.ts';
import { startWorkers, type Workers } from './workers.ts';

// A delivery that crashes its worker this often, in addition to its retries, is taken to be the cause.
const maxLost = 5;
/** The group by which events are followed. */
const group = 'webhooks';

/** Tools that several parts share. */
export interface Tools {
  /** Where templates are rendered, and conditions with regular expressions evaluated. */
  sandbox: Pool<WebhookJobs>;
  /** Connections to receivers. */
  agents: Agents;
  registry: Registry;
  warn(message: string, details: Record<string, unknown>): void;
  failed(error: unknown, doing: string): void;
  close(): Promise<void>;
}

export function openTools({ pool, config, own, seal, eventTypeOf = () => undefined, logger }: DeliveryOptions): Tools {
  const warn: Tools['warn'] = (message, details) => logger.warn(details, message);
  const sandbox = createPool<WebhookJobs>({
    size: config.templateWorkers,
    timeoutMs: config.templateTimeoutMs,
    memoryMb: config.templateMemoryMb,
    program,
  });
  const policy = createPolicy({
    allowPrivate: config.webhookAllowPrivateAddresses,
    allow: config.webhookAllow,
    deny: config.webhookDeny,
    allowOnly: config.webhookAllowOnly,
    ...(own ? { own } : {}),
  });
  const agents = createAgents({
    policy,
    connectTimeoutMs: config.webhookConnectTimeoutMs,
    connections: config.webhookDestinationConcurrency,
    proxyFor: proxies(config),
    ...(config.webhookCaDir === undefined ? {} : { caDir: config.webhookCaDir }),
  });
  const registry = createRegistry({
    pool,
    maxPattern: config.maxRegexLength,
    seal,
    eventTypeOf,
    warn,
    onChange: () => agents.renew(),
  });
  return {
    sandbox,
    agents,
    registry,
    warn,
    failed: problemsTo(logger),
    close: async () => void (await Promise.all([sandbox.close(), agents.close()])),
  };
}

/** Attempts what is due, as one of the workers that are listed. */
export function startAttempts(
  { pool, connection, config, logger, onFinished }: DeliveryOptions,
  { sandbox, agents, registry, failed }: Tools,
): Workers {
  const record = workerRecord(pool);
  const refused = refusalsTo(logger);
  const workers = startWorkers({
    pool,
    connection,
    registry,
    worker: record.name,
    attempt: createAttempt({
      renderer: createRenderer(sandbox, config.templateMaxOutputBytes),
      send: {
        agents,
        totalTimeoutMs: config.webhookTimeoutMs,
        maxResponseBytes: config.webhookMaxResponseBytes,
        maxRedirects: config.webhookMaxRedirects,
      },
      standardHeaders: config.webhookStandardHeaders,
      retry: {
        retries: config.webhookRetries,
        firstDelayMs: config.webhookRetryDelayMs,
        maxDelayMs: config.webhookRetryMaxDelayMs,
      },
    }),
    concurrency: config.webhookConcurrency,
    perDestination: config.webhookDestinationConcurrency,
    ratePerSecond: config.webhookDestinationRate,
    ordered: config.webhookOrdered,
    leaseMs: config.webhookLeaseMs,
    maxTries: config.webhookRetries + 1 + maxLost,
    maxBody: config.webhookMaxKeptBodyBytes,
    shutdownMs: config.webhookShutdownMs,
    onFinished(finished) {
      record.count(finished);
      refused(finished);
      onFinished?.(finished);
    },
    beat: record.beat,
    onError: failed,
  });
  return {
    wake: () => workers.wake(),
    async stop() {
      await workers.stop();
      await record.leave().catch((error: unknown) => failed(error, 'leave'));
    },
  };
}

const cannotDisable = async (): Promise<void> => {
  throw new Error('rules cannot be disabled here');
};

/** Removes what is old, and disables rules whose deliveries have failed for too long. */
export const startCleaning = (
  { pool, config, caughtUp = async () => false, disable = cannotDisable }: DeliveryOptions,
  { failed }: Tools,
) =>
  startUpkeep({
    pool,
    disable,
    trim: async () => {
      if (await caughtUp(group)) await trimHistory(pool, { minutes: config.webhookRuleHistoryMinutes, group });
    },
    everyMs: config.webhookUpkeepMs,
    disableAfterDays: config.webhookDisableAfterDays,
    retentionDays: config.webhookRetentionDays,
    retentionCount: config.webhookRetentionCount,
    onError: failed,
  });

/** Replays, where other services can be asked for what they need. */
export const startReplaying = (
  { pool, config, past }: DeliveryOptions,
  { sandbox, registry, warn, failed }: Tools,
): Replayer | undefined =>
  past &&
  startReplayer({
    ...past,
    pool,
    registry,
    workers: sandbox,
    maxPattern: config.maxRegexLength,
    warn,
    maxEvents: config.webhookReplayMaxEvents,
    onError: failed,
  });

/** Turns events into deliveries; some events are held until the others of their request have come. */
export const startTaking = (
  { pool, config, logger }: DeliveryOptions,
  { sandbox, registry, warn }: Tools,
  { wake }: Pick<Workers, 'wake'>,
): Intake =>
  startIntake({
    pool,
    registry,
    workers: sandbox,
    maxPattern: config.maxRegexLength,
    warn,
    holdMs: config.webhookHoldMs,
    wake,
    onError: (error) => logger.error({ err: error }, 'held events could not be put into the queue; trying again'),
  });

/** Takes the changes of all services. */
export function followEvents(
  { followers, services, config, logger }: DeliveryOptions,
  { registry, warn }: Tools,
  intake: Pick<Intake, 'take'>,
) {
  const ahead = clocksAhead(config.webhookClockSkewMs, warn);
  return followers.follow({
    services,
    group,
    batchSize: 500,
    linger: 20,
    // A rule that is older than an event is known here, as rules are read after the event.
    wants: async () => {
      const history = await registry.current();
      return (type) => history.concern(type);
    },
    handle: (events) => {
      ahead.look(events);
      return intake.take(events);
    },
    onError: (error, context) =>
      logger.error({ err: error, stage: context.stage, attempt: context.attempt }, 'events could not be consumed'),
  });
}

/** The proxy for a host, by the settings. */
function proxies({
  webhookProxy,
  webhookProxyExcept,
  webhookProxyResolves,
}: WebhookSettings): (host: string) => WebProxy | null {
  if (!webhookProxy) return () => null;
  const proxy: WebProxy = { url: new URL(webhookProxy.reveal()), resolves: webhookProxyResolves };
  const except = destinationsOf(webhookProxyExcept);
  return (host) => (includes(except, host) ? null : proxy);
}

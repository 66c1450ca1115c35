import type { Connection, Followers } from '@cadastre/events';
import type { Seal } from '@cadastre/model';
import { createPool, createRenderer } from '@cadastre/templates';
import type { Pool } from 'pg';
import { program, type WebhookJobs } from '../rules/conditions/jobs.ts';
import { createAgents } from '../http/connect/connector.ts';
import type { InternalEndpoints } from '../http/connect/internalEndpoints.ts';
import { createPolicy, destinationsOf, includes } from '../http/connect/policy.ts';
import type { WebProxy } from '../http/connect/tunnel.ts';
import { type DeliveryLog, problemsTo, refusalsTo } from './problems.ts';
import { createAttempt } from './attempt.ts';
import { clocksAhead } from '../rules/clockSkew.ts';
import type { Finished } from '../queue/finish.ts';
import { setSkew, trimHistory } from '../rules/versions.ts';
import { startIntake } from '../intake/intake.ts';
import { createRegistry, type Registry } from '../rules/registry.ts';
import { startUpkeep } from '../queue/upkeep.ts';
import { workerRecord } from './worker.ts';
import { startWorkers } from './workers.ts';
import type { ReplayOptions } from '../intake/replay/run.ts';
import { type Replayer, startReplayer } from '../intake/replay/runner.ts';
import type { WebhookSettings } from '../settings.ts';

export interface DeliveryOptions {
  pool: Pool;
  /** To the same database, to listen on. */
  connection: Connection;
  followers: Pick<Followers, 'follow'>;
  /** The services whose changes can trigger webhooks. */
  services: readonly string[];
  config: WebhookSettings;
  /** Places of this system, to which no delivery goes. */
  own?: InternalEndpoints;
  /** Opens what is encrypted in webhooks. */
  seal?: Seal | undefined;
  /** What new objects of a type are to event rules besides `object_created`. */
  eventTypeOf?(objectType: string): string | undefined;
  logger: DeliveryLog;
  /** Waits until all that the services had changed by now has been handled by a group of followers; says whether it has. */
  caughtUp?(group: string): Promise<boolean>;
  /** Disables a rule whose deliveries have failed for too long, for everybody to see. */
  disable?(rule: number, since: string): Promise<void>;
  /** What replays ask other services for. */
  past?: Pick<ReplayOptions, 'changes' | 'show'>;
  /** Hears of every attempt that has ended. */
  onFinished?(finished: Finished): void;
}

/** Webhooks, running. */
export interface Delivery {
  /** Rules and webhooks as they are. */
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

// What takes its worker down this often, beside its retries, is to blame itself.
const maxLost = 5;
/** The group by which events are followed. */
const group = 'webhooks';

const cannotDisable = async (): Promise<void> => {
  throw new Error('rules cannot be disabled here');
};

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

/** Consumes change events, queues the deliveries that they cause and attempts them, until it is stopped. */
export async function startDelivery({
  pool,
  connection,
  followers,
  services,
  config,
  own,
  seal,
  logger,
  caughtUp = async () => false,
  disable = cannotDisable,
  eventTypeOf = () => undefined,
  past,
  onFinished,
}: DeliveryOptions): Promise<Delivery> {
  const warn = (message: string, details: Record<string, unknown>) => logger.warn(details, message);
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
  const record = workerRecord(pool);
  const failed = problemsTo(logger);
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
  await setSkew(pool, config.webhookClockSkewMs);
  const upkeep = startUpkeep({
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
  const replayer =
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
  const intake = startIntake({
    pool,
    registry,
    workers: sandbox,
    maxPattern: config.maxRegexLength,
    warn,
    holdMs: config.webhookHoldMs,
    wake: () => workers.wake(),
    onError: (error) => logger.error({ err: error }, 'held events could not be put into the queue; trying again'),
  });
  const ahead = clocksAhead(config.webhookClockSkewMs, warn);
  const consumer = followers.follow({
    services,
    group,
    batchSize: 500,
    linger: 20,
    // A rule that was there before an event is known by now, as the event has been read already.
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
  return {
    registry,
    replayer,
    invalidate: () => registry.invalidate(),
    wake: () => workers.wake(),
    async stop() {
      await consumer.stop();
      await replayer?.stop();
      await intake.stop();
      await upkeep.stop();
      await workers.stop();
      await record.leave().catch((error: unknown) => failed(error, 'leave'));
      await Promise.all([sandbox.close(), agents.close()]);
    },
  };
}

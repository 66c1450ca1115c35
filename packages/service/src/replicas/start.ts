import type { ChangeEvent, EventLog } from '@cadastre/events';
import {
  askForFill,
  type Engine,
  replicaDefinitions,
  type Owners,
  replicaStates,
  type OnReplicated,
  trimTombstones,
} from '@cadastre/rest';
import type { Registry } from 'prom-client';
import type { Log } from '../observe/log.ts';
import { type ReplicaMaintainer, startReplicaMaintainer } from './maintainer.ts';
import { type LagMeter, lagMeter } from './lag.ts';
import { registerReplicaMetrics } from './metrics.ts';

export interface ReplicasOptions {
  engine: Engine;
  events: EventLog;
  log: Log;
  registry: Registry;
  owners: Owners;
  published(owner: string, withinMs: number): Promise<void>;
  /** Filling begins when this resolves. Default: at once. */
  after?: Promise<unknown> | undefined;
  /** The consumer group in which this service follows others, and the services that it follows. */
  group: string;
  followed: readonly string[];
  told?: OnReplicated | undefined;
}

/** What runs for a service's replicas, and of what questions about them are answered. */
export interface RunningReplicas {
  owners: Owners;
  /** The consumer group in which this service follows others. */
  group: string;
  maintainer: ReplicaMaintainer;
  lag: LagMeter;
  published(owner: string, withinMs: number): Promise<void>;
}

/** A service's replicas while it runs. */
export interface Replicas {
  parts: RunningReplicas;
  /** Notes that events have been followed. */
  followed(events: readonly ChangeEvent[]): void;
  /**
   * The log no longer has what these services published, or this service has never followed them: their objects have to
   * be fetched from the owners.
   */
  missed(services: readonly string[]): Promise<void>;
  /** Deletes tombstones that are older than this. */
  trim(days: number): Promise<void>;
  stop(): Promise<void>;
}

/** Maintains a service's replicas: fills them, measures how far they are behind, and answers questions about them. */
export function startReplicas({
  engine,
  events,
  log,
  registry,
  owners,
  published,
  group,
  followed,
  told,
  after,
}: ReplicasOptions): Replicas {
  const lag = lagMeter({ group, services: followed, events });
  const observe = registerReplicaMetrics(registry, engine, lag);
  const maintainer = startReplicaMaintainer({ engine, owners, log, told, after });
  const { tables, catalogue } = engine;
  return {
    parts: { owners, published, group, maintainer, lag },
    followed: (batch) =>
      observe(
        lag.applied(
          batch,
          batch.map(({ objectType }) => catalogue.serviceOf(objectType) ?? ''),
        ),
      ),
    async missed(services) {
      const types = await askForFill(
        replicaDefinitions(tables)
          .filter(({ owner }) => services.includes(owner))
          .map(({ type }) => type),
        'missed',
        engine.pool,
      );
      // At a first start there is nothing yet that could be behind.
      const states = await replicaStates(engine.pool);
      const some = types.some((type) => states.get(type)?.filledAt);
      log[some ? 'info' : 'debug'](
        { services, types: types.length },
        'changes are not in the event log, or not any more; asking their owners for everything',
      );
      maintainer.wake();
    },
    trim: (days) => trimTombstones(engine.pool, days),
    stop: maintainer.stop,
  };
}

import { setTimeout as sleep } from 'node:timers/promises';
import { type EventLog, topicOf, untilPublished } from '@cadastre/events';
import { status } from '@grpc/grpc-js';
import {
  askForFill,
  type Engine,
  type ReplicaDefinition,
  replicaDefinition,
  ownersOf,
  replicaRows,
  replicaStates,
  verifyReplica,
} from '@cadastre/rest';
import { GrpcError, type Handlers } from '../grpc/service.ts';
import type { Log } from '../observe/log.ts';
import type { RunningReplicas } from '../replicas/start.ts';
import type { ReplicasApi } from './api.ts';

export interface ReplicaParts {
  engine: Engine;
  log: Log;
  events: Pick<EventLog, 'mark'>;
  replicas: RunningReplicas;
}

/**
 * How long a check waits for events that are under way before it is given up, and how often it looks, in milliseconds.
 */
const CAUGHT_UP_MS = 30_000;
const EVERY_MS = 25;

/** The service's methods for its replicas. */
export function replicaHandlers({
  engine,
  log,
  events,
  replicas: { owners, group, maintainer, lag, published },
}: ReplicaParts): Handlers<ReplicasApi> {
  const { tables, pool } = engine;
  const find = (type: string): ReplicaDefinition => {
    const kept = replicaDefinition(tables, type);
    if (!kept) throw new GrpcError(status.NOT_FOUND, 'There is no such replica.');
    return kept;
  };
  const caughtUp = async (owner: string): Promise<void> => {
    const signal = AbortSignal.timeout(CAUGHT_UP_MS);
    const late = () =>
      new GrpcError(
        status.FAILED_PRECONDITION,
        `Changes of ${owner} have been on their way for too long; the replica cannot be compared now.`,
      );
    await (owner === tables.service ? untilPublished(pool, signal) : published(owner, CAUGHT_UP_MS));
    for (const handled = await events.mark(group, [topicOf(owner)]); !(await handled()); await sleep(EVERY_MS))
      if (signal.aborted) throw late();
  };
  return {
    async Replicas() {
      const [rows, states, behind] = await Promise.all([
        replicaRows(engine),
        replicaStates(pool),
        lag.measure().catch(() => new Map<string, number>()),
      ]);
      return {
        replicas: rows.map(({ kept, rows: count }) => {
          const state = states.get(kept.type);
          const result = state?.result;
          return {
            type: kept.type,
            owner: kept.owner,
            rows: count,
            lag: behind.get(kept.owner) ?? -1,
            state: !state || state.due ? (state?.error ? 'failing' : 'filling') : 'current',
            reason: state?.reason ?? 'new',
            error: state?.error ?? '',
            filled: state?.filledAt ?? '',
            written: result?.written ?? 0,
            removed: result?.removed ?? 0,
            stuck: result?.stuck ?? 0,
            seconds: result?.seconds ?? 0,
            in_part: tables.partOf(kept.type) !== undefined,
          };
        }),
      };
    },
    async VerifyReplica({ type }, { signal }) {
      const kept = find(type);
      const { complete, ...report } = await verifyReplica(engine, ownersOf(engine, owners), kept, {
        caughtUp: () => caughtUp(kept.owner),
        signal,
      });
      return {
        ...report,
        partial: !complete,
        examples: report.examples.map(({ version, kept_version, ...example }) => ({
          ...example,
          version: version ?? 0,
          kept_version: kept_version ?? 0,
        })),
      };
    },
    async RebuildReplica({ type }) {
      await askForFill([find(type).type], 'asked', pool);
      log.info({ type }, 'a replica is filled again, as somebody asked for it');
      maintainer.wake();
      return {};
    },
  };
}

import { type Engine, replicaStates } from '@cadastre/rest';
import { Histogram, type Registry } from 'prom-client';
import { measuredGauge } from '../observe/measured-gauge.ts';
import type { LagMeter } from './lag.ts';

/**
 * Registers metrics about the state of replicas. Returns a function to report changes that were followed, by how long
 * ago they happened, in seconds.
 */
export function registerReplicaMetrics(
  registry: Registry,
  engine: Engine,
  lag: LagMeter,
): (seconds: readonly number[]) => void {
  measuredGauge(
    registry,
    'replica_lag_seconds',
    'How far this service is behind what another has published; 0 when nothing waits',
    ['owner'],
    async (behind) => {
      for (const [owner, seconds] of await lag.measure()) behind.set({ owner }, seconds);
    },
  );
  measuredGauge(registry, 'replicas_to_fill', 'Replicas that have to be filled from their owners', [], async (due) => {
    due.set([...(await replicaStates(engine.pool)).values()].filter((state) => state.due).length);
  });
  const delay = new Histogram({
    name: 'replica_delay_seconds',
    help: 'From a change in another service until this service had followed it',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 0.75, 1, 2.5, 5, 10, 60, 600],
    registers: [registry],
  });
  return (seconds) => {
    for (const one of seconds) delay.observe(one);
  };
}

import { measuredGauge } from '@cadastre/service/measured-gauge';
import type { Pool } from 'pg';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { type Finished, statusAfter } from '../queue/finish.ts';

/** What is counted of deliveries. */
export interface DeliveryMetrics {
  attempted(finished: Finished): void;
}

const counts = `select count(*) filter (where status = 'pending' and scheduled <= now())::int as due, count(*) filter (where status = 'pending' and scheduled > now())::int as scheduled,
  count(*) filter (where status = 'running')::int as running from webhook_delivery where status in ('pending', 'running')`;
const age = `select coalesce(extract(epoch from now() - min(scheduled)), 0)::float8 as oldest from webhook_delivery where status = 'pending' and scheduled <= now()`;

/** The metrics of delivery, added to those of the process. The queue is only queried when the metrics are. */
export function deliveryMetrics(registry: Registry, pool: Pool, listeners: { count: number }): DeliveryMetrics {
  const registers = [registry];
  const outcomes = new Counter({
    name: 'webhook_attempts_total',
    help: 'Attempts to deliver, by what became of the delivery (pending: it is tried again)',
    labelNames: ['outcome', 'error'] as const,
    registers,
  });
  const durations = new Histogram({
    name: 'webhook_attempt_duration_seconds',
    help: 'Time from the beginning of an attempt to the end of the answer',
    labelNames: ['outcome'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  measuredGauge(
    registry,
    'webhook_queue_oldest_seconds',
    'How long the delivery that is due for the longest time has been',
    [],
    async (oldest) => {
      oldest.set((await pool.query<{ oldest: number }>(age)).rows[0]!.oldest);
    },
  );
  measuredGauge(
    registry,
    'webhook_queue_deliveries',
    'Deliveries that are not finished, of all processes',
    ['state'],
    async (deliveries) => {
      for (const [state, count] of Object.entries((await pool.query<Record<string, number>>(counts)).rows[0]!))
        deliveries.set({ state }, count);
    },
  );
  new Gauge({
    name: 'webhook_tail_listeners',
    help: 'Clients that follow deliveries live',
    registers,
    collect() {
      this.set(listeners.count);
    },
  });
  return {
    attempted(finished) {
      const outcome = statusAfter(finished);
      outcomes.inc({ outcome, error: finished.outcome.error?.kind ?? '' });
      durations.observe({ outcome }, finished.outcome.durationMs / 1_000);
    },
  };
}

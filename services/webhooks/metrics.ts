import type { Pool } from 'pg';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { type Finished, statusAfter } from './queue/finish.ts';

/** What is counted of deliveries. */
export interface DeliveryMetrics { attempted(finished: Finished): void }

const waiting = `select count(*) filter (where scheduled <= now())::int as due, count(*) filter (where scheduled > now())::int as scheduled,
  coalesce(extract(epoch from now() - min(scheduled) filter (where scheduled <= now())), 0)::float8 as oldest from webhook_delivery where status = 'pending'`;
const running = `select count(*)::int as running from webhook_delivery where status = 'running'`;

/** The metrics of delivery, added to those of the process. The queue is looked at when somebody asks. */
export function deliveryMetrics(registry: Registry, pool: Pool, listeners: { count: number }): DeliveryMetrics {
  const registers = [registry];
  const outcomes = new Counter({ name: 'webhook_attempts_total', help: 'Attempts to deliver, by what became of the delivery (pending: it is tried again)', labelNames: ['outcome', 'error'] as const, registers });
  const durations = new Histogram({
    name: 'webhook_attempt_duration_seconds', help: 'Time from the beginning of an attempt to the end of the answer', labelNames: ['outcome'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30], registers,
  });
  const oldest = new Gauge({ name: 'webhook_queue_oldest_seconds', help: 'How long the delivery that is due for the longest time has been', registers });
  new Gauge({
    name: 'webhook_queue_deliveries', help: 'Deliveries that are not finished, of all processes', labelNames: ['state'] as const, registers,
    async collect() {
      const [queue, busy] = await Promise.all([pool.query<{ due: number; scheduled: number; oldest: number }>(waiting), pool.query<{ running: number }>(running)]);
      const { due = 0, scheduled = 0, oldest: age = 0 } = queue.rows[0] ?? {};
      this.set({ state: 'due' }, due);
      this.set({ state: 'scheduled' }, scheduled);
      this.set({ state: 'running' }, busy.rows[0]?.running ?? 0);
      oldest.set(age);
    },
  });
  new Gauge({ name: 'webhook_tail_listeners', help: 'Clients that follow deliveries live', registers, collect() { this.set(listeners.count); } });
  return {
    attempted(finished) {
      const outcome = statusAfter(finished);
      outcomes.inc({ outcome, error: finished.outcome.error?.kind ?? '' });
      durations.observe({ outcome }, finished.outcome.durationMs / 1_000);
    },
  };
}

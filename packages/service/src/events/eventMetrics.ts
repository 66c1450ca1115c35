import { countParked, outboxLag } from '@cadastre/events';
import type { Pool } from 'pg';
import { Gauge, type Registry } from 'prom-client';
import { measuredGauge } from '../observe/measured-gauge.ts';

/**
 * How far a service's events are, asked of its database whenever somebody asks for the metrics: so every process of a
 * service tells the same, whichever publishes. While the database is away they tell nothing.
 */
export function registerEventMetrics(registry: Registry, pool: Pool): void {
  measuredGauge(
    registry,
    'events_parked',
    'Events that could not be handled and wait for somebody to replay or discard them',
    ['group'],
    async (parked) => {
      for (const [group, count] of await countParked(pool)) parked.set({ group }, count);
    },
  );
  const age = new Gauge({
    name: 'events_unpublished_age_seconds',
    help: 'Age of the oldest change that is not published yet',
    registers: [registry],
  });
  measuredGauge(
    registry,
    'events_unpublished',
    'Changes that are not published yet; counted up to 10,000',
    [],
    async (waiting) => {
      const lag = await outboxLag(pool);
      waiting.set(lag.unpublished);
      age.set(lag.seconds);
    },
  );
}

import { countParked, outboxLag } from '@cadastre/events';
import type { Pool } from 'pg';
import { Gauge, type Registry } from 'prom-client';
import { measuredGauge } from '../observe/measured-gauge.ts';

/**
 * How many of a service's events are unpublished or parked, read from its database when the metrics are scraped: so all
 * processes of a service report the same, whichever of them publishes. While the database is unreachable they report
 * nothing.
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

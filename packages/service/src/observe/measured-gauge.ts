import { Gauge, type Registry } from 'prom-client';

/** A gauge that is measured whenever the metrics are scraped; while measuring fails it reports nothing. */
export const measuredGauge = (
  registry: Registry,
  name: string,
  help: string,
  labelNames: string[],
  measure: (gauge: Gauge) => Promise<void>,
): Gauge =>
  new Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    async collect() {
      this.reset();
      // Without labels, a reset would report 0.
      await measure(this).catch(() => {
        if (labelNames.length > 0) this.reset();
        else this.remove();
      });
    },
  });

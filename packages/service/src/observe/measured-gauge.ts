import { Gauge, type Registry } from 'prom-client';

/** A gauge that is measured anew whenever somebody asks for the metrics; while that fails it tells nothing. */
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
      // Without labels a reset would tell 0.
      await measure(this).catch(() => {
        if (labelNames.length > 0) this.reset();
        else this.remove();
      });
    },
  });

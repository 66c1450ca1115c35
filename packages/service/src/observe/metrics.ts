import { Histogram, Registry } from 'prom-client';

export type Metrics = {
  readonly registry: Registry;
  /** Records one answered request. `route` must be one of few values, never a path with ids in it. */
  observeRequest(method: string, route: string, status: number, seconds: number): void;
};

/** How long requests to a service took. */
export function createMetrics(registry = new Registry()): Metrics {
  const histogram = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its response',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  // Looking labels up costs more than observing does, and there are few combinations of them.
  const series = new Map<string, { observe(seconds: number): void }>();
  return {
    registry,
    observeRequest(method, route, status, seconds) {
      const key = `${method} ${status} ${route}`;
      const one = series.get(key) ?? histogram.labels({ method, route, status: String(status) });
      if (!series.has(key)) series.set(key, one);
      one.observe(seconds);
    },
  };
}

import type { Server } from 'node:http';
import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client';
import { createHealthServer } from './health.ts';

/** What operators see of a process and of each service in it. */
export interface Monitoring {
  /** On a port of its own. */
  readonly server: Server;
  /** The metrics of the process. */
  readonly registry: Registry;
  /** The metrics of one service, each labelled with its name. */
  registryOf(service: string): Registry;
  /** To be called when a service has started; `check` throws when it cannot serve. */
  started(service: string, check: () => Promise<void>): void;
  /** To be called when the process is ending: from then on it reports that. */
  ending(): void;
}

/** @param services whose process this is */
export function monitoring(services: readonly string[]): Monitoring {
  const checks = new Map<string, () => Promise<void>>();
  const own = labelled(services.join(','));
  const registries = new Map(services.map((service) => [service, services.length === 1 ? own : labelled(service)]));
  // Node's default metrics are about the process, however many services it hosts. The event loop's lag is measured by a
  // timer: the usual hundred times a second would cost an idle process half a percent of a core. The reported lags
  // include the time between two ticks.
  collectDefaultMetrics({ register: own, eventLoopMonitoringPrecision: 100 });
  let ends = false;

  const problemOf = async (service: string): Promise<string | undefined> => {
    const check = checks.get(service);
    const says = (detail: string) => (services.length === 1 ? detail : `${service}: ${detail}`);
    if (!check) return says('starting');
    return check().then(
      () => undefined,
      (error: Error) => says(error.message),
    );
  };
  const server = createHealthServer({
    metrics: async () => {
      const all = new Set([own, ...registries.values()]);
      const parts = await Promise.all([...all].map((registry) => registry.getMetricsAsJSON()));
      return AggregatorRegistry.aggregate(parts).metrics();
    },
    problem: async () => {
      if (ends) return 'shutting down';
      const problems = (await Promise.all(services.map(problemOf))).filter((one) => one !== undefined);
      return problems.length ? problems.join('; ') : undefined;
    },
  });
  return {
    server,
    registry: own,
    registryOf: (service) => registries.get(service)!,
    started: (service, check) => {
      checks.set(service, check);
    },
    ending: () => {
      ends = true;
    },
  };
}

function labelled(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  return registry;
}

import { publicService } from './plan.ts';

/** The number of processes for the services. */
export type Processes = number | 'each';

/**
 * The default number. One process answers more requests than a process for each service as long as PostgreSQL and the
 * clients keep the other cores busy: no request crosses a second process, and memory is needed once. With more cores
 * one thread is what holds everything up (`npm run bench -- --against each` measures both on a machine).
 */
const byCores: readonly { readonly upTo: number; readonly processes: Processes }[] = [
  { upTo: 2, processes: 1 },
  { upTo: 4, processes: 2 },
  { upTo: 8, processes: 4 },
  { upTo: Number.POSITIVE_INFINITY, processes: 'each' },
];

export const processesFor = (cores: number): Processes => byCores.find(({ upTo }) => cores <= upTo)!.processes;

/**
 * Who gets a process alone, the first as soon as there are two. Everybody else stays beside the gateway, which hands
 * requests to what is in its process directly: a service that is not named here does so too.
 */
const apart: readonly { readonly service: string; readonly because: string }[] = [
  { service: 'webhooks', because: 'sends, waits and retries at its own pace; nobody who reads may feel that' },
  { service: 'extras', because: 'follows every change of every service, to record it' },
  { service: 'ipam', because: 'has most of the objects, and takes them in bulk' },
  { service: 'dcim', because: 'has most of the rest, and what is read most; so it leaves the gateway late' },
  { service: 'web', because: 'takes longer for a page than the gateway for anything, and waits for others meanwhile' },
  { service: 'virtualization', because: 'follows what dcim and ipam have' },
  { service: 'circuits', because: 'follows what dcim has' },
  { service: 'tenancy', because: 'follows little, and is followed by all' },
  { service: 'auth', because: 'is asked by the gateway on the way of every request, so it leaves last' },
];

/** Which services share a process: the gateway's comes first. */
export function share(services: readonly string[], processes: Processes): string[][] {
  if (processes === 'each') return services.map((name) => [name]);
  const alone = apart
    .map(({ service }) => service)
    .filter((name) => services.includes(name))
    .slice(0, processes - 1);
  const together = services.filter((name) => !alone.includes(name));
  return [gatewayFirst(together), ...alone.map((name) => [name])];
}

const gatewayFirst = (names: readonly string[]): string[] =>
  [...names].sort((a, b) => Number(b === publicService) - Number(a === publicService));

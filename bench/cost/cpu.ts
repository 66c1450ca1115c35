import type { Figure } from '../report/figures.ts';
import { read, SECONDS, warm } from '../load/load.ts';
import { processesBelow } from '../machine/processes.ts';

/** A request that is sent again and again. */
export interface Asked {
  url: string;
  headers: Record<string, string>;
}

/** The result, and the CPU time of each request in milliseconds. */
export interface Loaded extends Figure {
  cpu: number;
  /** Without PostgreSQL. */
  services: number;
}

const CLIENTS = 8;
/**
 * A number of requests rather than of seconds: on a busy machine a second is too short for Node to compile the hot
 * code.
 */
const WARM_UP = 1_000;
/** Several rounds spread other load on the machine evenly over all requests. */
const ROUNDS = 3;

/** The CPU time of each request, measured in turn and in several rounds. */
export async function cpuBeside(pid: number, asked: readonly Asked[]): Promise<Loaded[]> {
  const rounds: Loaded[][] = asked.map(() => []);
  for (const { url, headers } of asked) await warm(url, headers, WARM_UP, CLIENTS);
  for (let round = 0; round < ROUNDS; round++)
    for (const [i, one] of asked.entries()) rounds[i]!.push(await loaded(pid, one, Math.max(1, SECONDS / ROUNDS)));
  return rounds.map(together);
}

async function loaded(pid: number, { url, headers }: Asked, seconds: number): Promise<Loaded> {
  const before = used(pid);
  const { answered, ...figure } = await read(url, headers, seconds, CLIENTS);
  const after = used(pid);
  return {
    ...figure,
    cpu: (after.all - before.all) / answered,
    services: (after.services - before.services) / answered,
  };
}

function used(pid: number): { all: number; services: number } {
  const processes = processesBelow(pid);
  const sum = (some: typeof processes) => some.reduce((total, { cpu }) => total + cpu, 0);
  return { all: sum(processes), services: sum(processes.filter(({ name }) => name !== 'postgres')) };
}

/** The mean of several rounds, but the highest p99 and the sum of failures. */
function together(rounds: readonly Loaded[]): Loaded {
  const mean = (key: keyof Loaded) => rounds.reduce((sum, one) => sum + one[key], 0) / rounds.length;
  return {
    perSecond: mean('perSecond'),
    p50: mean('p50'),
    p99: Math.max(...rounds.map(({ p99 }) => p99)),
    failed: rounds.reduce((sum, { failed }) => sum + failed, 0),
    cpu: mean('cpu'),
    services: mean('services'),
  };
}

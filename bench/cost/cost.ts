// What a change costs: processor time, transactions, waits for the disk, wake-ups and statements, and where.
import type { Figure } from '../report/figures.ts';
import { backendsOf, commitsOf, connectedToServer, syncsOf } from './database.ts';
import { type Process, processesBelow, WakeUps, type Woken } from '../machine/processes.ts';
import { amount, type Measured, number, rate, type RateOptions } from '../report/report.ts';
import { around, type Counts, type Sample, taken, total } from './samples.ts';
import { logStatements, ONE_BY_ONE } from './statementLog.ts';
import type { System } from '../../tools/testing/fresh-system.ts';

/** An idle PostgreSQL connection reports its statistics after ten seconds at the latest. */
const TOLD_AFTER_MS = 11_000;
/** The statement log is written immediately; the pause only serves to measure the background load. */
const LOG_PAUSE_MS = 5_000;

const counters = new WeakMap<System, WakeUps>();
function wakeUpsOf(system: System, processes: readonly Process[]): readonly Woken[] {
  let counter = counters.get(system);
  if (!counter) counters.set(system, (counter = new WakeUps()));
  return counter.of(processes);
}

/** Separates PostgreSQL's processes from those of the services. */
const split = <T extends { name: string }>(all: readonly T[]): { services: T[]; postgres: T[] } => ({
  services: all.filter(({ name }) => name !== 'postgres'),
  postgres: all.filter(({ name }) => name === 'postgres'),
});

/** What the system has used so far. CPU in milliseconds. */
export const sampleOf = (system: System): Promise<Sample> =>
  connectedToServer(system, async (client) => {
    const processes = processesBelow(system.pid);
    const { services, postgres } = split(processes);
    const woken = split(wakeUpsOf(system, processes));
    return {
      at: performance.now(),
      counts: {
        'CPU of services': byName(services, ({ cpu }) => cpu),
        'CPU of PostgreSQL': byName(postgres, ({ cpu }) => cpu),
        'wake-ups of services': byName(woken.services, ({ count }) => count),
        'wake-ups of PostgreSQL': byName(woken.postgres, ({ count }) => count),
        transactions: await commitsOf(client),
        'disk syncs': { log: await syncsOf(client) },
      },
    };
  });

const UNITS: Record<string, string> = { 'CPU of services': 'ms', 'CPU of PostgreSQL': 'ms' };

/**
 * How many changes a second the system accepts, and what each of them costs, including all its consequences. `write`
 * makes the given number of changes; a second, smaller run has every statement logged, which takes time itself.
 */
export async function costOf(
  what: string,
  system: System,
  things: number,
  write: (things: number, name: string) => Promise<Figure>,
  options: RateOptions,
): Promise<Measured[]> {
  const { result, samples } = await around(
    () => sampleOf(system),
    TOLD_AFTER_MS,
    () => write(things, what),
  );
  const few = Math.ceil(things / 10);
  const logged = await logStatements(system, (take) => around(take, LOG_PAUSE_MS, () => write(few, `${what}, logged`)));
  const { [ONE_BY_ONE]: each = {}, ...statements } = logged ? taken(logged.samples, few) : {};
  if (logged) console.log(`statements, ${what}, for each\n${statementList(each)}\n`);
  const lines = (counts: Counts) => Object.keys(counts).map((kind) => costLine(what, kind, counts));
  return [rate(what, result, options), ...lines(taken(samples, things)), ...lines(statements)];
}

/** Statements that run less often than this per change are left out as background work. */
const SELDOM = 0.05;

/** Statements and how often each is run, the most frequent first. */
export const statementList = (each: Record<string, number>): string =>
  Object.entries(each)
    .filter(([, count]) => count >= SELDOM)
    .sort(([, a], [, b]) => b - a)
    .map(([text, count]) => `${count.toFixed(2).padStart(7)}  ${text}`)
    .join('\n');

const costLine = (what: string, kind: string, counts: Counts): Measured =>
  amount(`${what}: ${kind}`, total(counts, kind), `${UNITS[kind] ?? ''} each`.trim(), {
    notes: placesOf(counts, kind),
  });

/** The places that account for more than 2 % of a count. */
export function placesOf(counts: Counts, what: string): string[] {
  const all = total(counts, what);
  return Object.entries(counts[what] ?? {})
    .filter(([, count]) => count > all / 50)
    .sort(([, a], [, b]) => b - a)
    .map(([where, count]) => `${where} ${number(count)}`);
}

/** The number of client connections while the system is idle. */
export async function idleBackends(system: System, target: number): Promise<Measured> {
  const connections = await connectedToServer(system, backendsOf);
  const counts = { backends: connections };
  return amount('PostgreSQL backends of clients, idle', total(counts, 'backends'), 'backends', {
    target,
    notes: placesOf(counts, 'backends'),
  });
}

function byName<T extends { name: string }>(
  processes: readonly T[],
  countOf: (process: T) => number,
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const process of processes) counts[process.name] = (counts[process.name] ?? 0) + countOf(process);
  return counts;
}

import { readdirSync, readFileSync } from 'node:fs';

/** A process of the system under test. */
export interface Process {
  pid: number;
  /** The name in reports; processes of the same name share a line. */
  name: string;
  /** The services that it hosts. */
  services: string[];
  /** CPU time in milliseconds, including that of children that have ended. */
  cpu: number;
}

/**
 * Linux reports CPU times in ticks of 10 ms and charges a tick to the process running when it ends: too coarse for idle
 * processes.
 */
const MS_PER_TICK = 10;

/** A process and its descendants; empty where the system does not report them. */
export function processesBelow(root: number): Process[] {
  const all = [...numbers('/proc')].flatMap((pid) => parseStat(read(`/proc/${pid}/stat`)) ?? []);
  return tree(all, root).map(({ pid, cpu, ended }) => ({
    pid,
    cpu: (runOf(pid) ?? cpu) + ended,
    ...described(read(`/proc/${pid}/cmdline`)),
  }));
}

/** The line of /proc/<pid>/stat; undefined for a process that has ended meanwhile. */
export function parseStat(text: string): { pid: number; parent: number; cpu: number; ended: number } | undefined {
  // The name, in parentheses, may contain anything.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [, parent] = fields;
  if (!text || parent === undefined) return undefined;
  const [user, system, childrensUser, childrensSystem] = fields.slice(11, 15).map(Number) as [
    number,
    number,
    number,
    number,
  ];
  return {
    pid: Number.parseInt(text, 10),
    parent: Number(parent),
    cpu: (user + system) * MS_PER_TICK,
    ended: (childrensUser + childrensSystem) * MS_PER_TICK,
  };
}

/**
 * CPU time in milliseconds of the threads of a process that still run; undefined where the system does not report it.
 */
function runOf(pid: number): number | undefined {
  const threads = numbers(`/proc/${pid}/task`).map((task) => parseRun(read(`/proc/${pid}/task/${task}/schedstat`)));
  return threads.length === 0 || threads.includes(undefined)
    ? undefined
    : threads.reduce<number>((sum, ms) => sum + ms!, 0);
}

/** The content of /proc/<pid>/task/<thread>/schedstat, whose first number is the nanoseconds spent on a processor. */
export function parseRun(text: string): number | undefined {
  const [, nanoseconds] = /^(\d+) \d+ \d+/.exec(text) ?? [];
  return nanoseconds === undefined ? undefined : Number(nanoseconds) / 1e6;
}

/** The root and its descendants, parents first. */
export function tree<T extends { pid: number; parent: number }>(all: readonly T[], root: number): T[] {
  const found = all.filter(({ pid }) => pid === root);
  for (let at = 0; at < found.length; at++) found.push(...all.filter(({ parent }) => parent === found[at]!.pid));
  return found;
}

const HOST = /(^|\/)packages\/service\/src\/host\/main\.ts$/;

/** What a process is, according to the text of /proc/<pid>/cmdline. */
export function described(commandLine: string): { name: string; services: string[] } {
  const words = commandLine.split('\0').filter(Boolean);
  const host = words.findIndex((word) => HOST.test(word));
  // `main.ts <folder of services> <name> …`
  if (host >= 0) return hosting(words.slice(host + 2));
  const own = words.flatMap((word) => /(?:^|\/)services\/([\w-]+)\/main\.ts$/.exec(word)?.[1] ?? []);
  if (own.length > 0) return hosting(own);
  if (/(^|\/)postgres(:|$)/.test(words[0] ?? '')) return { name: 'postgres', services: [] };
  if (words.some((word) => /tools\/start\.m?[jt]s$/.test(word))) return { name: 'supervisor', services: [] };
  // Helper processes of a service, such as those for templates, come from a package.
  const [helper] = words.flatMap((word) => /^[^-].*\/packages\/([\w-]+)\/.+\.[cm]?[jt]s$/.exec(word)?.[1] ?? []);
  return { name: helper ?? 'other', services: [] };
}

const hosting = (services: string[]) => ({
  name: services.length <= 2 ? services.join(', ') : `${services[0]} and ${services.length - 1} more`,
  services,
});

/** How often the threads of a process have gone to sleep since they started, and so how often they have been woken. */
function wakeUpsOf(pid: number): number {
  const folder = `/proc/${pid}/task`;
  return numbers(folder).reduce((sum, task) => sum + parseWakeUps(read(`${folder}/${task}/status`)), 0);
}

/** How often a process has been woken. */
export interface Woken {
  name: string;
  count: number;
}

/**
 * How often processes have been woken, including those that have ended, which keep their last count: otherwise a total
 * would drop when a PostgreSQL connection is closed, but counts may only grow.
 */
export class WakeUps {
  readonly #last = new Map<number, Woken>();

  of(processes: readonly Pick<Process, 'pid' | 'name'>[], countOf = wakeUpsOf): Woken[] {
    for (const { pid, name } of processes)
      this.#last.set(pid, { name, count: Math.max(countOf(pid), this.#last.get(pid)?.count ?? 0) });
    return [...this.#last.values()];
  }
}

/** The number of voluntary context switches in the text of /proc/<pid>/task/<thread>/status. */
export const parseWakeUps = (text: string): number => Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(text)?.[1] ?? 0);

function numbers(folder: string): number[] {
  try {
    return readdirSync(folder).flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    return [];
  }
}

/** A file of /proc; empty when the process has ended meanwhile, or when this is not Linux. */
export function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

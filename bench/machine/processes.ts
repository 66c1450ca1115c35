import { readdirSync, readFileSync } from 'node:fs';

/** A process of the system under test. */
export interface Process {
  pid: number;
  /** What it is called in reports; processes of the same name are one line. */
  name: string;
  /** The services that it hosts. */
  services: string[];
  /** Processor time in milliseconds, that of children which have ended included. */
  cpu: number;
}

/** Linux tells processor times in hundredths of a second, and counts whoever runs when one ends: too coarse for what rests. */
const MS_PER_TICK = 10;

/** A process and all below it; none where the system does not tell. */
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

/** Processor time of a process in milliseconds, as its threads that still run have had it; undefined where the system does not tell. */
function runOf(pid: number): number | undefined {
  const threads = numbers(`/proc/${pid}/task`).map((task) => parseRun(read(`/proc/${pid}/task/${task}/schedstat`)));
  return threads.length === 0 || threads.includes(undefined)
    ? undefined
    : threads.reduce<number>((sum, ms) => sum + ms!, 0);
}

/** What /proc/<pid>/task/<thread>/schedstat says: nanoseconds on a processor come first. */
export function parseRun(text: string): number | undefined {
  const [, nanoseconds] = /^(\d+) \d+ \d+/.exec(text) ?? [];
  return nanoseconds === undefined ? undefined : Number(nanoseconds) / 1e6;
}

/** What is at or below the root, parents first. */
export function tree<T extends { pid: number; parent: number }>(all: readonly T[], root: number): T[] {
  const found = all.filter(({ pid }) => pid === root);
  for (let at = 0; at < found.length; at++) found.push(...all.filter(({ parent }) => parent === found[at]!.pid));
  return found;
}

const HOST = /(^|\/)packages\/service\/src\/host\/main\.ts$/;

/** What the text of /proc/<pid>/cmdline says that a process is. */
export function described(commandLine: string): { name: string; services: string[] } {
  const words = commandLine.split('\0').filter(Boolean);
  const host = words.findIndex((word) => HOST.test(word));
  // `main.ts <folder of services> <name> …`
  if (host >= 0) return hosting(words.slice(host + 2));
  const own = words.flatMap((word) => /(?:^|\/)services\/([\w-]+)\/main\.ts$/.exec(word)?.[1] ?? []);
  if (own.length > 0) return hosting(own);
  if (/(^|\/)postgres(:|$)/.test(words[0] ?? '')) return { name: 'postgres', services: [] };
  if (words.some((word) => /tools\/start\.m?[jt]s$/.test(word))) return { name: 'supervisor', services: [] };
  // What a service runs apart from itself, as templates, is in a package.
  const [helper] = words.flatMap((word) => /^[^-].*\/packages\/([\w-]+)\/.+\.[cm]?[jt]s$/.exec(word)?.[1] ?? []);
  return { name: helper ?? 'other', services: [] };
}

const hosting = (services: string[]) => ({
  name: services.length <= 2 ? services.join(', ') : `${services[0]} and ${services.length - 1} more`,
  services,
});

/** How often threads of a process have gone to sleep, and so have been woken, since they began. */
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
 * How often processes have been woken, all that were ever counted. Those that have ended keep what they had when they were last
 * counted: a connection to PostgreSQL that is closed would take its wake-ups along, and what is counted only grows.
 */
export class WakeUps {
  readonly #last = new Map<number, Woken>();

  of(processes: readonly Pick<Process, 'pid' | 'name'>[], countOf = wakeUpsOf): Woken[] {
    for (const { pid, name } of processes)
      this.#last.set(pid, { name, count: Math.max(countOf(pid), this.#last.get(pid)?.count ?? 0) });
    return [...this.#last.values()];
  }
}

/** What /proc/<pid>/task/<thread>/status says of it. */
export const parseWakeUps = (text: string): number => Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(text)?.[1] ?? 0);

function numbers(folder: string): number[] {
  try {
    return readdirSync(folder).flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  } catch {
    return [];
  }
}

/** A file of /proc; empty when the process has ended meanwhile, or this is no Linux. */
export function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

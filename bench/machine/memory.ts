import { processesBelow, read } from './processes.ts';

/**
 * The memory of all processes of one name. Sizes in MB; PSS divides shared pages among the processes that share them.
 */
export interface ProcessMemory {
  name: string;
  services: string[];
  pss: number;
  rss: number;
}

/** Memory of a process and its descendants, largest first; empty where the system does not report it. */
export function memoryOf(root: number): ProcessMemory[] {
  const grouped = new Map<string, ProcessMemory>();
  for (const { pid, name, services } of processesBelow(root)) {
    const { pss, rss } = parseRollup(read(`/proc/${pid}/smaps_rollup`));
    const known = grouped.get(name) ?? { name, services, pss: 0, rss: 0 };
    grouped.set(name, { ...known, pss: known.pss + pss, rss: known.rss + rss });
  }
  return [...grouped.values()].sort((a, b) => b.pss - a.pss);
}

/** The memory of all processes together, including PostgreSQL. */
export const totalPss = (processes: readonly ProcessMemory[]): number =>
  processes.reduce((sum, { pss }) => sum + pss, 0);

/** Sizes in the text of /proc/<pid>/smaps_rollup, in MB. */
export function parseRollup(text: string): { pss: number; rss: number } {
  const megabytes = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) / 1024;
  return { pss: megabytes('Pss'), rss: megabytes('Rss') };
}

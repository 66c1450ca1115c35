import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/**
 * One process of the system under test. Sizes in MB; PSS counts shared pages once, divided among those who share them.
 */
export interface ProcessMemory {
  name: string;
  pss: number;
  rss: number;
}

/** Memory of a process and all below it, largest first; none where the system does not tell. */
export function memoryOf(root: number): ProcessMemory[] {
  const grouped = new Map<string, ProcessMemory>();
  for (const pid of [root, ...below(root)]) {
    try {
      const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
      const megabytes = (field: string) =>
        Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(rollup)?.[1] ?? 0) / 1024;
      const name = nameOf(pid),
        known = grouped.get(name) ?? { name, pss: 0, rss: 0 };
      grouped.set(name, { name, pss: known.pss + megabytes('Pss'), rss: known.rss + megabytes('Rss') });
    } catch {
      /* it has ended meanwhile, or this is no Linux */
    }
  }
  return [...grouped.values()].sort((a, b) => b.pss - a.pss);
}

function below(root: number): number[] {
  let pairs: [number, number][];
  try {
    pairs = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number) as [number, number]);
  } catch {
    return readdirSync('/proc')
      .filter((name) => name === String(root))
      .map(Number);
  }
  const found: number[] = [],
    queue = [root];
  for (let at = queue.pop(); at !== undefined; at = queue.pop())
    for (const [pid, parent] of pairs)
      if (parent === at) {
        found.push(pid);
        queue.push(pid);
      }
  return found;
}

function nameOf(pid: number): string {
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  const service = /services\/(\w+)\/main\.ts/.exec(command)?.[1];
  return service ?? (/postgres/.test(command) ? 'postgres' : /tools\/start/.test(command) ? 'supervisor' : 'other');
}

import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';

export type ProcessFacts = {
  /** When it started, in the form that the system uses; the same for the same process. */
  readonly started: string;
  readonly command: string;
};

/** Whether a process with this id exists (and is not a zombie). */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return !/^State:\s+Z/m.test(readText(`/proc/${pid}/status`) ?? '');
}

/**
 * What identifies a process beyond its id, which the system may reuse; undefined when it does not exist.
 */
export function describeProcess(pid: number): ProcessFacts | undefined {
  if (process.platform === 'linux') {
    const stat = readText(`/proc/${pid}/stat`);
    const command = readText(`/proc/${pid}/cmdline`);
    if (stat === undefined || command === undefined) return undefined;
    // The name, in parentheses, may contain anything; the start time is the 20th field after it.
    const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    const boot = readText('/proc/sys/kernel/random/boot_id')?.trim() ?? '';
    return started === undefined
      ? undefined
      : { started: `${boot}/${started}`, command: command.replaceAll('\0', ' ').trim() };
  }
  if (process.platform === 'win32') return undefined;
  try {
    const field = (name: string) =>
      execFileSync('ps', ['-o', `${name}=`, '-p', String(pid)], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim();
    return { started: field('lstart'), command: field('command') };
  } catch {
    return undefined;
  }
}

/** The parent of a process, where the system tells it without running a program. */
export function parentOf(pid: number): number | undefined {
  const stat = readText(`/proc/${pid}/stat`);
  return stat === undefined ? undefined : Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

/** The working directory of a process, where the system tells it. */
export function processFolder(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

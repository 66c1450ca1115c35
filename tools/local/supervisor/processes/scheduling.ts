import { spawnSync } from 'node:child_process';

/** How Linux shares the processor between the processes of an installation. */
export type Scheduling = 'batch' | 'normal';

/**
 * Lets this process, and all that it starts from now on, finish what they are at instead of making way whenever another
 * of them has something to do (SCHED_BATCH; the share of the processor stays the same). Each request wakes half a dozen
 * processes, and making way costs more than waiting (`docs/decisions/operation/scheduling.md`). Returns whether the system could;
 * where there is no `chrt`, everything stays as it is.
 */
export function schedule(as: Scheduling): boolean {
  if (as === 'normal' || process.platform !== 'linux') return false;
  // Short options: those of BusyBox are the same.
  return spawnSync('chrt', ['-b', '-p', '0', String(process.pid)], { stdio: 'ignore' }).status === 0;
}

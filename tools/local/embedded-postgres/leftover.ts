import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeProcess, isAlive, processFolder } from '../processes/identify.ts';

/**
 * Stops a server that runs on this cluster although nothing supervises it any more, as after `kill -9` of the
 * supervisor. Committed data is safe either way; a clean stop saves the recovery.
 */
export async function stopLeftover(cluster: string): Promise<boolean> {
  const pid = runningServer(cluster);
  if (pid !== undefined) await stopServer(pid, 10_000);
  disownPidFile(cluster);
  return pid !== undefined;
}

/**
 * PostgreSQL does not start while the process that its pid file names exists, even if that is a zombie which nobody
 * collects, or another program that was given the id. It does not mind its own parent's id, though, so that is written
 * instead; the rest of the file stays, as by it PostgreSQL makes sure that no process of the old server is left.
 */
function disownPidFile(cluster: string): void {
  const file = join(cluster, 'postmaster.pid');
  if (!existsSync(file)) return;
  const [, ...rest] = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, [String(process.pid), ...rest].join('\n'));
}

/**
 * Asks a server to disconnect all clients and stop; after `timeoutMs` it is stopped immediately, and recovers at its
 * next start.
 */
export async function stopServer(pid: number, timeoutMs: number): Promise<void> {
  for (const [signal, patience] of [
    ['SIGINT', timeoutMs],
    ['SIGQUIT', 3_000],
    ['SIGKILL', 1_000],
  ] as const) {
    if (!send(pid, signal)) return;
    for (const until = Date.now() + patience; Date.now() < until; ) {
      await sleep(20);
      if (!isAlive(pid)) return;
    }
  }
}

function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/**
 * The process that the cluster's pid file names, if it lives and is a PostgreSQL server of this cluster: ids are used
 * again.
 */
function runningServer(cluster: string): number | undefined {
  const file = join(cluster, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const pid = Math.abs(Number.parseInt(readFileSync(file, 'utf8'), 10));
  if (!Number.isSafeInteger(pid) || pid <= 1 || pid === process.pid || !isAlive(pid)) return undefined;
  const folder = processFolder(pid);
  if (folder !== undefined) return folder === realpathSync(cluster) ? pid : undefined;
  return describeProcess(pid)?.command.includes(cluster) ? pid : undefined;
}

// DATA_DIR/run.json says which processes belong to an installation, so that the next start can find what a killed one left.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { describeProcess, isAlive } from '../processes/identify.ts';

const entry = z.object({ name: z.string(), pid: z.int().min(2), started: z.string() });
const shape = z.object({ supervisor: entry, port: z.int(), services: z.array(entry) });
type Entry = z.infer<typeof entry>;

/** Another supervisor runs this installation already. */
export class AlreadyRunning extends Error {
  override readonly name = 'AlreadyRunning';
}

export type RunFile = {
  /** Notes a service's present process. */
  note(name: string, pid: number): void;
};

/**
 * Takes an installation over for this process: ends the services that a killed supervisor left.
 * Never touches a process unless its start time is the noted one, since the system uses ids again.
 * @throws AlreadyRunning
 */
export async function takeOver(dataDir: string, port: number): Promise<RunFile> {
  const file = join(dataDir, 'run.json');
  const before = read(file);
  if (before && before.supervisor.pid !== process.pid && isSame(before.supervisor)) {
    throw new AlreadyRunning(`Cadastre is running already on ${dataDir} (process ${before.supervisor.pid}, port ${before.port}). Stop it first, or set PORT and DATA_DIR to start another installation.`);
  }
  await Promise.all((before?.services ?? []).map(end));
  const services = new Map<string, Entry>();
  const supervisor = identify('supervisor', process.pid);
  const write = (): void => {
    writeFileSync(`${file}.new`, JSON.stringify({ supervisor, port, services: [...services.values()] }));
    renameSync(`${file}.new`, file);
  };
  write();
  return { note: (name, pid) => { services.set(name, identify(name, pid)); write(); } };
}

const identify = (name: string, pid: number): Entry => ({ name, pid, started: describeProcess(pid)?.started ?? '' });

function isSame(known: Entry): boolean {
  return known.started !== '' && isAlive(known.pid) && describeProcess(known.pid)?.started === known.started;
}

async function end(service: Entry): Promise<void> {
  for (const [signal, patience] of [['SIGTERM', 3_000], ['SIGKILL', 2_000]] as const) {
    if (!isSame(service)) return;
    try { process.kill(service.pid, signal); } catch { return; }
    for (const until = Date.now() + patience; Date.now() < until && isSame(service);) await sleep(20);
  }
}

function read(file: string): z.infer<typeof shape> | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return shape.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

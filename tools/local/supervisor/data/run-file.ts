// DATA_DIR/run.json says which processes belong to an installation, so that the next start can find what a killed one
// left, and where it is reached, so that the other commands find it.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeProcess, isAlive } from '../../processes/identify.ts';

type Entry = {
  readonly name: string;
  readonly pid: number;
  readonly started: string;
  /** The address of the health and the metrics of its process. */
  readonly operations?: string;
};
type Run = {
  readonly supervisor: Entry;
  readonly port: number;
  /** Several may be in one process. */
  readonly services: readonly Entry[];
  /** Once it is ready. */
  readonly url?: string;
  /**
   * The generated API token, in the one run that shows it: the file is for its owner alone, as are the secrets beside
   * it.
   */
  readonly token?: string;
};

/** Another supervisor already runs this installation. */
class AlreadyRunning extends Error {
  override readonly name = 'AlreadyRunning';
}

export type RunFile = {
  /** Records the present process of services, and the address of its health. */
  note(names: readonly string[], pid: number, operations?: string): void;
  /** Records that the system is ready, and its address. */
  ready(url: string, token?: string): void;
  /** Called at the stop: removes what other commands could use. */
  ended(): void;
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
    throw new AlreadyRunning(
      `Cadastre is running already on ${dataDir} (process ${before.supervisor.pid}, port ${before.port}). Stop it first, or set PORT and DATA_DIR to start another installation.`,
    );
  }
  await Promise.all([...new Map(before?.services.map((one) => [one.pid, one])).values()].map(end));
  const services = new Map<string, Entry>();
  const supervisor = identify('supervisor', process.pid);
  let reached: { url?: string; token?: string } = {};
  const write = (): void => {
    // A file that is there keeps its mode, so what somebody else's umask made goes first.
    rmSync(`${file}.new`, { force: true });
    writeFileSync(`${file}.new`, JSON.stringify({ supervisor, port, services: [...services.values()], ...reached }), {
      mode: 0o600,
    });
    renameSync(`${file}.new`, file);
  };
  write();
  return {
    note: (names, pid, operations) => {
      for (const name of names)
        services.set(name, { ...identify(name, pid), ...(operations === undefined ? {} : { operations }) });
      write();
    },
    ready: (url, token) => {
      reached = { url, ...(token === undefined ? {} : { token }) };
      write();
    },
    // A full disk must not prevent the stop.
    ended: () => {
      reached = {};
      try {
        write();
      } catch {
        /* the next start finds that nothing runs */
      }
    },
  };
}

/** The system that runs on a DATA_DIR and is ready: where it is reached, and its token where that is known. */
export function findRunning(dataDir: string): { url: string; token?: string } | undefined {
  const found = read(join(dataDir, 'run.json'));
  return found?.url !== undefined && isSame(found.supervisor)
    ? { url: found.url, ...(found.token === undefined ? {} : { token: found.token }) }
    : undefined;
}

const identify = (name: string, pid: number): Entry => ({ name, pid, started: describeProcess(pid)?.started ?? '' });

function isSame(known: Entry): boolean {
  return known.started !== '' && isAlive(known.pid) && describeProcess(known.pid)?.started === known.started;
}

async function end(service: Entry): Promise<void> {
  for (const [signal, patience] of [
    ['SIGTERM', 3_000],
    ['SIGKILL', 2_000],
  ] as const) {
    if (!isSame(service)) return;
    try {
      process.kill(service.pid, signal);
    } catch {
      return;
    }
    for (const until = Date.now() + patience; Date.now() < until && isSame(service); ) await sleep(20);
  }
}

function read(file: string): Run | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const found = JSON.parse(readFileSync(file, 'utf8')) as Partial<Run>;
    return isEntry(found.supervisor) && Array.isArray(found.services) && found.services.every(isEntry)
      ? (found as Run)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Signals are sent to the process that an entry names, so anything that is not exactly an entry is left out. */
const isEntry = (value: unknown): value is Entry => {
  const { pid, started } = (value ?? {}) as Partial<Entry>;
  return Number.isSafeInteger(pid) && pid! >= 2 && typeof started === 'string';
};

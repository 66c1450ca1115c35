import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../processes/free-ports.ts';
import { type Account, findAccount } from './account.ts';
import { type Binaries, findBinaries } from './binaries.ts';
import { clusterFolder, ensureCluster } from './cluster.ts';
import { stopLeftover, stopServer } from './leftover.ts';

type End = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

export type EmbeddedPostgres = {
  /** The URL of the database `postgres`, as superuser. */
  readonly url: string;
  /**
   * The same by a Unix socket, where possible: for processes of this machine, a fifth cheaper per
   * statement.
   */
  readonly socketUrl: string;
  readonly pid: number;
  /** Resolves when the server has ended, whether it was asked to or not. */
  readonly ended: Promise<End>;
  /** Stops the server; one that does not stop in time recovers at the next start. */
  stop(timeoutMs?: number): Promise<void>;
};

export type EmbeddedPostgresOptions = {
  /** A folder of its own: files, password and log. */
  readonly dataDir: string;
  /** Default: any free port. It listens on the loopback address only. */
  readonly port?: number;
  /** False for tests: what was committed may be lost when the machine fails. */
  readonly durable?: boolean;
  /** Called before something happens that users should know: root creates an account. */
  readonly tell?: (text: string) => void;
};

/** For tests: the function that chooses a port. */
type Choice = () => Promise<number>;

/** A tenth of a second on an idle machine; longer after a crash, and on a busy one. */
const answerWithinMs = 120_000;

const settings = {
  listen_addresses: '127.0.0.1',
  shared_buffers: '128MB',
  max_connections: '300',
  // Planning for many processors and compiling queries only cost time on statements this small.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  random_page_cost: '1.1',
  max_wal_size: '1GB',
  checkpoint_timeout: '15min',
  // Autovacuum starts a worker for each of ten databases in this interval: every minute would be a process every six
  // seconds, half a percent of a core.
  autovacuum_naptime: '3min',
  // Features that are not used here need no processes: logical replication, and reading ahead from slow disks.
  max_logical_replication_workers: '0',
  io_method: 'sync',
  log_min_messages: 'warning',
  // The client of a statement gets its error.
  log_min_error_statement: 'panic',
};
const forgetful = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/**
 * Starts PostgreSQL from npm in a folder, creating what is missing; a server that was left over there is stopped first.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
  choosePort: Choice = freePort,
): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  const binaries = await findBinaries();
  const account = findAccount([binaries.postgres, dataDir], options.tell);
  const cluster = await ensureCluster(dataDir, binaries, account, options.durable ?? true);
  const logFile = join(dataDir, 'server.log');
  for (let attempt = 1, port = options.port ?? (await choosePort()); ; attempt++) {
    const socket = socketFolder(cluster.folder, port);
    const url = `postgres://postgres:${cluster.password}@127.0.0.1:${port}/postgres`;
    const socketUrl = bySocket(url, socket);
    await stopLeftover(cluster.folder);
    const child = launch(
      binaries,
      account,
      cluster.folder,
      { port: String(port), unix_socket_directories: socket ?? '' },
      logFile,
      options.durable ?? true,
    );
    const ended = new Promise<End>((done) => {
      child.once('exit', (code, signal) => done({ code, signal }));
    });
    const over = new AbortController();
    void ended.then(() => over.abort());
    const failed = await Promise.race([
      untilReady(cluster.folder, child.pid, answerWithinMs, over.signal),
      ended.then(({ code, signal }) => `it ended with ${signal ?? `code ${code}`}`),
    ]);
    if (failed === undefined) return handle(child, ended, url, socketUrl);
    child.kill('SIGQUIT');
    // Only then is its log complete: another server at this port may have answered first.
    await Promise.race([ended, sleep(3_000, undefined, { ref: false })]);
    const why = lastLines(logFile);
    const portTaken = options.port === undefined && why.includes('could not bind');
    // The processes of a server that was killed need a moment to notice; a port may be lost between its choice and its
    // use.
    if (attempt === 30 || !(portTaken || why.includes('shared memory block')))
      throw new Error(`PostgreSQL did not start: ${failed}\n${why}`);
    if (portTaken) port = await choosePort();
    await sleep(100);
  }
}

function handle(child: ChildProcess, ended: Promise<End>, url: string, socketUrl: string): EmbeddedPostgres {
  const pid = child.pid ?? 0;
  child.unref();
  return {
    url,
    socketUrl,
    pid,
    ended,
    stop: async (timeoutMs = 5_000) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      await Promise.race([stopServer(pid, timeoutMs), ended]);
    },
  };
}

/**
 * Its own process group, so that Ctrl-C in the terminal does not reach it: it must outlive the services that use it.
 */
function launch(
  binaries: Binaries,
  account: Account,
  cluster: string,
  where: Record<string, string>,
  logFile: string,
  durable: boolean,
): ChildProcess {
  const log = openSync(logFile, 'a', 0o600);
  const flags = Object.entries({ ...settings, ...(durable ? {} : forgetful), ...where }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const [command = binaries.postgres, ...rest] = [...account.prefix, binaries.postgres, '-D', cluster, ...flags];
  const ids = account.prefix.length > 0 ? {} : { uid: account.uid, gid: account.gid };
  try {
    const child = spawn(command, rest, {
      ...ids,
      cwd: '/',
      detached: true,
      stdio: ['ignore', log, log],
      env: { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' },
    });
    child.on('error', () => undefined);
    return child;
  } finally {
    closeSync(log);
  }
}

/** A server writes its state into its pid file, which pg_ctl reads too: another server at its port cannot answer for it. */
async function untilReady(
  cluster: string,
  pid: number | undefined,
  timeoutMs: number,
  over: AbortSignal,
): Promise<string | undefined> {
  for (const until = Date.now() + timeoutMs; Date.now() < until && !over.aborted; await sleep(10)) {
    const lines = pidFile(cluster);
    if (Number(lines[0]) === pid && lines[7]?.trim() === 'ready') return undefined;
  }
  return `it is not ready within ${timeoutMs} ms`;
}

function pidFile(cluster: string): string[] {
  try {
    return readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return [];
  }
}

const bySocket = (url: string, socket: string | undefined): string =>
  socket ? `${url}?host=${encodeURIComponent(socket)}` : url;

/** Where a server in this folder will listen, before it runs: the URL of its databases, without a user. */
export const addressOf = (dataDir: string, port: number): string =>
  bySocket(`postgres://127.0.0.1:${port}`, socketFolder(clusterFolder(dataDir), port));

/**
 * The server's Unix socket, which costs less than a loopback connection: in the cluster's own folder, which nobody else
 * may enter. Undefined where there are no such sockets, or the path is longer than their addresses can be.
 */
function socketFolder(cluster: string, port: number): string | undefined {
  const longest = 100;
  return process.platform !== 'win32' && Buffer.byteLength(join(cluster, `.s.PGSQL.${port}`)) <= longest
    ? cluster
    : undefined;
}

function lastLines(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim().split('\n').slice(-8).join('\n');
  } catch {
    return '';
  }
}

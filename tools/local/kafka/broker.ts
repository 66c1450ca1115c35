import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, openSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { calmRequestQueue } from '@cadastre/events/kafka/client/request-queue';
import kafkajs from 'kafkajs';
import { freePorts } from '../processes/free-ports.ts';
import { checkJava, libraries } from './libraries.ts';
import { properties, SCRAM, type Secured } from './properties.ts';

const run = promisify(execFile);
// Four seconds on an idle machine; many times that on a busy one.
const readyWithin = 180_000;
const stopWithin = 15_000;

export interface KafkaOptions {
  /** Where the broker keeps its data, its log (`kafka.log`) and its process id (`kafka.pid`). */
  dataDir: string;
  /** The port that clients connect to; a free one by default. */
  port?: number;
  /** The port that the broker tells clients to use, if a proxy stands before it. Default: its own. */
  advertisedPort?: number;
  /** Also listens for clients that authenticate. */
  secured?: Secured;
  /** When aborted, the start is given up and leaves nothing behind. */
  signal?: AbortSignal;
}

export interface RunningKafka {
  /** The value for KAFKA_BROKERS. */
  brokers: string;
  pid: number;
  /** Resolves when the broker has ended. */
  exited: Promise<void>;
  stop(): Promise<void>;
}

const pidFile = (dataDir: string): string => join(dataDir, 'kafka.pid');

/**
 * The broker that runs on a data folder, if one does. A process id alone proves nothing: it may belong to another
 * program by now.
 */
async function runningPid(dataDir: string): Promise<number | null> {
  const pid = Number(await readFile(pidFile(dataDir), 'utf8').catch(() => ''));
  if (!pid) return null;
  const { stdout } = await run('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return stdout.includes('kafka.Kafka') && stdout.includes(dataDir) ? pid : null;
}

async function waitUntilReady(
  brokers: string,
  child: ChildProcess,
  logFile: string,
  signal?: AbortSignal,
): Promise<void> {
  calmRequestQueue();
  const admin = new kafkajs.Kafka({
    brokers: [brokers],
    logLevel: kafkajs.logLevel.NOTHING,
    retry: { retries: 0 },
  }).admin();
  for (const deadline = Date.now() + readyWithin; Date.now() < deadline; await pause(200)) {
    signal?.throwIfAborted();
    if (child.exitCode !== null || child.signalCode !== null) {
      const tail = (await readFile(logFile, 'utf8')).trim().split('\n').slice(-5).join('\n');
      throw new Error(`Kafka stopped while starting; the end of ${logFile}:\n${tail}`);
    }
    try {
      await admin.connect();
      if ((await admin.describeCluster()).brokers.length > 0) return;
    } catch {
      // Not listening yet.
    } finally {
      await admin.disconnect().catch(() => {});
    }
  }
  throw new Error(`Kafka was not ready within ${readyWithin / 1000} s; see ${logFile}`);
}

async function stopProcess(pid: number): Promise<void> {
  const alive = (): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  if (alive()) process.kill(pid, 'SIGTERM');
  for (const deadline = Date.now() + stopWithin; alive() && Date.now() < deadline; ) await pause(50);
  if (alive()) process.kill(pid, 'SIGKILL');
}

/** The second compiler would take a third of a core for the first minutes, which is as long as such a broker lives. */
const shortLived = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

/** The passwords that Kafka itself stores. */
const passwords = (secured: Secured | undefined): string[] =>
  secured
    ? SCRAM.flatMap((mechanism) => [
        '--add-scram',
        `${mechanism}=[name=${secured.username},password=${secured.password}]`,
      ])
    : [];

/**
 * Starts a real Apache Kafka broker on this machine, without Docker; resolves when it answers. It outlives this process
 * unless stopped.
 */
export async function startKafka(options: KafkaOptions): Promise<RunningKafka> {
  const dataDir = resolve(options.dataDir);
  const other = await runningPid(dataDir);
  if (other !== null) throw new Error(`Kafka already runs on ${dataDir} (process ${other})`);
  await checkJava();
  const classpath = `${await libraries()}/*`;
  await mkdir(dataDir, { recursive: true });

  const [free = 0, controllerPort = 0] = await freePorts(2);
  const port = options.port ?? free;
  const file = join(dataDir, 'server.properties');
  await writeFile(
    file,
    properties({
      dataDir,
      port,
      advertisedPort: options.advertisedPort ?? port,
      controllerPort,
      secured: options.secured,
    }),
  );
  if (!existsSync(join(dataDir, 'log', 'meta.properties'))) {
    // An id with a leading dash would be taken for an option.
    const cluster = randomBytes(16).toString('base64url').replace(/^-/, 'A');
    await run('java', [
      ...shortLived,
      '-cp',
      classpath,
      'kafka.tools.StorageTool',
      'format',
      '-t',
      cluster,
      '-c',
      file,
      ...passwords(options.secured),
    ]);
  }

  const logFile = join(dataDir, 'kafka.log');
  const output = openSync(logFile, 'a');
  const java = [
    '-Xmx300m',
    ...shortLived,
    '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn',
    '-cp',
    classpath,
    'kafka.Kafka',
    file,
  ];
  const child = spawn('java', java, { detached: true, stdio: ['ignore', output, output] });
  const exited = new Promise<void>((done) => child.once('exit', () => done()));
  const pid = child.pid;
  if (pid === undefined) throw new Error('Kafka could not be started');
  await writeFile(pidFile(dataDir), String(pid));

  const stop = async (): Promise<void> => {
    await stopProcess(pid);
    await rm(pidFile(dataDir), { force: true });
  };
  const brokers = `127.0.0.1:${port}`;
  try {
    await waitUntilReady(brokers, child, logFile, options.signal);
  } catch (error) {
    await stop();
    throw error;
  }
  child.unref();
  return { brokers, pid, exited, stop };
}

/** Stops the broker that runs on a data folder. Returns whether there was one. */
export async function stopKafka(dataDir: string): Promise<boolean> {
  const folder = resolve(dataDir);
  const pid = await runningPid(folder);
  if (pid !== null) await stopProcess(pid);
  await rm(pidFile(folder), { force: true });
  return pid !== null;
}

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { codeOf } from './code.ts';
import type { Answer, Jobs, TemplateJobs, Used, Word } from '../jobs/jobs.ts';
import { nurseryMb } from './memory.ts';

/** A job that took too long, too much memory, or whose worker died. */
export class LimitError extends Error {
  override readonly name = 'LimitError';
}

/** A job that failed by itself. */
class JobError extends Error {
  override readonly name = 'JobError';
}

export interface PoolOptions {
  size: number;
  /**
   * Processor time; wall-clock time where that cannot be known, and at most `PATIENCE` times as much wall-clock time in
   * any case.
   */
  timeoutMs: number;
  memoryMb: number;
  /** A worker's program, where it does more than render templates: see `serve`. */
  program?: URL;
  /** Packages that the program is made of beside those that render. */
  packages?: readonly string[];
}

/**
 * Worker processes for code that is not trusted: limited in time and memory, killed and replaced when they exceed it.
 */
export interface Pool<Does extends Jobs = TemplateJobs> {
  /**
   * A job ends when its caller no longer waits (`gone`); `told` gets its messages on the way. @throws LimitError |
   * JobError
   */
  run<Kind extends keyof Does & string>(
    job: Does[Kind]['job'] & { kind: Kind },
    gone?: AbortSignal,
    told?: (word: unknown) => void,
  ): Promise<Does[Kind]['result']>;
  close(): Promise<void>;
}

interface Task {
  job: { kind: string };
  resolve(result: unknown): void;
  reject(error: Error): void;
  told?: ((word: unknown) => void) | undefined;
}

interface Slot {
  worker: ChildProcess;
  ready: boolean;
  task: Task | null;
  timer: NodeJS.Timeout | null;
  /** The processor time that it had used before its job. */
  usedMs: number;
}

const rendering = new URL('../worker/worker.ts', import.meta.url);

// Node's permission model leaves a worker nothing but reading its own program: no other file, no process, no thread, no
// add-on, no inspector; no text becomes code except through the compiler.
const flags = (program: URL, packages: readonly string[], memoryMb: number): string[] => [
  '--permission',
  ...codeOf(program, packages).map((code) => `--allow-fs-read=${code}`),
  '--disallow-code-generation-from-strings',
  '--no-warnings',
  `--max-old-space-size=${memoryMb}`,
  `--max-semi-space-size=${nurseryMb(memoryMb)}`,
];

/** On a busy machine a job takes more wall-clock time than processor time; this many times as much at most. */
const PATIENCE = 10;
/** How often it is checked whether a job has used up its time, in milliseconds. */
const SOONEST_LOOK = 10;

// A worker that cannot start is tried again after a pause.
const restartDelay = 200;

/** A pool whose workers start with the first jobs, which wait for them: most processes never have one. */
export function createPool<Does extends Jobs = TemplateJobs>({
  size,
  timeoutMs,
  memoryMb,
  program = rendering,
  packages = [],
}: PoolOptions): Pool<Does> {
  const waiting: Task[] = [];
  const slots = new Set<Slot>();
  let closed = false;
  const noLonger = () => new LimitError('is no longer waited for');
  const tookTooLong = () => new LimitError(`took more than ${timeoutMs} ms`);

  const start = (): void => {
    const worker = fork(fileURLToPath(program), [String(timeoutMs * PATIENCE * 2)], {
      execArgv: flags(program, packages, memoryMb),
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const slot: Slot = { worker, ready: false, task: null, timer: null, usedMs: 0 };
    slots.add(slot);
    worker.on('message', (message: Word | ((Answer | { ready: true }) & Used)) => {
      if ('word' in message) return void slot.task?.told?.(message.word);
      slot.usedMs = message.usedMs;
      if ('ready' in message) slot.ready = true;
      else if (!message.ok && message.late) replace(slot, tookTooLong());
      else settle(slot, message);
      next();
    });
    worker.on('error', (error) => replace(slot, new LimitError(`failed: ${error.message}`)));
    worker.on('exit', () => replace(slot, new LimitError(`needed more than ${memoryMb} MB of memory`)));
  };

  const settle = (slot: Slot, answer: Answer): void => {
    const task = slot.task;
    release(slot);
    if (!task) return;
    if (answer.ok) task.resolve(answer.result);
    else task.reject(new JobError(answer.error));
  };

  const release = (slot: Slot): void => {
    if (slot.timer) clearTimeout(slot.timer);
    slot.timer = null;
    slot.task = null;
  };

  const replace = (slot: Slot, error: Error): void => {
    if (!slots.delete(slot)) return;
    const { task, ready } = slot;
    release(slot);
    slot.worker.kill('SIGKILL');
    task?.reject(error);
    if (closed) return;
    if (ready) grow();
    else setTimeout(grow, restartDelay).unref();
  };

  const next = (): void => {
    for (const slot of slots) {
      if (!slot.ready || slot.task) continue;
      const task = waiting.shift();
      if (!task) return;
      slot.task = task;
      guard(slot, task, performance.now() + timeoutMs * PATIENCE, timeoutMs);
      slot.worker.send(task.job);
    }
  };

  /** After `inMs`, kills the worker if its job has used up its time, or sets a timer for when it may have. */
  const guard = (slot: Slot, task: Task, until: number, inMs: number): void => {
    // An answer that has already arrived is taken before the worker is killed: this process may have been the slow one.
    slot.timer = setTimeout(
      () =>
        setImmediate(() =>
          setImmediate(() => {
            if (slot.task !== task) return;
            const leftMs = timeoutMs - ((usedMsOf(slot.worker.pid) ?? Infinity) - slot.usedMs);
            if (leftMs > 0 && performance.now() < until) guard(slot, task, until, Math.max(leftMs, SOONEST_LOOK));
            else replace(slot, tookTooLong());
          }),
        ),
      inMs,
    );
  };

  /** One worker stays ready beside those that have jobs, so that the next job need not wait for its start. */
  const grow = (): void => {
    if (!closed && slots.size < size && (waiting.length > 0 || [...slots].every(({ task }) => task))) start();
  };

  const leave = (task: Task): void => {
    const at = waiting.indexOf(task);
    const slot = [...slots].find((one) => one.task === task);
    if (at >= 0) {
      waiting.splice(at, 1);
      task.reject(noLonger());
    }
    if (slot) replace(slot, noLonger());
  };

  return {
    run: <Kind extends keyof Does & string>(
      job: Does[Kind]['job'] & { kind: Kind },
      gone?: AbortSignal,
      told?: (word: unknown) => void,
    ) =>
      new Promise<Does[Kind]['result']>((resolve, reject) => {
        if (closed) return reject(new LimitError('failed: the service is stopping'));
        if (gone?.aborted) return reject(noLonger());
        const stay = () => gone?.removeEventListener('abort', onGone);
        const onGone = () => leave(task);
        const task: Task = {
          job,
          told,
          resolve: (result) => {
            stay();
            resolve(result as Does[Kind]['result']);
          },
          reject: (error) => {
            stay();
            reject(error);
          },
        };
        gone?.addEventListener('abort', onGone, { once: true });
        waiting.push(task);
        next();
        grow();
      }),
    close: async () => {
      closed = true;
      const all = [...slots];
      for (const task of waiting.splice(0)) task.reject(new LimitError('failed: the service is stopping'));
      for (const slot of all) replace(slot, new LimitError('failed: the service is stopping'));
      await Promise.all(
        all.map(({ worker }) => worker.exitCode !== null || worker.signalCode !== null || once(worker, 'exit')),
      );
    },
  };
}

/** The processor time of a process as Linux reports it: in hundredths of a second, after its name in parentheses. */
function usedMsOf(pid: number | undefined): number | undefined {
  try {
    const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ').slice(11, 13);
    return (Number(user) + Number(system)) * 10;
  } catch {
    return undefined;
  }
}

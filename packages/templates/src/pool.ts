import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Answer, Jobs, TemplateJobs } from './jobs.ts';

/** A job that took too long, too much memory, or whose worker died. */
export class LimitError extends Error {
  override readonly name = 'LimitError';
}

/** A job that failed by itself. */
export class JobError extends Error {
  override readonly name = 'JobError';
}

export interface PoolOptions {
  size: number;
  timeoutMs: number;
  memoryMb: number;
  /** A worker's program, where it does more than render templates: see `serve`. */
  program?: URL;
}

/** Worker processes for code that is not trusted: limited in time and memory, killed and replaced when they exceed it. */
export interface Pool<Does extends Jobs = TemplateJobs> {
  /** @throws LimitError | JobError */
  run<Kind extends keyof Does & string>(job: Does[Kind]['job'] & { kind: Kind }): Promise<Does[Kind]['result']>;
  close(): Promise<void>;
}

interface Task {
  job: { kind: string };
  resolve(result: unknown): void;
  reject(error: Error): void;
}

interface Slot {
  worker: ChildProcess;
  ready: boolean;
  task: Task | null;
  timer: NodeJS.Timeout | null;
}

const rendering = new URL('./worker.ts', import.meta.url);
const root = fileURLToPath(new URL('../../..', import.meta.url));

// Node's permission model leaves a worker nothing but reading its own program; no text becomes code except through the compiler.
const flags = (memoryMb: number): string[] => [
  '--permission', `--allow-fs-read=${root}*`, '--disallow-code-generation-from-strings', '--no-warnings',
  `--max-old-space-size=${memoryMb}`, `--max-semi-space-size=${Math.max(Math.floor(memoryMb / 16), 1)}`,
];

// A worker that cannot even start is tried again, but not in a tight loop.
const restartDelay = 200;

/** Starts the pool; its workers are ready a little later, jobs wait for them. */
export function createPool<Does extends Jobs = TemplateJobs>({ size, timeoutMs, memoryMb, program = rendering }: PoolOptions): Pool<Does> {
  const waiting: Task[] = [];
  const slots = new Set<Slot>();
  let closed = false;

  const start = (): void => {
    const worker = fork(fileURLToPath(program), [String(timeoutMs * 4)], { execArgv: flags(memoryMb), env: {}, serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    const slot: Slot = { worker, ready: false, task: null, timer: null };
    slots.add(slot);
    worker.on('message', (message: Answer | 'ready') => {
      if (message === 'ready') slot.ready = true;
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
      // An answer that has already arrived is taken before the worker is killed: this process may have been the slow one.
      slot.timer = setTimeout(() => setImmediate(() => setImmediate(() => { if (slot.task === task) replace(slot, new LimitError(`took more than ${timeoutMs} ms`)); })), timeoutMs);
      slot.worker.send(task.job);
    }
  };

  /** One worker stays ready; more come when jobs wait. */
  const grow = (): void => {
    if (!closed && slots.size < size && (slots.size === 0 || waiting.length > 0)) start();
  };

  grow();
  return {
    run: <Kind extends keyof Does & string>(job: Does[Kind]['job'] & { kind: Kind }) => new Promise<Does[Kind]['result']>((resolve, reject) => {
      if (closed) return reject(new LimitError('failed: the service is stopping'));
      waiting.push({ job, resolve: resolve as (result: unknown) => void, reject });
      next();
      grow();
    }),
    close: async () => {
      closed = true;
      const all = [...slots];
      for (const task of waiting.splice(0)) task.reject(new LimitError('failed: the service is stopping'));
      for (const slot of all) replace(slot, new LimitError('failed: the service is stopping'));
      await Promise.all(all.map(({ worker }) => worker.exitCode !== null || worker.signalCode !== null || once(worker, 'exit')));
    },
  };
}

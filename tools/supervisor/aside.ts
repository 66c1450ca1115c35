import { Worker } from 'node:worker_threads';
import type { Tasks } from './aside-tasks.ts';

/** What the thread answers. */
export type Answer = {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: { name: string; message: string };
};

type Task = (...args: never[]) => Promise<unknown>;
type Done<T extends Task> = Awaited<ReturnType<T>>;

/**
 * A thread for what only a start needs: the settings of everything, PostgreSQL's client, certificates. Loaded into the
 * supervisor they would take 40 MB for as long as it runs; here they go with the thread.
 */
export type Aside = {
  /** Rejects with an error of the same name and message as the task's. */
  run<Name extends keyof Tasks>(name: Name, ...args: Parameters<Tasks[Name]>): Promise<Done<Tasks[Name]>>;
  end(): Promise<unknown>;
};

export function openAside(): Aside {
  const worker = new Worker(new URL('./aside-tasks.ts', import.meta.url)),
    waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let last = 0;
  worker.on('message', ({ id, value, error }: Answer) => {
    const one = waiting.get(id);
    waiting.delete(id);
    if (error) one?.reject(Object.assign(new Error(error.message), { name: error.name }));
    else one?.resolve(value);
  });
  const lost = (error: Error): void => {
    for (const one of waiting.values()) one.reject(error);
    waiting.clear();
  };
  worker.on('error', lost);
  worker.on('exit', () => lost(new Error('the thread for the start has ended')));
  return {
    run(name, ...args) {
      const id = ++last,
        done = Promise.withResolvers<unknown>();
      waiting.set(id, done);
      worker.postMessage({ id, name, args });
      return done.promise as Promise<Done<Tasks[typeof name]>>;
    },
    end: () => worker.terminate(),
  };
}

import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Answer } from './answer.ts';
import type { Tasks } from './tasks.ts';

type Task = (...args: never[]) => Promise<unknown>;
type Done<T extends Task> = Awaited<ReturnType<T>>;

/**
 * A process for code that only a start needs: the settings of everything, PostgreSQL's client, certificates. Loaded
 * into the supervisor it would take 40 MB for as long as that runs (in a thread too, even after its end); so it runs
 * apart.
 */
export type Aside = {
  /** Rejects with an error of the same name and message as the task's. */
  run<Name extends keyof Tasks>(name: Name, ...args: Parameters<Tasks[Name]>): Promise<Done<Tasks[Name]>>;
  end(): void;
};

export function openAside(): Aside {
  const main = fileURLToPath(new URL('./tasks.ts', import.meta.url));
  // In a group of its own: Ctrl-C in the terminal reaches the supervisor alone.
  const child = fork(main, { serialization: 'advanced', detached: true, execArgv: [] });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let last = 0;
  child.on('message', (answer) => {
    const { id, value, error } = answer as Answer;
    const one = waiting.get(id);
    waiting.delete(id);
    if (error) one?.reject(Object.assign(new Error(error.message), { name: error.name }));
    else one?.resolve(value);
  });
  const lost = (error: Error): void => {
    for (const one of waiting.values()) one.reject(error);
    waiting.clear();
  };
  child.on('error', lost);
  child.on('exit', () => lost(new Error('the process for the start has ended')));
  return {
    run(name, ...args) {
      const id = ++last;
      const done = Promise.withResolvers<unknown>();
      waiting.set(id, done);
      child.send({ id, name, args });
      return done.promise as Promise<Done<Tasks[typeof name]>>;
    },
    // It ends when the channel closes, and so also when the supervisor is killed.
    end: () => child.connected && child.disconnect(),
  };
}

import type { Log } from '../observe/log.ts';

export type Closing = {
  /** What to close at the end; the last one added is closed first. */
  onClose(name: string, close: () => unknown): void;
  /** Aborted at the beginning of the shutdown, for loops that run until then. */
  readonly signal: AbortSignal;
  /** Closes all, once. Resolves with whether everything closed in time. */
  close(timeoutMs: number): Promise<boolean>;
};

/** Keeps what a process must close, and closes it in the reverse order of opening. */
export function createClosing(log: Log): Closing {
  const steps: { name: string; close: () => unknown }[] = [];
  const started = new AbortController();
  let running: Promise<boolean> | undefined;
  const run = async (timeoutMs: number): Promise<boolean> => {
    started.abort();
    const until = Date.now() + timeoutMs;
    let clean = true;
    for (const { name, close } of steps.reverse()) {
      const began = Date.now();
      const done = await within(Math.max(until - Date.now(), 100), async () => {
        await close();
      }).catch((error: unknown) => {
        log.warn({ err: error, step: name }, 'closing failed');
        return true;
      });
      log.debug({ step: name, ms: Date.now() - began }, 'closed');
      if (!done) {
        clean = false;
        log.warn({ step: name }, 'closing takes too long, going on without');
      }
    }
    return clean;
  };
  return {
    onClose: (name, close) => {
      steps.push({ name, close });
    },
    signal: started.signal,
    close: (timeoutMs) => (running ??= run(timeoutMs)),
  };
}

/** Whether `work` ended in time. */
async function within(ms: number, work: () => Promise<void>): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), ms);
  return Promise.race([work().then(() => true), late.promise]).finally(() => clearTimeout(timer));
}

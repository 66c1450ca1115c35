import { createContext, Script } from 'node:vm';

/** The processor time that a piece of work may take, in milliseconds; far more than any well-meant one takes. */
const LIMIT_MS = 50;
/** How often work is started again that was stopped while other processes had the processor. */
const MAX_TRIES = 20;
/**
 * How long work that was stopped once is not begun again, in milliseconds: a bulk request must not be stopped for each
 * of its items.
 */
const PAUSE_MS = 2_000;
/** How many keys of stopped work are remembered. */
const MAX_STOPPED = 1_000;

const context = createContext(Object.create(null) as { work?: () => unknown });
const script = new Script('work()');
const stopped = new Map<string, number>();

/**
 * Runs synchronous work that a user's expression decides about (a regular expression that backtracks, a schema that
 * refers to itself), and stops it when it takes too long, so that the process goes on serving others. `key` names the
 * expression. Returns undefined when it was stopped.
 */
export function bounded<T>(key: string, work: () => T, limitMs = LIMIT_MS): T | undefined {
  const until = stopped.get(key);
  if (until !== undefined && Date.now() < until) return undefined;
  context.work = work;
  const before = process.threadCpuUsage();
  try {
    for (let left = MAX_TRIES; ; left--) {
      try {
        return script.runInContext(context, { timeout: limitMs }) as T;
      } catch (error) {
        const isLate = (error as { code?: string }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
        if (!isLate && !(error instanceof RangeError)) throw error;
        // V8 stops it by wall-clock time: on a busy machine it may hardly have begun.
        if (isLate && left > 0 && usedMs(before) < limitMs * 0.8) continue;
      }
      if (stopped.size >= MAX_STOPPED) stopped.clear();
      stopped.set(key, Date.now() + PAUSE_MS);
      return undefined;
    }
  } finally {
    delete context.work;
  }
}

function usedMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

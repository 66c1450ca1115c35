import { trimParked } from '@cadastre/events';
import { type Engine, trimMarks, trimInvalidations } from '@cadastre/rest';
import type { Config } from '../settings/config.ts';
import type { Log } from '../observe/log.ts';
import type { Replicas } from '../replicas/start.ts';

/** How often the upkeep runs. */
const UPKEEP_MS = 300_000;
const DAY_MS = 86_400_000;

/** Periodically removes data that is no longer needed. Returns a function that stops this. */
export function startUpkeep(engine: Engine, replicas: Replicas, config: Config, log: Log): () => void {
  // One after the other, so that an idle service does not have to open several connections for this.
  const upkeep = async (): Promise<void> => {
    await trimInvalidations(engine.pool);
    await trimMarks(engine.pool);
    await replicas.trim(config.replicaTombstoneDays);
    await engine.files?.sweep();
    if (config.parkedRetentionDays) await trimParked(engine.pool, config.parkedRetentionDays * DAY_MS);
  };
  const timer = setInterval(() => {
    upkeep().catch((error: unknown) => log.warn({ err: error }, 'upkeep failed'));
  }, UPKEEP_MS);
  timer.unref();
  return () => clearInterval(timer);
}

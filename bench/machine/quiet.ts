import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** A machine is at rest when at least this share of its time is idle. */
const IDLE = 0.8;
const SAMPLE_MS = 3_000;
const PATIENCE_MS = 120_000;

const times = () =>
  cpus().reduce(
    (sum, { times: t }) => ({ idle: sum.idle + t.idle, all: sum.all + t.user + t.nice + t.sys + t.idle + t.irq }),
    { idle: 0, all: 0 },
  );

/**
 * Waits until the machine is at rest, so that the consequences of writing (followers, vacuum, PostgreSQL's own writing
 * to disk) do not affect the next measurement. Reports it when the machine does not come to rest.
 */
export async function quiet(): Promise<void> {
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; ) {
    const before = times();
    await sleep(SAMPLE_MS);
    const after = times();
    if ((after.idle - before.idle) / (after.all - before.all) >= IDLE) return;
  }
  console.log(`the machine is still busy after ${PATIENCE_MS / 1000} s`);
}

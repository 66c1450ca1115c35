// Runs the whole system while its parts are killed and its connections cut, and looks whether anything was lost.
//   npm run test:faults -- [--seeds N] [--first SEED] [--log postgres|kafka|both] [--seconds S] [--minutes M] [--clients N] [--verbose]
import { parseArgs } from 'node:util';
import { openStage } from './stage.ts';
import { type Result, run, type Stage } from './run.ts';
import type { LogKind } from './system/system.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '2' }, first: { type: 'string' }, log: { type: 'string', default: 'both' },
    seconds: { type: 'string', default: '20' }, settle: { type: 'string', default: '60' }, minutes: { type: 'string', default: '10' }, clients: { type: 'string', default: '8' }, verbose: { type: 'boolean', default: false },
  },
});
const number = (name: 'seeds' | 'seconds' | 'minutes' | 'clients' | 'settle'): number => {
  const value = Number(values[name]);
  if (!(value > 0)) throw new Error(`--${name} must be a number above 0`);
  return value;
};
const seeds = number('seeds'), seconds = number('seconds'), clients = number('clients'), settleMs = number('settle') * 1_000, until = Date.now() + number('minutes') * 60_000;
const logs: LogKind[] = values.log === 'both' ? ['postgres', 'kafka'] : [values.log === 'kafka' ? 'kafka' : 'postgres'];
const first = values.first === undefined ? Math.floor(Math.random() * 1_000_000) : Number(values.first);
/** How many complaints of each check are printed. */
const SHOWN = 8;

const say = (text: string): void => { process.stdout.write(`${text}\n`); };
let open: { close(): Promise<void> } | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => { void (open?.close() ?? Promise.resolve()).finally(() => process.exit(130)); });
// What nobody waited for must not leave processes behind.
process.on('uncaughtException', (error) => { say(String(error.stack)); void (open?.close() ?? Promise.resolve()).finally(() => process.exit(1)); });

let passed = 0, failed = 0;
for (const log of logs) {
  let stage: (Stage & { close(): Promise<void> }) | undefined;
  try {
    for (let i = 0; i < seeds; i++) {
      const seed = first + i, enough = Date.now() + (seconds + 30) * 1_000 > until;
      if (enough) { say(`${log}: no time left for seed ${seed} and those after it`); break; }
      if (!stage) { say(`${log}: starting`); open = stage = await openStage(log, values.verbose ? 'warn' : undefined); }
      const result = await attempt(stage, log, seed);
      if (result.failed.length) failed++; else passed++;
      report(log, result);
      // The next seed shall not find what this one has broken.
      if (result.failed.length) { await stage.close(); open = stage = undefined; }
    }
  } finally { await stage?.close(); open = undefined; }
}
say(`${passed} seeds passed, ${failed} failed`);
process.exit(failed || !passed ? 1 : 0);

async function attempt(stage: Stage, log: LogKind, seed: number): Promise<Result> {
  const began = Date.now();
  const tell = (what: string) => { if (values.verbose) say(`  ${((Date.now() - began) / 1000).toFixed(1)} s ${what}`); };
  say(`${log}: seed ${seed}`);
  try { return await run(stage, { seed, seconds, clients, settleMs, tell }); } catch (error) {
    return { seed, failed: [['the run came to its end', [String((error as Error).stack)]]], summary: 'broken off' };
  }
}

function report(log: LogKind, { seed, failed: checks, summary }: Result): void {
  say(`${log}: seed ${seed} ${checks.length ? 'FAILED' : 'passed'}: ${summary}`);
  for (const [check, complaints] of checks) {
    say(`  NOT so that ${check}: ${complaints.length}`);
    for (const complaint of complaints.slice(0, SHOWN)) say(`    ${complaint}`);
  }
}

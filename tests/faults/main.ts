// Runs the whole system while its parts are killed and its connections cut, and checks whether anything was lost.
//   npm run test:faults -- [--seeds N] [--first SEED] [--log postgres|kafka|both] [--seconds S] [--minutes M] [--clients N]
//     [--processes N|each] [--verbose]
import { parseArgs } from 'node:util';
import { openStage } from './stage.ts';
import { type Result, run, type Stage } from './run.ts';
import type { LogKind } from './system/system.ts';
import { Undo } from './system/undo.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '2' },
    first: { type: 'string' },
    log: { type: 'string', default: 'both' },
    seconds: { type: 'string', default: '20' },
    settle: { type: 'string', default: '90' },
    minutes: { type: 'string', default: '10' },
    clients: { type: 'string', default: '8' },
    processes: { type: 'string', default: 'each' },
    verbose: { type: 'boolean', default: false },
  },
});
const number = (name: 'seeds' | 'seconds' | 'minutes' | 'clients' | 'settle' | 'processes'): number => {
  const value = Number(values[name]);
  if (!(value > 0)) throw new Error(`--${name} must be a number above 0`);
  return value;
};
const seeds = number('seeds');
const seconds = number('seconds');
const clients = number('clients');
const settleMs = number('settle') * 1_000;
const until = Date.now() + number('minutes') * 60_000;
const processes = values.processes === 'each' ? 'each' : number('processes');
const logs: LogKind[] = values.log === 'both' ? ['postgres', 'kafka'] : [values.log === 'kafka' ? 'kafka' : 'postgres'];
const first = values.first === undefined ? Math.floor(Math.random() * 1_000_000) : Number(values.first);
/**
 * A seed that could take longer than the time left is not begun, nor is a start; on an idle machine they take a third
 * of this.
 */
const SEED_MS = 150_000;
const START_MS = 60_000;
/** By how much a seed may take longer than the slowest so far. */
const SLOWER = 1.5;
/** How many complaints of each check are printed. */
const SHOWN = 8;

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};
let undo = new Undo();
let leaving = false;
const leave = (code: number): void => {
  leaving = true;
  void undo.run().finally(() => process.exit(code));
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => leave(130));
// An error that nothing awaited must not leave processes behind.
process.on('uncaughtException', (error) => {
  say(String(error.stack));
  leave(1);
});
setTimeout(() => {
  say('The time is up.');
  leave(1);
}, until - Date.now()).unref();

let passed = 0;
let seedMs = SEED_MS;
let startMs = START_MS;
const failures: { log: LogKind; result: Result }[] = [];
for (const log of logs) {
  let stage: Stage | undefined;
  for (let i = 0; i < seeds; i++) {
    const seed = first + i;
    if (Date.now() + seedMs + (stage ? 0 : startMs) > until) {
      say(`${log}: no time left for seed ${seed} and those after it`);
      break;
    }
    if (!stage) say(`${log}: starting`);
    const began = Date.now();
    let ready = began;
    const result = await attempt(log, seed, async () => {
      stage ??= await openStage({ log, processes, logLevel: values.verbose ? 'warn' : undefined }, undo);
      ready = Date.now();
      return stage;
    });
    seedMs = Math.max(seedMs, SLOWER * (Date.now() - ready));
    startMs = Math.max(startMs, SLOWER * (ready - began));
    report(log, result);
    if (!result.failed.length) {
      passed++;
      continue;
    }
    failures.push({ log, result });
    // The next seed must not meet what this one has broken.
    await afresh();
    stage = undefined;
  }
  await afresh();
}
// Repeated at the end, where one looks first: the services may have logged much since.
for (const { log, result } of failures) report(log, result);
say(`${passed} seeds passed, ${failures.length} failed`);
process.exit(failures.length || !passed ? 1 : 0);

async function afresh(): Promise<void> {
  await undo.run();
  // No further start may begin.
  if (leaving) await new Promise(() => undefined);
  undo = new Undo();
}

async function attempt(log: LogKind, seed: number, stage: () => Promise<Stage>): Promise<Result> {
  try {
    const ready = await stage();
    const began = Date.now();
    const tell = (what: string) => {
      if (values.verbose) say(`  ${((Date.now() - began) / 1000).toFixed(1)} s ${what}`);
    };
    say(`${log}: seed ${seed}`);
    return await run(ready, { seed, seconds, clients, settleMs, tell });
  } catch (error) {
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

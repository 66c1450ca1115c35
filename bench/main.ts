// `npm run bench [-- [--form <form>] [--against <form> [--checkout <folder>]] [start sites network web replicas slow deliveries import]]`: fresh systems,
// filled through their API and measured through their gateway.
import { cpus } from 'node:os';
import { environmentOf, parseArguments, WrongArguments } from './arguments.ts';
import { type Client, client } from './load/client.ts';
import { comparison, type Run } from './report/compare.ts';
import { measureImport } from './parts/importing.ts';
import { watchMachine } from './machine/machine.ts';
import { memoryOf, totalPss } from './machine/memory.ts';
import { measureNetwork } from './parts/network.ts';
import { measureQueue } from './parts/queue.ts';
import { measureReplicas } from './parts/replicas.ts';
import { amount, type Measured, memoryTable, table } from './report/report.ts';
import { measureSites } from './parts/sites.ts';
import { measureSlowReceiver } from './parts/slow.ts';
import { measureWeb } from './parts/web.ts';
import { type Begin, measureStart } from './parts/start.ts';
import { startSystem, type System } from '../tools/testing/fresh-system.ts';

/** Measures something on systems that it starts with `begin`; they are stopped afterwards. */
type Part = (begin: Begin) => Promise<Measured[]>;

/** A part that needs one system, and reports its memory afterwards. */
const onFresh =
  (measure: (system: System, api: Client) => Promise<Measured[]>, memoryTarget?: number): Part =>
  async (begin) => {
    const system = await begin();
    const lines = await measure(system, client(system.base, system.token));
    const memory = memoryOf(system.pid);
    console.log(`${memoryTable(memory)}\n`);
    const target = memoryTarget === undefined ? {} : { target: memoryTarget };
    return [...lines, amount('memory of everything afterwards', totalPss(memory), 'MB', target)];
  };

const PARTS: Record<string, Part> = {
  start: measureStart,
  sites: onFresh(measureSites),
  network: onFresh(measureNetwork, 700),
  web: onFresh(measureWeb),
  replicas: onFresh(measureReplicas),
  slow: onFresh(measureSlowReceiver),
  deliveries: onFresh(measureQueue),
  import: measureImport,
};

const { parts, forms, checkout } = asked();
const running = new Set<System>();
const stopAll = () => Promise.all([...running].map((system) => system.stop()));
// A benchmark that is interrupted leaves nothing running.
let ending: Promise<unknown> | undefined;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    ending ??= stopAll().finally(() => process.exit(130));
  });

console.log(
  `${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.version}; system, PostgreSQL and load share them`,
);
const runs = forms.map((form, i): Run => ({ form, parts: new Map(), checkout: i === 1 ? checkout : undefined }));
// Both forms are measured part by part, so that the results to be compared are only minutes apart.
for (const part of parts) for (const run of runs) run.parts.set(part, await measured(part, run));
const [first, second] = runs;
if (first && second) {
  console.log(`\nform ${first.form} against ${second.form}\n\n${comparison(first, second)}`);
  console.log(
    '\ntimes as good: the first by the second of what should be much, the second by the first of what should be little',
  );
}

async function measured(part: string, { form, checkout }: Run): Promise<Measured[]> {
  console.log(`\n${part}, form ${form}${checkout === undefined ? '' : ` of ${checkout}`}\n`);
  const machine = watchMachine();
  try {
    const lines = await PARTS[part]!((folder, env) => started(form, checkout, folder, env));
    console.log(`${table(lines)}\n${machine()}`);
    return lines;
  } finally {
    // Requests under way fail when their system is stopped; this must not end the process before all systems have
    // stopped.
    await (ending ?? stopAll());
  }
}

async function started(
  form: string,
  checkout: string | undefined,
  folder?: string,
  env: Record<string, string> = {},
): Promise<System> {
  const system = await startSystem({ ...environmentOf(form), ...env }, folder, checkout);
  const known: System = {
    ...system,
    stop(options) {
      running.delete(known);
      return system.stop(options);
    },
  };
  running.add(known);
  return known;
}

function asked() {
  try {
    return parseArguments(process.argv.slice(2), Object.keys(PARTS), process.env);
  } catch (error) {
    if (!(error instanceof WrongArguments)) throw error;
    console.error(error.message);
    process.exit(2);
  }
}

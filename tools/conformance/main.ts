// Starts a fresh system and measures it against a reference contract, and with inputs that people send (a Python
// script); fails when a figure is below the last recorded one.
//   node tools/conformance/main.ts PATH_OF_CONFORM_MJS [--inputs PATH_OF_CHECK_PY] [--record]
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { cheap, startSystem } from '../testing/fresh-system.ts';

interface Figures {
  contract: number;
  replay: number;
  areas: Record<string, number>;
  /** How many of the inputs are answered correctly. */
  inputs: number;
}

const recorded = new URL('./figures.json', import.meta.url);
const {
  values: { inputs: check, record },
  positionals: [script],
} = parseArgs({ allowPositionals: true, options: { inputs: { type: 'string' }, record: { type: 'boolean' } } });
if (!script) {
  console.error('usage: node tools/conformance/main.ts PATH_OF_CONFORM_MJS [--inputs PATH_OF_CHECK_PY] [--record]');
  process.exit(2);
}

/** The output of a program, whatever its exit code. */
function run(program: string, ...args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    child.once('error', reject).once('close', () => resolve(text));
  });
}

/** The number of matches: `conformance replay: 293/1039 (…)`. */
function matching(text: string, kind: string): number {
  const found = new RegExp(`conformance ${kind}: (\\d+)/\\d+`).exec(text)?.[1];
  if (found === undefined) throw new Error(`no figure for ${kind} in:\n${text.slice(-2000)}`);
  return Number(found);
}

/** How many inputs are answered correctly. */
function answeredRight(text: string): number {
  const found = /^passed (\d+) of \d+$/m.exec(text)?.[1];
  if (found === undefined) throw new Error(`no figure for the inputs in:\n${text.slice(-2000)}`);
  return Number(found);
}

const areasOf = (text: string): Record<string, number> =>
  Object.fromEntries([...text.matchAll(/^(replay \w+)\s+(\d+)\/\d+$/gm)].map(([, area, ok]) => [area!, Number(ok)]));

const [name, password] = ['admin', 'admin'];
const system = await startSystem({ ...cheap, SUPERUSER_PASSWORD: password, SUPERUSER_EMAIL: 'admin@example.com' });
let figures: Partial<Figures>;
/** The lines about single differences that the scripts print, to fix them by. */
let differences: string[];
try {
  const conform = (...args: string[]): Promise<string> =>
    run(process.execPath, script, system.base, `Token ${system.token}`, ...args, '--show', '30');
  const contract = await conform();
  const replay = await conform('--replay');
  const inputs = check ? await run('python3', check, system.base, system.token, name, password) : undefined;
  figures = { contract: matching(contract, 'contract'), replay: matching(replay, 'replay'), areas: areasOf(replay) };
  if (inputs !== undefined) figures.inputs = answeredRight(inputs);
  differences = [contract, replay, inputs ?? ''].flatMap((text) => text.match(/^(?:FALLS .*|.* \| .*)$/gm) ?? []);
} finally {
  await system.stop();
}

console.log(JSON.stringify(figures));
const before = JSON.parse(readFileSync(recorded, 'utf8')) as Figures;
if (record) writeFileSync(recorded, `${JSON.stringify({ ...before, ...figures }, null, 2)}\n`);
else {
  // A figure that was not measured cannot have fallen.
  const below = (name: string, now: number | undefined, was: number): string[] =>
    now !== undefined && now < was ? [`${name} ${now}, was ${was}`] : [];
  const fallen = [
    ...below('contract', figures.contract, before.contract),
    ...below('replay', figures.replay, before.replay),
    ...below('inputs', figures.inputs, before.inputs),
    ...Object.entries(before.areas).flatMap(([area, was]) => below(area, figures.areas?.[area] ?? 0, was)),
  ];
  if (fallen.length) {
    for (const one of differences) console.error(one.slice(0, 300));
    console.error(`conformance fell: ${fallen.join('; ')}`);
    process.exit(1);
  }
}

// Starts a fresh system and measures it against a reference contract; fails when a figure is below the last one
// recorded.
//   node tools/conformance/main.ts PATH_OF_CONFORM_MJS [--record]
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cheap, startSystem } from '../testing/fresh-system.ts';

interface Figures {
  contract: number;
  replay: number;
  areas: Record<string, number>;
}

const recorded = new URL('./figures.json', import.meta.url);
const [script, flag] = process.argv.slice(2);
if (!script) {
  console.error('usage: node tools/conformance/main.ts PATH_OF_CONFORM_MJS [--record]');
  process.exit(2);
}

/** What the script prints, whatever it thinks of it. */
function run(...args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script!, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    child.once('error', reject).once('close', () => resolve(text));
  });
}

/** The count of what matches: `conformance replay: 293/1039 (…)`. */
function matching(text: string, kind: string): number {
  const found = new RegExp(`conformance ${kind}: (\\d+)/\\d+`).exec(text)?.[1];
  if (found === undefined) throw new Error(`no figure for ${kind} in:\n${text.slice(-2000)}`);
  return Number(found);
}

const areasOf = (text: string): Record<string, number> =>
  Object.fromEntries([...text.matchAll(/^(replay \w+)\s+(\d+)\/\d+$/gm)].map(([, area, ok]) => [area!, Number(ok)]));

const system = await startSystem({ ...cheap, SUPERUSER_PASSWORD: 'admin', SUPERUSER_EMAIL: 'admin@example.com' });
let figures: Figures;
try {
  const contract = await run(system.base, `Token ${system.token}`, '--show', '0');
  const replay = await run(system.base, `Token ${system.token}`, '--replay', '--show', '0');
  figures = { contract: matching(contract, 'contract'), replay: matching(replay, 'replay'), areas: areasOf(replay) };
} finally {
  await system.stop();
}

console.log(JSON.stringify(figures));
if (flag === '--record') writeFileSync(recorded, `${JSON.stringify(figures, null, 2)}\n`);
else {
  const before = JSON.parse(readFileSync(recorded, 'utf8')) as Figures;
  const fallen = [
    ...(figures.contract < before.contract ? [`contract ${figures.contract}, was ${before.contract}`] : []),
    ...(figures.replay < before.replay ? [`replay ${figures.replay}, was ${before.replay}`] : []),
    ...Object.entries(before.areas)
      .filter(([area, ok]) => (figures.areas[area] ?? 0) < ok)
      .map(([area, ok]) => `${area} ${figures.areas[area] ?? 0}, was ${ok}`),
  ];
  if (fallen.length) {
    console.error(`conformance fell: ${fallen.join('; ')}`);
    process.exit(1);
  }
}

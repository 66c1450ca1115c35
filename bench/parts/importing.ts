// A whole import from NetBox's database, of a size that its users report in issues.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PEPPER, recordings } from '../../tools/moving/import/sources/database/testing/recordings.ts';
import { restore } from '../../tools/moving/import/sources/database/testing/restore.ts';
import { KINDS, type Tally } from '../../tools/moving/import/state/tally.ts';
import { createTestDatabase } from '../../tools/testing/servers/postgres.ts';
import { addRows } from '../load/netBoxRows.ts';
import { quiet } from '../machine/quiet.ts';
import { amount, type Measured, number } from '../report/report.ts';
import type { Begin } from './start.ts';

const SIZE = { devices: 10_000, interfaces: 100_000, cables: 50_000, addresses: 100_000 };
const TARGET = { seconds: 600 };
const SAMPLE_MS = 250;
/** How many of the last characters of the tool's output are shown when it fails. */
const TOLD = 1_000;

/** How long it takes, and how much memory the tool needs; a second run finds nothing to do. */
export async function measureImport(begin: Begin): Promise<Measured[]> {
  const [recording] = recordings();
  if (!recording) {
    console.log('Skipped: there is no dump of a NetBox at ../shared/netbox-4.6.');
    return [];
  }
  const folder = mkdtempSync(join(tmpdir(), 'cadastre-bench-'));
  const database = await createTestDatabase();
  try {
    await restore(recording.dump, database.url);
    await addRows(database.url, SIZE);
    const system = await begin(undefined, { IMPORT_API: 'true', API_TOKEN_PEPPERS: JSON.stringify({ 1: PEPPER }) });
    await quiet();
    const sides = ['--from', database.url, '--to', system.base, '--to-token', system.token];
    const report = join(folder, 'report.json');
    const bring = () => measured([...sides, '--state', join(folder, 'state'), '--report', report]);
    const first = await bring();
    const tallies = talliesIn(report);
    const objects = tallies.reduce((sum, { read }) => sum + read, 0);
    const second = await bring();
    // These are why the tool ends with code 1: a real NetBox has objects of types that do not exist here.
    console.log(`${toldIn(tallies)}\n`);
    return [
      amount(`import of ${number(objects)} objects from a database`, first.seconds, 's', {
        target: TARGET.seconds,
        notes: [`${number(objects / first.seconds)} objects a second`, `ended with ${first.code}`],
      }),
      amount('memory of the tool at most', first.peakMb, 'MB'),
      amount('import once more, with nothing new', second.seconds, 's', { notes: [`ended with ${second.code}`] }),
    ];
  } finally {
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const talliesIn = (report: string): Tally[] => (JSON.parse(readFileSync(report, 'utf8')) as { types: Tally[] }).types;

/** The messages of a report: a line for each type and kind, with the first case. */
const toldIn = (tallies: readonly Tally[]): string =>
  tallies
    .flatMap(({ type, told }) =>
      KINDS.flatMap((kind) => {
        const { count, cases } = told[kind];
        return count ? [`${kind}: ${count} of ${type}, first ${cases[0]?.id}: ${cases[0]?.told}`] : [];
      }),
    )
    .join('\n');

async function measured(words: readonly string[]): Promise<{ seconds: number; peakMb: number; code: number | null }> {
  const began = performance.now();
  const tool = spawn(process.execPath, [resolve(import.meta.dirname, '../../tools/moving/import/main.ts'), ...words], {
    env: {},
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let told = '';
  tool.stderr.setEncoding('utf8').on('data', (text: string) => {
    told = (told + text).slice(-TOLD);
  });
  let peakMb = 0;
  const watching = setInterval(() => {
    peakMb = Math.max(peakMb, residentMb(tool));
  }, SAMPLE_MS);
  const code = await new Promise<number | null>((done) => tool.once('close', done));
  clearInterval(watching);
  if (code !== 0 && code !== 1) throw new Error(`the import did not run to its end (${code}): …${told}`);
  return { seconds: (performance.now() - began) / 1000, peakMb, code };
}

/** The most that a process has needed so far; zero where the system does not tell. */
function residentMb({ pid }: ChildProcess): number {
  const status = `/proc/${pid}/status`;
  if (!existsSync(status)) return 0;
  const [, kilobytes = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(status, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

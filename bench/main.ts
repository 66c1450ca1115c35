// `npm run bench`: a fresh system, filled through its API and measured through its gateway, beside the floor measured in the same run.
import { spawn } from 'node:child_process';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { client, upTo } from './client.ts';
import { deliveries } from './deliveries.ts';
import { read, write } from './load.ts';
import { memoryOf } from './memory.ts';
import { populate, SIZE } from './populate.ts';
import { type Line, memoryTable, table } from './report.ts';
import { statementsOf } from './statements.ts';
import { freePort } from '../tools/embedded-postgres/start.ts';
import { startSystem, type System } from '../tools/testing/fresh-system.ts';

const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 5);
const WARM_UP = 2;
const PAGES = [50, SIZE.sites];

async function measureFloor(system: System, site: number): Promise<Record<string, number>> {
  const port = await freePort(), statements = await statementsOf('dcim', 'dcim.site', site, PAGES);
  const child = spawn(process.execPath, [fileURLToPath(new URL('./floor.ts', import.meta.url))], {
    env: { ...process.env, FLOOR_PORT: String(port), FLOOR_DATABASE_URL: system.databaseUrl('dcim'), FLOOR_STATEMENTS: JSON.stringify(statements) }, stdio: ['ignore', 'inherit', 'inherit'],
  });
  try {
    const base = `http://127.0.0.1:${port}`;
    for (let tries = 0; tries < 50 && !(await fetch(`${base}/detail`).then((r) => r.ok, () => false)); tries++) await new Promise((resolve) => setTimeout(resolve, 100));
    const figures: Record<string, number> = {};
    for (const path of Object.keys(statements)) {
      await read(base + path, {}, 1);
      figures[path] = (await read(base + path, {}, SECONDS)).perSecond;
    }
    return figures;
  } finally { child.kill('SIGTERM'); }
}

async function measure(system: System): Promise<void> {
  const api = client(system.base, system.token), headers = { authorization: `Token ${system.token}` };
  const site = await populate(api);
  const reading = async (what: string, path: string, floor: number | undefined, target?: number): Promise<Line> => {
    await read(system.base + path, headers, WARM_UP);
    return { what, figure: await read(system.base + path, headers, SECONDS), ...(floor === undefined ? {} : { floor }), ...(target === undefined ? {} : { target }) };
  };
  const floor = await measureFloor(system, site);
  const lines = [
    await reading('one site', `/api/dcim/sites/${site}/`, floor['/detail'], 1500),
    await reading('page of 50 sites', '/api/dcim/sites/?limit=50', floor['/page/50'], 700),
    await reading('page of 1000 (200 there)', '/api/dcim/sites/?limit=1000', floor[`/page/${SIZE.sites}`]),
  ];
  lines.push({ what: 'create one, 4 clients', figure: await write(`${system.base}/api/dcim/sites/`, headers, (n) => ({ name: `one ${n}`, slug: `one-${n}` }), 250 * SECONDS, 4), target: 250 });
  lines.push({ what: 'create one with a tenant', figure: await write(`${system.base}/api/dcim/sites/`, headers, (n) => ({ name: `ref ${n}`, slug: `ref-${n}`, tenant: { slug: 'tenant-1' } }), 100 * SECONDS, 4) });
  const bulk = await write(`${system.base}/api/dcim/sites/`, headers, (n) => upTo(100).map((i) => ({ name: `bulk ${n} ${i}`, slug: `bulk-${n}-${i}` })), 20 * SECONDS, 2);
  lines.push({ what: 'create 100 at once', figure: bulk, times: 100, unit: 'sites', target: 2000 });
  console.log(table(lines));
  const { singles, burst } = await deliveries(api, 200, 20);
  console.log(`deliveries of ${singles.amount} single creates (${singles.writesPerSecond.toFixed(0)}/s): ${singles.received} received, the last ${singles.lastAfterMs.toFixed(0)} ms after the last answer (target 1000)`);
  console.log(`deliveries of ${burst.amount} sites created 100 at once: ${burst.received} received, ${burst.perSecond.toFixed(0)}/s from the first request on (target 300)`);
  console.log(`\n${memoryTable(memoryOf(system.pid))}`);
}

console.log(`${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.version}; system, PostgreSQL and load share them\n`);
const system = await startSystem();
try { await measure(system); } finally { await system.stop(); }

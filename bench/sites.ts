import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Client } from './client.ts';
import { upTo } from '../tools/api.ts';
import { deliveries } from './deliveries.ts';
import { read, reading, SECONDS, write } from './load.ts';
import { populate, SIZE } from './populate.ts';
import { table } from './report.ts';
import { statementsOf } from './statements.ts';
import { freePort } from '../tools/processes/free-ports.ts';
import type { System } from '../tools/testing/fresh-system.ts';

const PAGES = [50, SIZE.sites];

async function measureFloor(system: System, site: number): Promise<Record<string, number>> {
  const port = await freePort(),
    statements = await statementsOf('dcim', 'dcim.site', site, PAGES);
  const child = spawn(process.execPath, [fileURLToPath(new URL('./floor.ts', import.meta.url))], {
    env: {
      ...process.env,
      FLOOR_PORT: String(port),
      FLOOR_DATABASE_URL: system.databaseUrl('dcim'),
      FLOOR_STATEMENTS: JSON.stringify(statements),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  try {
    const base = `http://127.0.0.1:${port}`;
    for (
      let tries = 0;
      tries < 50 &&
      !(await fetch(`${base}/detail`).then(
        (r) => r.ok,
        () => false,
      ));
      tries++
    )
      await new Promise((resolve) => setTimeout(resolve, 100));
    const figures: Record<string, number> = {};
    for (const path of Object.keys(statements)) {
      await read(base + path, {}, 1);
      figures[path] = (await read(base + path, {}, SECONDS)).perSecond;
    }
    return figures;
  } finally {
    child.kill('SIGTERM');
  }
}

/** Sites: reading beside the floor, creating, and what becomes of the deliveries. */
export async function measureSites(system: System, api: Client): Promise<void> {
  const headers = { authorization: `Token ${system.token}` };
  const site = await populate(api);
  const floor = await measureFloor(system, site);
  const lines = [
    await reading('one site', `${system.base}/api/dcim/sites/${site}/`, headers, {
      floor: floor['/detail'],
      target: 1500,
    }),
    await reading('page of 50 sites', `${system.base}/api/dcim/sites/?limit=50`, headers, {
      floor: floor['/page/50'],
      target: 700,
    }),
    await reading('page of 1000 (200 there)', `${system.base}/api/dcim/sites/?limit=1000`, headers, {
      floor: floor[`/page/${SIZE.sites}`],
    }),
  ];
  lines.push({
    what: 'create one, 4 clients',
    figure: await write(
      `${system.base}/api/dcim/sites/`,
      headers,
      (n) => ({ name: `one ${n}`, slug: `one-${n}` }),
      250 * SECONDS,
      4,
    ),
    target: 250,
  });
  lines.push({
    what: 'create one with a tenant',
    figure: await write(
      `${system.base}/api/dcim/sites/`,
      headers,
      (n) => ({ name: `ref ${n}`, slug: `ref-${n}`, tenant: { slug: 'tenant-1' } }),
      100 * SECONDS,
      4,
    ),
  });
  const bulk = await write(
    `${system.base}/api/dcim/sites/`,
    headers,
    (n) => upTo(100).map((i) => ({ name: `bulk ${n} ${i}`, slug: `bulk-${n}-${i}` })),
    20 * SECONDS,
    2,
  );
  lines.push({ what: 'create 100 at once', figure: bulk, times: 100, unit: 'sites', target: 2000 });
  console.log(table(lines));
  const { singles, burst } = await deliveries(api, 200, 20);
  console.log(
    `deliveries of ${singles.amount} single creates (${singles.writesPerSecond.toFixed(0)}/s): ${singles.received} received, the last ${singles.lastAfterMs.toFixed(0)} ms after the last answer (target 1000)`,
  );
  console.log(
    `deliveries of ${burst.amount} sites created 100 at once: ${burst.received} received, ${burst.perSecond.toFixed(0)}/s from the first request on (target 300)`,
  );
}

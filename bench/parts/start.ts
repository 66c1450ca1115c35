import { setTimeout as sleep } from 'node:timers/promises';
import { client } from '../load/client.ts';
import { idleBackends, placesOf, sampleOf } from '../cost/cost.ts';
import { read } from '../load/load.ts';
import { memoryOf, totalPss } from '../machine/memory.ts';
import { fillNetwork } from '../load/networkData.ts';
import { amount, type Measured } from '../report/report.ts';
import { perSecond, total } from '../cost/samples.ts';
import type { System } from '../../tools/testing/fresh-system.ts';

/** How long an idle system takes to come to rest. */
const REST_MS = 60_000;
/** By then autovacuum has handled what the start changed: it visits every database within three minutes. */
const VACUUMED_MS = 180_000;
const WATCHED_MS = 30_000;
const TARGET = { firstStart: 8, secondStart: 4, idleMb: 400, loadedMb: 700, backends: 25, cpuPercent: 1 };

/** What the system is loaded with: a network, and pages of it, each for some seconds. */
const LOAD = { devices: 1_000, addresses: 10_000, inPool: 10_000, interfaces: 4 };
const SECONDS = 3;

/** Starts a system with further settings, on the data of an earlier one or on none. */
export type Begin = (folder?: string, env?: Record<string, string>) => Promise<System>;

/** How long a first and a second start take, and what the system needs while idle and after a load. */
export async function measureStart(begin: Begin): Promise<Measured[]> {
  const first = await begin();
  const lines = [...startOf('first start', first, TARGET.firstStart)];
  await sleep(REST_MS);
  lines.push(memory('memory idle after the first start', first, TARGET.idleMb));
  await first.stop({ keep: true });
  const second = await begin(first.folder);
  lines.push(...startOf('second start', second, TARGET.secondStart));
  await sleep(REST_MS);
  lines.push(memory('memory idle after the second start', second, TARGET.idleMb));
  lines.push(await idleBackends(second, TARGET.backends));
  await sleep(VACUUMED_MS);
  lines.push(...(await idle(second)));
  await load(second);
  return [...lines, memory('memory after a load', second, TARGET.loadedMb)];
}

const startOf = (what: string, { readyAfter, answeredAfter }: System, target: number): Measured[] => [
  amount(`${what}, until ready`, readyAfter, 's', { target }),
  amount(`${what}, until the first answer`, answeredAfter, 's', { target }),
];

function memory(what: string, system: System, target: number): Measured {
  const processes = memoryOf(system.pid);
  const counts = { memory: Object.fromEntries(processes.map(({ name, pss }) => [name, pss])) };
  return amount(what, totalPss(processes), 'MB', { target, notes: placesOf(counts, 'memory') });
}

/** The activity of all processes while the system is idle. */
async function idle(system: System): Promise<Measured[]> {
  const before = await sampleOf(system);
  await sleep(WATCHED_MS);
  const counts = perSecond(before, await sampleOf(system));
  const cpu = ['CPU of services', 'CPU of PostgreSQL'].reduce((sum, kind) => sum + total(counts, kind), 0);
  return [
    // One millisecond a second is a tenth of a percent.
    amount('CPU idle', cpu / 10, '% of a core', {
      target: TARGET.cpuPercent,
      notes: [...placesOf(counts, 'CPU of services'), ...placesOf(counts, 'CPU of PostgreSQL')].map(
        (place) => `${place} ms/s`,
      ),
    }),
    ...['wake-ups of services', 'wake-ups of PostgreSQL', 'transactions', 'disk syncs'].map((kind) =>
      amount(`${kind}, idle`, total(counts, kind), 'a second', { notes: placesOf(counts, kind) }),
    ),
  ];
}

/** A small part of what the part `network` does: a network is filled in, and its pages are read. */
async function load(system: System): Promise<void> {
  const { device, pool } = await fillNetwork(client(system.base, system.token), LOAD);
  const paths = [
    `/api/dcim/devices/${device}/`,
    '/api/dcim/devices/?limit=50',
    '/api/ipam/ip-addresses/?limit=50',
    '/api/ipam/ip-addresses/?limit=50&tag=net-tag-2',
    '/api/ipam/ip-addresses/?limit=1000',
    `/api/ipam/prefixes/${pool}/available-ips/`,
  ];
  for (const path of paths) await read(system.base + path, { authorization: `Token ${system.token}` }, SECONDS);
}

// Pages as a browser gets them, beside the answers of the API about the same objects.
import { brotliCompressSync } from 'node:zlib';
import { upTo } from '../../tools/command/api.ts';
import type { System } from '../../tools/testing/fresh-system.ts';
import type { Client } from '../load/client.ts';
import { type Asked, cpuBeside, type Loaded } from '../cost/cpu.ts';
import { fillNetwork } from '../load/networkData.ts';
import { quiet } from '../machine/quiet.ts';
import { amount, type Measured, number, rate } from '../report/report.ts';
import { sessionAt } from '../load/session.ts';

const SIZE = { devices: 1_000, addresses: 100_000, inPool: 30_000, interfaces: 20 };
/** The number of devices in the rack that is drawn. */
const IN_RACK = 20;

const TARGET = { timesTheApi: 3, p99Ms: 150, searchMs: 200, scriptKb: 60, styleKb: 30 };

/** A page, the API's answer about the same objects, and the target for the two. */
interface Pair {
  what: string;
  page: string;
  /** Several are what the page is made of; none where the API has nothing like it. */
  api?: string;
  /** The target: how many times the CPU time of the API the page may take. */
  times?: number;
}

/** Lists, an object, a form, a drawing and the search over all types, in a network with 100,000 addresses. */
export async function measureWeb(system: System, api: Client): Promise<Measured[]> {
  const { device } = await fillNetwork(api, SIZE);
  const rack = await fillRack(api, device);
  await quiet();
  const cookie = await sessionAt(system.base);
  return [
    ...(await measurePages(system, cookie, device, rack)),
    ...(await measureSearch(system.base, cookie)),
    ...(await sizes(system.base, cookie)),
  ];
}

/** A rack with devices in it. */
async function fillRack(api: Client, firstDevice: number): Promise<number> {
  const rack = (await api.send('POST', '/api/dcim/racks/', {
    name: 'bench rack',
    site: { slug: 'net-site-2' },
    u_height: 42,
  })) as { id: number };
  // Every tenth device is at the second site.
  await api.send(
    'PATCH',
    '/api/dcim/devices/',
    upTo(IN_RACK).map((i) => ({ id: firstDevice + (i - 1) * 10, rack: rack.id, position: i * 2 - 1, face: 'front' })),
  );
  return rack.id;
}

async function measurePages(
  system: Pick<System, 'base' | 'token' | 'pid'>,
  cookie: string,
  device: number,
  rack: number,
): Promise<Measured[]> {
  const pairs: Pair[] = [
    {
      what: 'list of 50 devices',
      page: '/dcim/devices/?limit=50',
      api: '/api/dcim/devices/?limit=50',
      times: TARGET.timesTheApi,
    },
    {
      what: 'list of 50 addresses',
      page: '/ipam/ip-addresses/?limit=50',
      api: '/api/ipam/ip-addresses/?limit=50',
      times: TARGET.timesTheApi,
    },
    { what: 'one device', page: `/dcim/devices/${device}/`, api: `/api/dcim/devices/${device}/` },
    { what: 'form of a device', page: `/dcim/devices/${device}/edit/`, api: `/api/dcim/devices/${device}/` },
    { what: 'elevation of a rack', page: `/dcim/racks/${rack}/elevation/`, api: `/api/dcim/racks/${rack}/elevation/` },
    { what: 'home', page: '/' },
  ];
  const lines: Measured[] = [];
  for (const { what, page, api, times } of pairs) {
    const asked: Asked[] = [{ url: system.base + page, headers: { cookie } }];
    if (api) asked.push({ url: system.base + api, headers: { authorization: `Token ${system.token}` } });
    const [ofPage, ofApi] = await cpuBeside(system.pid, asked);
    lines.push(...linesOf(what, ofPage!, ofApi, times));
  }
  return lines;
}

function linesOf(what: string, page: Loaded, api: Loaded | undefined, times: number | undefined): Measured[] {
  const share = api ? [`${number(page.cpu / api.cpu)} times the API's ${number(api.cpu)} ms`] : [];
  return [
    rate(`${what}: page`, page, api ? { beside: { perSecond: api.perSecond, name: 'the API' } } : {}),
    amount(`${what}: CPU`, page.cpu, 'ms each', {
      ...(times === undefined || !api ? {} : { target: times * api.cpu }),
      notes: [...share, `services ${number(page.services)} ms`, `PostgreSQL ${number(page.cpu - page.services)} ms`],
    }),
    amount(`${what}: p99 of 8 clients`, page.p99, 'ms', { target: TARGET.p99Ms }),
  ];
}

/** Search texts: a name, part of one, an address, part of one, a serial number, and a text without matches. */
const SEARCHES = ['device 77', 'host-77', '10.0.45.17', '10.1.', 'S431', 'no such thing', 'net'];
const TIMES = 15;

/** The search over all types, one request after another: full results, and suggestions while somebody types. */
async function measureSearch(base: string, cookie: string): Promise<Measured[]> {
  const lines: Measured[] = [];
  for (const partial of [false, true])
    for (const text of SEARCHES) {
      const headers = { cookie, ...(partial ? { 'x-partial': '1' } : {}) };
      const taken: number[] = [];
      for (let i = 0; i < TIMES; i++) {
        const began = performance.now();
        const answer = await fetch(`${base}/search/?q=${encodeURIComponent(text)}`, { headers });
        await answer.arrayBuffer();
        if (!answer.ok) throw new Error(`The search for ${text} was answered with ${answer.status}.`);
        taken.push(performance.now() - began);
      }
      const sorted = taken.toSorted((a, b) => a - b);
      lines.push(
        amount(`search for "${text}"${partial ? ' while one types' : ''}`, sorted[TIMES >> 1]!, 'ms', {
          target: TARGET.searchMs,
          notes: [`the first ${number(taken[0]!)} ms`, `the slowest ${number(sorted.at(-1)!)} ms`],
        }),
      );
    }
  return lines;
}

/** What a browser loads once: all scripts, and the style. */
async function sizes(base: string, cookie: string): Promise<Measured[]> {
  const page = await (await fetch(`${base}/`, { headers: { cookie } })).text();
  const kilobytes = async (end: string): Promise<number> => {
    const paths = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path!);
    const bodies = await Promise.all(
      paths
        .filter((path) => path.endsWith(end))
        .map(async (path) => Buffer.from(await (await fetch(base + path)).arrayBuffer())),
    );
    return bodies.reduce((sum, body) => sum + brotliCompressSync(body).length, 0) / 1000;
  };
  return [
    amount('scripts, compressed', await kilobytes('.js'), 'KB', { target: TARGET.scriptKb }),
    amount('style, compressed', await kilobytes('.css'), 'KB', { target: TARGET.styleKb }),
  ];
}

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../load/client.ts';
import { amount, type Measured } from '../report/report.ts';
import { ruleTo } from '../load/rule.ts';
import { upTo } from '../../tools/command/api.ts';

const RECEIVERS = 50;
const CHANGES = 60;
const PAUSE_MS = 250;
const TARGET_MS = 1_000;
const PATIENCE_MS = 60_000;

interface Arrival {
  slug: string;
  at: number;
}

/** A destination of its own that either answers or never does. */
async function destination(
  answers: boolean,
  arrived: (arrival: Arrival) => void,
): Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        if (!answers) return;
        response.end();
        arrived({
          slug: (JSON.parse(Buffer.concat(chunks).toString()) as { data: { slug: string } }).data.slug,
          at: performance.now(),
        });
      });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server };
}

/**
 * Sends changes to fifty receivers, first to them alone, then also to one that accepts requests and never answers, and
 * measures how long the fifty wait.
 */
export async function measureSlowReceiver(_: unknown, client: Client): Promise<Measured[]> {
  const arrivals: Arrival[] = [];
  const made: Server[] = [];
  const connect = async (name: string, answers: boolean) => {
    const { url, server } = await destination(answers, (arrival) => arrivals.push(arrival));
    made.push(server);
    await ruleTo(client, name, url);
  };
  try {
    for (const n of upTo(RECEIVERS)) await connect(`quick ${n}`, true);
    await round(client, arrivals, 'warm');
    const alone = line('fifty receivers: p99', await round(client, arrivals, 'alone'));
    await connect('never answers', false);
    return [
      alone,
      line('fifty receivers beside one that never answers: p99', await round(client, arrivals, 'beside'), TARGET_MS),
    ];
  } finally {
    for (const server of made) {
      server.closeAllConnections();
      server.close();
    }
  }
}

/**
 * How long after the answer to its change each message arrived; messages that never arrived count as the full patience.
 */
async function round(client: Client, arrivals: Arrival[], prefix: string): Promise<number[]> {
  const answered = new Map<string, number>();
  arrivals.length = 0;
  for (const n of upTo(CHANGES)) {
    const slug = `${prefix}-${n}`;
    await client.send('POST', '/api/dcim/sites/', { name: slug, slug });
    answered.set(slug, performance.now());
    await sleep(PAUSE_MS);
  }
  for (
    const until = performance.now() + PATIENCE_MS;
    arrivals.length < CHANGES * RECEIVERS && performance.now() < until;
  )
    await sleep(50);
  const waits = arrivals.map(({ slug, at: arrived }) => Math.max(arrived - answered.get(slug)!, 0));
  return [...waits, ...upTo(CHANGES * RECEIVERS - waits.length).map(() => PATIENCE_MS)].sort((a, b) => a - b);
}

const at = (sorted: number[], share: number): number =>
  sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? 0;
const line = (what: string, waits: number[], target?: number): Measured =>
  amount(what, Math.round(at(waits, 0.99)), 'ms', {
    ...(target === undefined ? {} : { target }),
    notes: [
      `${waits.length} messages`,
      `p50 ${Math.round(at(waits, 0.5))} ms`,
      `longest ${Math.round(waits.at(-1) ?? 0)} ms`,
    ],
  });

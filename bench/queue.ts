import { createServer, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadavg } from 'node:os';
import { upTo } from '../tools/api.ts';
import type { System } from '../tools/testing/fresh-system.ts';
import type { Client } from './client.ts';
import { countingReceiver } from './deliveries.ts';
import { quiet } from './quiet.ts';
import type { Figure } from './figures.ts';
import { read, SECONDS, write } from './load.ts';
import { memoryOf } from './memory.ts';
import { ruleTo } from './rule.ts';
import { settled } from './settled.ts';

const WARM = 2_000,
  EVENTS = 20_000,
  BULK = 100,
  FEW = 10,
  RULES = 10,
  QUEUED = 100_000,
  WRITES_PER_SECOND = 200,
  PACED = 2_000;
const PATIENCE_MS = 180_000;

const verdict = (met: boolean, target: string): string => `target ${target} ${met ? 'met' : 'MISSED'}`;
const say = (text: string): void => console.log(`${text}  (load average ${loadavg()[0]!.toFixed(1)})`);

/**
 * What many deliveries cost: how fast they go out, how late the last is, what memory they take, and whether a long
 * queue slows readers.
 */
export async function measureQueue(system: System, client: Client): Promise<void> {
  const receiver = await countingReceiver(),
    url = `${system.base}/api/dcim/sites/`,
    headers = { authorization: `Token ${system.token}` };
  const memory = () => Math.round(memoryOf(system.pid).find(({ name }) => name === 'webhooks')?.pss ?? 0);
  const single = (prefix: string) => (n: number) => ({ name: `${prefix} ${n}`, slug: `${prefix}-${n}` });
  const several = (prefix: string) => (n: number) => upTo(BULK).map((i) => single(prefix)((n - 1) * BULK + i));
  const rule = await ruleTo(client, 'bench', receiver.url);
  try {
    receiver.expect(WARM);
    await write(url, headers, several('warm'), WARM / BULK, 2);
    await receiver.all(PATIENCE_MS);
    const before = memory();

    receiver.expect(EVENTS);
    const began = performance.now();
    const made = await write(url, headers, several('event'), EVENTS / BULK, 2),
      all = await receiver.all(PATIENCE_MS);
    const seconds = (all.last - began) / 1000,
      rate = all.received / seconds;
    say(
      `${all.received} of ${EVENTS} deliveries in ${seconds.toFixed(1)} s from the first request on: ${rate.toFixed(0)}/s, while ${(made.perSecond * BULK).toFixed(0)} events/s were written  ${verdict(all.received === EVENTS && rate >= 500, '500/s')}`,
    );
    say(`webhooks took ${before} MB (PSS) before and ${memory()} MB after`);

    const pace = async (what: string, each: number, clients: number, bodyOf: (n: number) => unknown): Promise<void> => {
      receiver.expect(PACED);
      const paced = await write(url, headers, bodyOf, PACED / each, clients, 'POST', WRITES_PER_SECOND / each),
        { received, last } = await receiver.all(PATIENCE_MS),
        after = last - paced.answered,
        perSecond = paced.perSecond * each;
      say(
        `${PACED} ${what} at ${perSecond.toFixed(0)}/s: ${received} delivered, the last ${after.toFixed(0)} ms after the last answer${perSecond < WRITES_PER_SECOND * 0.9 ? ` (${WRITES_PER_SECOND}/s were asked for)` : ''}  ${verdict(received === PACED && after <= 2_000, '2,000 ms')}`,
      );
    };
    await pace('single writes', 1, 8, single('paced'));
    // Where the machine does not write so many one by one, this shows what delivery does at that pace.
    await pace(`writes, ${FEW} a request,`, FEW, 4, (n) => upTo(FEW).map((i) => single('few')((n - 1) * FEW + i)));
  } finally {
    await client.send('DELETE', `/api/extras/event-rules/${rule}/`);
    receiver.close();
  }
  await longQueue(client, headers, url, several('queued'));
}

/** A p99 of a few seconds is mostly what else the machine did in them: the middle one of so many counts. */
const READINGS = 5;

/**
 * Readers beside a queue that is full because its receiver hangs, and the same readers before that and when it has been
 * emptied.
 */
async function longQueue(
  client: Client,
  headers: Record<string, string>,
  url: string,
  bodyOf: (n: number) => unknown,
): Promise<void> {
  const hanging: Server = createServer((request) => {
    request.resume();
  });
  await new Promise<void>((resolve) => {
    hanging.listen(0, '127.0.0.1', resolve);
  });
  const target = `http://127.0.0.1:${(hanging.address() as { port: number }).port}/`,
    rules: number[] = [],
    page = `${url}?limit=50`;
  const measured = async (): Promise<Figure> => {
    await quiet();
    await read(page, headers, SECONDS);
    const figures: Figure[] = [];
    for (let n = 0; n < READINGS; n++) figures.push(await read(page, headers, SECONDS));
    return figures.sort((a, b) => a.p99 - b.p99)[(READINGS - 1) / 2]!;
  };
  try {
    const before = await measured();
    say(line('page of 50 sites beside an empty queue', before));
    for (const n of upTo(RULES)) rules.push(await ruleTo(client, `hang ${n}`, target));
    await write(url, headers, bodyOf, QUEUED / RULES / BULK, 2);
    const queued = await waiting(client, QUEUED * 0.99);
    // The followers have done their part: what is measured is the queue that waits, not how it came about.
    await settled(client, 'dcim.site', WARM + EVENTS + 2 * PACED + QUEUED / RULES);
    for (const id of rules) await client.send('DELETE', `/api/extras/event-rules/${id}/`);
    const full = await measured();
    say(line(`page of 50 sites beside ${queued} queued deliveries`, full));
    for (let more = true; more; )
      ({ more } = (await client.send(
        'POST',
        '/api/extras/webhook-deliveries/cancel/?status=pending&status=running',
      )) as { more: boolean });
    const after = await measured(),
      usual = (before.p99 + after.p99) / 2,
      slower = full.p99 / usual - 1;
    say(line('the same when it has been emptied', after));
    say(
      `the long queue made the p99 ${Math.round(slower * 100)} % slower than before and after it (${usual} ms)  ${verdict(slower <= 1 / 3, 'a third')}`,
    );
  } finally {
    hanging.closeAllConnections();
    hanging.close();
  }
}

const line = (what: string, { perSecond, p50, p99, failed }: Figure): string =>
  `${what}: ${perSecond.toFixed(0)}/s, p50 ${p50} ms, p99 ${p99} ms${failed ? `, ${failed} FAILED` : ''}`;

/** Waits until so many deliveries wait, or until patience ends; returns how many do. */
async function waiting(client: Client, amount: number): Promise<number> {
  for (const until = performance.now() + PATIENCE_MS; ; await sleep(500)) {
    const {
      results: [queue],
    } = (await client.send('GET', '/api/core/background-queues/?limit=1')) as { results: { jobs: number }[] };
    if ((queue?.jobs ?? 0) >= amount || performance.now() > until) return queue?.jobs ?? 0;
  }
}

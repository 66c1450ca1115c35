import { createServer, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadavg } from 'node:os';
import { upTo } from '../../tools/command/api.ts';
import type { System } from '../../tools/testing/fresh-system.ts';
import type { Client } from '../load/client.ts';
import { countingReceiver } from './deliveries.ts';
import { quiet } from '../machine/quiet.ts';
import type { Figure } from '../report/figures.ts';
import { read, SECONDS, write } from '../load/load.ts';
import { memoryOf } from '../machine/memory.ts';
import { amount, AS_GOOD, type Measured, rate } from '../report/report.ts';
import { ruleTo } from '../load/rule.ts';
import { settled } from '../load/settled.ts';

const WARM = 2_000;
const EVENTS = 20_000;
const BULK = 100;
const FEW = 10;
const RULES = 10;
const QUEUED = 100_000;
const WRITES_PER_SECOND = 200;
const PACED = 2_000;
const PATIENCE_MS = 180_000;

/** Adds the load of the machine at the time of the measurement. */
const withLoad = (line: Measured): Measured => ({
  ...line,
  notes: [...line.notes, `load average ${loadavg()[0]!.toFixed(1)}`],
});

/**
 * The cost of many deliveries: their rate, the delay of the last one, the memory that they take, and whether a long
 * queue slows readers.
 */
export async function measureQueue(system: System, client: Client): Promise<Measured[]> {
  const lines: Measured[] = [];
  const receiver = await countingReceiver();
  const url = `${system.base}/api/dcim/sites/`;
  const headers = { authorization: `Token ${system.token}` };
  const memory = () => memoryOf(system.pid).find(({ services }) => services.includes('webhooks'))?.pss ?? 0;
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
    const made = await write(url, headers, several('event'), EVENTS / BULK, 2);
    const all = await receiver.all(PATIENCE_MS);
    const seconds = (all.last - began) / 1000;
    const delivered = all.received / seconds;
    lines.push(
      withLoad({
        what: `deliveries of ${EVENTS} events from the first request on`,
        value: delivered,
        unit: 'deliveries/s',
        better: 'more',
        target: 500,
        against: AS_GOOD,
        notes: [
          `${all.received} of ${EVENTS} delivered in ${seconds.toFixed(1)} s`,
          `${(made.perSecond * BULK).toFixed(0)} events/s written`,
        ],
      }),
      amount('memory of the process that delivers, afterwards', memory(), 'MB', {
        notes: [`${Math.round(before)} MB before`],
      }),
    );

    const pace = async (what: string, each: number, clients: number, bodyOf: (n: number) => unknown): Promise<void> => {
      receiver.expect(PACED);
      const paced = await write(url, headers, bodyOf, PACED / each, clients, 'POST', WRITES_PER_SECOND / each);
      const { received, last } = await receiver.all(PATIENCE_MS);
      const after = last - paced.answered;
      const perSecond = paced.perSecond * each;
      lines.push(
        withLoad(
          amount(`${what} at ${WRITES_PER_SECOND}/s: the last delivery after the last answer`, after, 'ms', {
            target: 2_000,
            notes: [`${received} of ${PACED} delivered`, `${perSecond.toFixed(0)}/s written`],
          }),
        ),
      );
    };
    await pace('single writes', 1, 8, single('paced'));
    // Where the machine cannot make single writes at this rate, this shows how delivery performs at it.
    await pace(`writes of ${FEW} a request`, FEW, 4, (n) => upTo(FEW).map((i) => single('few')((n - 1) * FEW + i)));
  } finally {
    await client.send('DELETE', `/api/extras/event-rules/${rule}/`);
    receiver.close();
  }
  return [...lines, ...(await longQueue(client, headers, url, several('queued')))];
}

/** Over a few seconds, a p99 mostly reflects other load on the machine, so the median of several readings is used. */
const READINGS = 5;

/**
 * Measures readers while the queue is full because its receiver hangs, and the same readers before that and after the
 * queue has been emptied.
 */
async function longQueue(
  client: Client,
  headers: Record<string, string>,
  url: string,
  bodyOf: (n: number) => unknown,
): Promise<Measured[]> {
  const hanging: Server = createServer((request) => {
    request.resume();
  });
  await new Promise<void>((resolve) => {
    hanging.listen(0, '127.0.0.1', resolve);
  });
  const target = `http://127.0.0.1:${(hanging.address() as { port: number }).port}/`;
  const rules: number[] = [];
  const page = `${url}?limit=50`;
  const measured = async (): Promise<Figure> => {
    await quiet();
    await read(page, headers, SECONDS);
    const figures: Figure[] = [];
    for (let n = 0; n < READINGS; n++) figures.push(await read(page, headers, SECONDS));
    return figures.sort((a, b) => a.p99 - b.p99)[(READINGS - 1) / 2]!;
  };
  try {
    const before = await measured();
    const lines = [withLoad(rate('page of 50 sites beside an empty queue', before))];
    for (const n of upTo(RULES)) rules.push(await ruleTo(client, `hang ${n}`, target));
    await write(url, headers, bodyOf, QUEUED / RULES / BULK, 2);
    const queued = await waiting(client, QUEUED * 0.99);
    // Waits for the followers first, as the load of a waiting queue is to be measured, not that of filling it.
    await settled(client, 'dcim.site', WARM + EVENTS + 2 * PACED + QUEUED / RULES);
    for (const id of rules) await client.send('DELETE', `/api/extras/event-rules/${id}/`);
    const full = await measured();
    lines.push(
      withLoad({
        ...rate('page of 50 sites beside a long queue', full),
        beside: { perSecond: before.perSecond, name: 'that beside an empty one' },
      }),
    );
    for (let more = true; more; )
      ({ more } = (await client.send(
        'POST',
        '/api/extras/webhook-deliveries/cancel/?status=pending&status=running',
      )) as { more: boolean });
    const after = await measured();
    const usual = (before.p99 + after.p99) / 2;
    const slower = full.p99 / usual;
    lines.push(
      withLoad(rate('the same when it has been emptied', after)),
      amount('p99 beside the long queue, of that before and after it', slower * 100, '%', {
        target: 133,
        notes: [`${queued} deliveries waited`, `${usual} ms before and after`],
      }),
    );
    return lines;
  } finally {
    hanging.closeAllConnections();
    hanging.close();
  }
}

/** Waits until the given number of deliveries wait in the queue, or until patience ends; returns how many do. */
async function waiting(client: Client, amount: number): Promise<number> {
  for (const until = performance.now() + PATIENCE_MS; ; await sleep(500)) {
    const {
      results: [queue],
    } = (await client.send('GET', '/api/core/background-queues/?limit=1')) as { results: { jobs: number }[] };
    if ((queue?.jobs ?? 0) >= amount || performance.now() > until) return queue?.jobs ?? 0;
  }
}

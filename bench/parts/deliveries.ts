import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../load/client.ts';
import { upTo } from '../../tools/command/api.ts';
import { write } from '../load/load.ts';
import { ruleTo } from '../load/rule.ts';

export interface DeliveryFigures {
  /** Single creates: how many were delivered, and how long after the last answer the last delivery arrived. */
  singles: { writesPerSecond: number; received: number; amount: number; lastAfterMs: number };
  /** Bulk creates: how fast a queue is worked off. */
  burst: { received: number; amount: number; perSecond: number };
}

/** How long deliveries may take before the benchmark goes on without them. */
const PATIENCE_MS = 60_000;

/** A receiver that counts deliveries, and notices when a given number has arrived. */
export async function countingReceiver() {
  let received = 0;
  let last = 0;
  let wanted = Number.POSITIVE_INFINITY;
  let done = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.end();
      last = performance.now();
      if (++received >= wanted) done.resolve();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}/`,
    expect(amount: number) {
      received = 0;
      last = 0;
      wanted = amount;
      done = Promise.withResolvers();
    },
    async all(patienceMs = PATIENCE_MS) {
      await Promise.race([done.promise, sleep(patienceMs, undefined, { ref: false })]);
      return { received, last };
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Creates sites with an event rule on: one by one with 4 clients, then many at once. */
export async function deliveries(client: Client, amount: number, bulks: number): Promise<DeliveryFigures> {
  const receiver = await countingReceiver();
  const url = `${client.base}/api/dcim/sites/`;
  const headers = { authorization: `Token ${client.token}` };
  const rule = await ruleTo(client, 'bench', receiver.url);
  const single = (prefix: string) => (n: number) => ({ name: `${prefix} ${n}`, slug: `${prefix}-${n}` });
  receiver.expect(amount);
  await write(url, headers, single('warm'), amount, 4);
  await receiver.all();

  receiver.expect(amount);
  const figure = await write(url, headers, single('hooked'), amount, 4);
  const ones = await receiver.all();

  receiver.expect(bulks * 100);
  const began = performance.now();
  await write(url, headers, (n) => upTo(100).map((i) => single('burst')(n * 1000 + i)), bulks, 2);
  const many = await receiver.all();
  await client.send('DELETE', `/api/extras/event-rules/${rule}/`);
  receiver.close();
  return {
    singles: {
      writesPerSecond: figure.perSecond,
      received: ones.received,
      amount,
      lastAfterMs: ones.last - figure.answered,
    },
    burst: { received: many.received, amount: bulks * 100, perSecond: many.received / ((many.last - began) / 1000) },
  };
}
